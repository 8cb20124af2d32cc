internal import Arbor

/// The parts of a state that are saved, each with its last saved value. Used on the queue of its storage.
///
/// - It doesn't keep the state while there is a store, because each change by a reducer would then copy data.
final class SavedParts<State: Sendable>: MonitoredParts, @unchecked Sendable {
  // Sendable because everything is used on the storage's queue, except the members with a lock.

  private struct Entry {
    let part: Persisted<State>
    let comparison: any PartComparison<State>

    /// `false` if the complete part must be saved, even if it doesn't change.
    var isStored: Bool
  }

  private let parts: [Persisted<State>]
  private var entries: [Entry]
  let names: Set<String>
  let load: Int
  let isJournaled = false

  /// The state that contains the parts.
  let state: SavedState<State>

  /// `true` after all saved data was erased, until a part changes.
  private var isErased = false

  /// The indexes of the entries whose parts were encoded last.
  private var encoded: [Int] = []

  /// Makes the source of parts that were loaded.
  ///
  /// - Parameters:
  ///   - parts: The parts, each with `true` if it is stored as it is in the state.
  ///   - state: The loaded state.
  ///   - load: The number of the load.
  init(_ parts: [(part: Persisted<State>, isStored: Bool)], in state: State, ofLoad load: Int) {
    self.parts = parts.map(\.part)
    names = Set(parts.map(\.part.name))
    entries = parts.map { part, isStored in
      let comparison = part.part.makeComparison()
      comparison.begin(with: state)
      return Entry(part: part, comparison: comparison, isStored: isStored)
    }
    self.state = SavedState(state)
    self.load = load
  }

  // MARK: The state

  func begin(_ monitor: SavingMonitor<State>) {
    _ = isChanged(byBeginning: monitor)
  }

  /// Sets the monitor of the state. Returns `true` if its store begins with other parts than the loaded ones.
  func isChanged(byBeginning monitor: SavingMonitor<State>) -> Bool {
    guard let loaded = state.begin(monitor) else { return true }
    return makeChangeCheck(from: loaded) { monitor.presentOnTree }()
  }

  func end(with state: State) {
    self.state.end(with: state)
  }

  var hasStore: Bool { state.hasStore }

  // MARK: Saving

  func save(in core: StorageCore) throws(StorageError) {
    let state = state.read { _ in }
    if isErased, !isChanged(in: state) {
      // The erasure may have failed.
      if core.writer.needsState { try core.writeState(for: self) }
      return
    }
    endErasure()
    let (changes, errors) = encode(state) { entry throws in
      entry.isStored ? try entry.comparison.change(to: state) : .value(try entry.comparison.whole(state))
    }
    if !changes.isEmpty {
      try core.append([LogEntry.parts(changes).bytes], changing: changes.map(\.name), of: self)
    } else if core.writer.needsState {
      try core.writeState(for: self)
    }
    for error in errors.dropFirst() { core.tell(error) }
    if let error = errors.first { throw error }
  }

  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError]) {
    whole(ifErased: { isErased }, at: { _ in begin() })
  }

  /// Returns all parts as they are now, or none if they are erased and haven't changed since.
  ///
  /// - Parameter isErased: Called after the state was read.
  func whole(
    ifErased isErased: () -> Bool,
    at begin: (_ hasBegun: Bool) -> Void
  ) -> (parts: [StoredPart], errors: [StorageError]) {
    let state = state.read(at: begin)
    if isErased(), !isChanged(in: state) {
      // Parts that were encoded for a failed save must not count as saved by this one.
      encoded = []
      return ([], [])
    }
    endErasure()
    let (parts, errors) = encode(state) { entry in try entry.comparison.whole(state) }
    return (parts, errors)
  }

  /// Requires that all parts are saved, once one has changed. If one can't be saved now, it is saved later even without
  /// a change.
  private func endErasure() {
    guard isErased else { return }
    isErased = false
    for index in entries.indices { entries[index].isStored = false }
  }

  /// Makes a function that encodes all parts of a state, on any queue.
  var encoder: @Sendable (State) throws(StorageError) -> [StoredPart] {
    { [parts] state throws(StorageError) in
      try parts.map { part throws(StorageError) in
        do {
          return try part.part.whole(state)
        } catch {
          throw StorageError(encoding: part.name, error)
        }
      }
    }
  }

  /// Returns the entry with all parts as they are now. Called on the tree's queue.
  func present() throws(StorageError) -> [UInt8] {
    guard let state = state.onTree else { Misuse.writingAheadWithoutMonitor.stop() }
    return LogEntry.parts(try encoder(state).map { .value($0) }).bytes
  }

  /// Encodes the parts of a state that must be saved, and collects the errors.
  ///
  /// - Parameter encode: Returns nil if the part needn't be saved.
  private func encode<Encoded>(
    _ state: State,
    _ encode: (Entry) throws -> Encoded?
  ) -> (encoded: [Encoded], errors: [StorageError]) {
    var result: (encoded: [Encoded], errors: [StorageError]) = ([], [])
    encoded = []
    for (index, entry) in entries.enumerated() {
      do {
        guard let part = try encode(entry) else { continue }
        result.encoded.append(part)
        encoded.append(index)
      } catch {
        result.errors.append(StorageError(encoding: entry.part.name, error))
      }
    }
    return result
  }

  /// Returns `true` if a state differs from the one that was saved or erased last.
  private func isChanged(in state: State) -> Bool {
    entries.contains { $0.comparison.isChanged(in: state) }
  }

  var hasUnsavedChanges: Bool {
    let isStored = isErased || entries.allSatisfy(\.isStored)
    return !isStored || isChanged(in: state.read { _ in })
  }

  func didSave() {
    for index in encoded {
      entries[index].comparison.didSave()
      entries[index].isStored = true
    }
    encoded = []
  }

  func didFail(mayRetry: Bool) {
    if mayRetry { state.monitor?.retry() }
  }

  func didErase() { didErase { _ in } }

  /// Records that all saved data is erased.
  ///
  /// - Parameter begin: Called when the state that counts as erased is read; see ``SavedState/read(at:)``.
  func didErase(at begin: (_ hasBegun: Bool) -> Void) {
    let state = state.read(at: begin)
    for entry in entries { entry.comparison.begin(with: state) }
    isErased = true
  }

  func beginErased() {
    isErased = true
  }

  func noteRefusals() {}

  // MARK: The tree's queue

  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? { nil }

  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)? {
    nil
  }

  /// Returns the name of the first part that is known to be unequal in two states; nil if there is none.
  func nameOfDifference(between left: State, and right: State) -> String? {
    parts.first { $0.part.isUnequal(left, right) }?.name
  }

  /// Makes a function that returns `true` if the parts have changed since this call. Called on the tree's queue.
  ///
  /// - It keeps only the parts, and not the rest of the state.
  func makeChangeCheck() -> () -> Bool {
    guard let monitor = state.monitor, let state = monitor.presentOnTree else { return { true } }
    return makeChangeCheck(from: state) { monitor.presentOnTree }
  }

  /// Makes a function that returns `true` if the parts differ from a state's parts.
  private func makeChangeCheck(from state: State, to new: @escaping () -> State?) -> () -> Bool {
    let checks = parts.map { $0.part.makeChangeCheck(from: state) }
    return { new().map { state in checks.contains { $0(state) } } ?? true }
  }

  func writeAhead<Action: Sendable>(_ action: Action, with storage: Storage) -> Bool {
    Misuse.writingAheadWithoutJournal.stop()
  }

  func takeRefusal() -> StorageError? { nil }

  func stepReceiver(_ change: @escaping @Sendable () -> Void) -> @Sendable () -> Void { change }

  func didTravel() {}
}
