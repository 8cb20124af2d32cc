/// The sources of a storage, with the loads that determine which of them are saved. Used on the queue of the storage.
struct PartsSources {
  /// The sources that are saved, and the outdated ones whose store still exists.
  private var all: [any PartsSource] = []
  private var loads = LoadHistory()

  /// The sources that are saved.
  var saved: [any PartsSource] { all.filter { objection(to: $0) == nil } }

  /// Returns the reason why a source is no longer saved; nil if it is saved.
  func objection(to source: any PartsSource) -> StorageError? {
    loads.objection(to: source.names, ofLoad: source.load)
  }

  /// The reason why a change isn't saved; nil if no outdated source has an unsaved change.
  var objectionToChanges: StorageError? {
    for source in all {
      if let objection = objection(to: source), source.hasUnsavedChanges { return objection }
    }
    return nil
  }

  /// `true` if the actions of a journal are loaded.
  var hasJournal: Bool { saved.contains(where: \.isJournaled) }

  /// Returns `true` if a source without any of the given parts has loaded the actions of a journal.
  func hasJournal(besides names: Set<String>) -> Bool {
    saved.contains { $0.isJournaled && $0.names.isDisjoint(with: names) }
  }

  /// `true` if another process has written since the last load; `false` before the first load.
  var isBehind: Bool { loads.isBehind }

  // MARK: Changes

  func contains(_ source: any PartsSource) -> Bool { all.contains { $0 === source } }

  /// Adds a source, which may be outdated already. Does nothing if it was added before.
  mutating func add(_ source: any PartsSource) {
    guard !contains(source) else { return }
    all.append(source)
    if loads.isErased(since: source.load) { source.beginErased() }
  }

  mutating func remove(_ source: any PartsSource) {
    all.removeAll { $0 === source }
  }

  /// Records a load of parts.
  ///
  /// - Returns: The number of the load, and `true` if a source with a journal is outdated by it.
  mutating func noteLoad(of names: Set<String>) -> (load: Int, endsJournal: Bool) {
    let load = loads.add(names)
    let outdated = all.filter { objection(to: $0) != nil }
    // A source that gets its store later is added at that time.
    all.removeAll { source in !source.hasStore && outdated.contains { $0 === source } }
    return (load, outdated.contains { $0.isJournaled && !$0.names.isDisjoint(with: names) })
  }

  /// Records that another process has written.
  mutating func noteChangeElsewhere() {
    loads.noteChangeElsewhere()
  }

  /// Records the refusals of actions whose callers haven't received them.
  func noteRefusals() {
    for source in all { source.noteRefusals() }
  }

  /// Records that everything stored is erased.
  mutating func noteErasure() {
    loads.noteErasure()
    for source in saved { source.didErase() }
  }
}

/// A source of parts of a state. Used on the queue of its storage.
protocol PartsSource: AnyObject, Sendable {
  /// The names of the parts.
  var names: Set<String> { get }

  /// The number of the load that loaded the parts.
  var load: Int { get }

  /// `true` if the actions that change the parts are journaled.
  var isJournaled: Bool { get }

  /// Saves the changes since the last save, after everything that the store has accepted so far.
  func save(in core: StorageCore) throws(StorageError)

  /// Returns all parts as they are now, and the errors of parts that can't be encoded. After an erasure, it returns
  /// none until the parts have changed or an action was journaled.
  ///
  /// - Parameter begin: Called when the state is read; if there is a store, before its next step.
  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError])

  /// Records that the last encoded parts were saved.
  func didSave()

  /// `true` while there is a store.
  var hasStore: Bool { get }

  /// `true` if there is something to save.
  var hasUnsavedChanges: Bool { get }

  /// Records that not everything could be saved.
  ///
  /// - Parameter mayRetry: `false` if this source is no longer saved.
  func didFail(mayRetry: Bool)

  /// Records that all saved data is erased. Once a part changes or an action is journaled, all parts are saved.
  func didErase()

  /// Records the refusals of actions whose callers haven't received them.
  func noteRefusals()

  /// Records that the loaded parts are erased already. Once a part differs from the loaded one, all parts are saved.
  func beginErased()
}

/// The loads of a storage, which determine the stores that may save. A store must not overwrite parts that were loaded
/// again, or that another process has written since.
///
/// - Loads are numbered from 1. It doesn't matter when a store is made from the loaded state.
struct LoadHistory: Sendable {
  /// The number of the last load.
  private(set) var last = 0

  /// The number of the last load of each part.
  private var lastOfPart: [String: Int] = [:]

  /// The number of the first load after another process has written.
  private var firstValid = 1

  /// The number of the last load before the last erasure.
  private var lastErased = 0

  /// `true` if another process has written since the last load; `false` before the first load.
  var isBehind: Bool { last > 0 && firstValid > last }

  /// Records a load of parts, and returns its number.
  mutating func add(_ names: Set<String>) -> Int {
    last += 1
    for name in names { lastOfPart[name] = last }
    return last
  }

  /// Records that another process has written.
  mutating func noteChangeElsewhere() {
    if last > 0 { firstValid = last + 1 }
  }

  /// Records that everything stored was erased.
  mutating func noteErasure() {
    lastErased = last
  }

  /// Returns the reason why the parts of a load must no longer be saved; nil if they may be saved.
  func objection(to names: Set<String>, ofLoad load: Int) -> StorageError? {
    if load < firstValid { return .changedElsewhere }
    return names.contains { lastOfPart[$0, default: 0] > load } ? .loadedAgain : nil
  }

  /// Returns `true` if everything was erased since a load.
  func isErased(since load: Int) -> Bool { load <= lastErased }
}
