internal import Arbor

/// The parts of a state that are saved, and what was saved of them last. Used on the queue of its storage.
final class SavedParts<State: Sendable>: MonitoredParts, @unchecked Sendable {
  // Sendable because all is used on the storage's queue, but for what has a lock.

  private let parts: [(part: Persisted<State>, comparison: any PartComparison<State>)]
  let names: Set<String>
  let isJournaled = false

  /// The way to the state.
  private enum Source: Sendable {
    /// There is no store yet: the state is the one that was loaded.
    case loaded

    /// A store, whose monitor lives as long as it does.
    case store(WeakMonitor)

    /// The store has gone: the state is its last one.
    case ended
  }

  private struct WeakMonitor: Sendable {
    weak var monitor: SavingMonitor<State>?
  }

  private let source = Protected(Source.loaded)

  /// The state that was read last.
  private var state: State

  /// `true` after everything that was saved was erased, until a part changes.
  let isErased = AtomicFlag(false)

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

  /// Sets the monitor that has the state. Once, before it is saved.
  func begin(_ monitor: SavingMonitor<State>) {
    source.withLock { $0 = .store(WeakMonitor(monitor: monitor)) }
  }

  /// Makes a state the last one.
  func end(with state: State) {
    self.state = state
    source.withLock { $0 = .ended }
  }

  var isEnded: Bool { source.withLock { if case .ended = $0 { true } else { false } } }

  private var monitor: SavingMonitor<State>? {
    source.withLock { if case .store(let weak) = $0 { weak.monitor } else { nil } }
  }

  var hasUnsavedChanges: Bool { isChanged(in: read {}) }

  func save(in core: StorageCore) throws(StorageError) {
    let state = read {}
    if isErased.load(), !isChanged(in: state) {
      // It may have failed.
      if core.writer.needsState { try core.writeState() }
      return
    }
    let wasErased = isErased.exchange(false)
    // Whatever fails now is saved later, whether it changes again or not.
    if wasErased { for (_, comparison) in parts { comparison.forget() } }
    let (changes, errors) = encode(state) { part, comparison in
      wasErased ? .value(try comparison.whole(state)) : try comparison.change(to: state)
    }
    if !changes.isEmpty {
      try core.append([LogEntry.parts(changes).bytes], changing: changes.map(\.name), of: self)
    } else if core.writer.needsState {
      try core.writeState()
    }
    for error in errors.dropFirst() { core.tell(error) }
    if let error = errors.first { throw error }
  }

  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError]) {
    let state = read(at: begin)
    if isErased.load(), !isChanged(in: state) { return ([], []) }
    if isErased.exchange(false) { for (_, comparison) in parts { comparison.forget() } }
    let (parts, errors) = encode(state) { _, comparison in try comparison.whole(state) }
    return (parts, errors)
  }

  /// Reads the state as it is now.
  ///
  /// - Parameter begin: Called at that moment, on the tree's queue.
  func read(at begin: () -> Void) -> State {
    let isThere = monitor?.wait { root in
      if let monitor { state = monitor.present(of: root) }
      begin()
    }
    guard isThere != true else { return state }
    // The owner has gone, and the end of these parts is still to come.
    if let last = monitor?.lastState { state = last }
    begin()
    return state
  }

  /// Calls a body on the tree's queue, after everything that the store has accepted; when the store has gone at once.
  /// Does not call it before there is a store.
  func wait(_ body: () -> Void) {
    guard hasBegun else { return }
    if monitor?.wait({ _ in body() }) != true { body() }
  }

  /// `true` once there is, or was, a store.
  var hasBegun: Bool { source.withLock { if case .loaded = $0 { false } else { true } } }

  /// Makes a function that encodes all parts of a state, on any queue.
  var encoder: @Sendable (State) throws -> [StoredPart] {
    { [parts = parts.map(\.part)] state in
      try parts.map { part in
        do {
          return try part.part.whole(state)
        } catch {
          throw StorageError(encoding: part.name, error)
        }
      }
    }
  }

  /// - Parameter encode: Returns nil if the part need not be saved.
  private func encode<Encoded>(
    _ state: State,
    _ encode: (Persisted<State>, any PartComparison<State>) throws -> Encoded?
  ) -> (encoded: [Encoded], errors: [StorageError]) {
    var result: (encoded: [Encoded], errors: [StorageError]) = ([], [])
    encoded = []
    for (part, comparison) in parts {
      do {
        guard let part = try encode(part, comparison) else { continue }
        result.encoded.append(part)
        encoded.append(comparison)
      } catch {
        result.errors.append(StorageError(encoding: part.name, error))
      }
    }
    return result
  }

  /// `true` if a state differs from what is stored.
  func isChanged(in state: State) -> Bool {
    parts.contains { _, comparison in
      do {
        return try comparison.change(to: state) != nil
      } catch {
        return true
      }
    }
  }

  func didSave() {
    for comparison in encoded { comparison.didSave() }
    encoded = []
  }

  func didFail() {
    monitor?.retry()
  }

  func didErase() {
    let state = read {}
    for (_, comparison) in parts { comparison.isStored(state) }
    isErased.store(true)
  }

  // MARK: The tree's queue

  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? { nil }

  func writeAhead<Action: Sendable>(_ action: Action, with storage: Storage) -> Bool {
    Misuse.writingAheadWithoutJournal.stop()
  }

  var lastRefusal: (count: Int, refusal: StorageError?) { (0, nil) }

  func stepReceiver(_ change: @escaping @Sendable () -> Void) -> @Sendable () -> Void { change }

  func didTravel() {}
}
