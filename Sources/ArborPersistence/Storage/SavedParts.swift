/// The parts of a state that are saved, and what was saved of them last. Used on the queue of its storage.
final class SavedParts<State: Sendable>: PartsSource, @unchecked Sendable {
  // Sendable because all is used on the storage's queue, but for `begin`, which is called before.

  private let parts: [(part: Persisted<State>, comparison: any PartComparison<State>)]
  let names: Set<String>

  /// Reads the state as it is now; returns nil if there is none any more.
  private var readState: () -> State? = { nil }
  private var tellFailure: () -> Void = {}

  /// The state that was read last.
  private var state: State

  /// The comparisons of the parts that were encoded last.
  private var encoded: [any PartComparison<State>] = []

  /// - Parameters:
  ///   - parts: The parts, each with `true` if it is stored as it is in a state.
  ///   - state: The state that was loaded.
  init(_ parts: [(part: Persisted<State>, isStored: Bool)], in state: State) {
    names = Set(parts.map(\.part.name))
    self.parts = parts.map { part, isStored in
      let comparison = part.part.makeComparison()
      if isStored { comparison.isStored(state) }
      return (part, comparison)
    }
    self.state = state
  }

  /// Sets the way to the state. Once, before all else.
  func begin(reading readState: @escaping () -> State?, whenFailed tellFailure: @escaping () -> Void) {
    (self.readState, self.tellFailure) = (readState, tellFailure)
  }

  /// Makes a state the last one.
  func end(with state: State) {
    self.state = state
    (readState, tellFailure) = ({ nil }, {})
  }

  private func read() -> State {
    if let state = readState() { self.state = state }
    return state
  }

  func changes() -> (changes: [PartChange], errors: [StorageError]) {
    var result: (changes: [PartChange], errors: [StorageError]) = ([], [])
    encode { part, comparison, state in
      do {
        guard let change = try comparison.change(to: state) else { return false }
        result.changes.append(change)
        return true
      } catch {
        result.errors.append(StorageError(encoding: part.name, error))
        return false
      }
    }
    return result
  }

  func whole() -> [StoredPart] {
    var result: [StoredPart] = []
    encode { _, comparison, state in
      guard let part = try? comparison.whole(state) else { return false }
      result.append(part)
      return true
    }
    return result
  }

  /// - Parameter encode: Returns `true` if the part was encoded.
  private func encode(_ encode: (Persisted<State>, any PartComparison<State>, State) -> Bool) {
    let state = read()
    encoded = []
    for (part, comparison) in parts where encode(part, comparison, state) { encoded.append(comparison) }
  }

  func didSave() {
    for comparison in encoded { comparison.didSave() }
    encoded = []
  }

  func didFail() { tellFailure() }

  func forget() {
    for (_, comparison) in parts { comparison.forget() }
  }
}
