/// The sources of a storage, and on whose behalf of them is saved. Used on the queue of the storage.
struct PartsSources {
  /// The sources that are saved, and outdated ones whose store goes on.
  private var all: [any PartsSource] = []
  private var loads = LoadHistory()

  /// The sources on whose behalf is saved.
  var saved: [any PartsSource] { all.filter { objection(to: $0) == nil } }

  /// The reason why nothing is saved on behalf of a source any more; nil if it is.
  func objection(to source: any PartsSource) -> StorageError? {
    loads.objection(to: source.names, ofLoad: source.load)
  }

  /// The reason why something that has changed is not saved; nil if there is no such thing.
  var objectionToChanges: StorageError? {
    for source in all {
      if let objection = objection(to: source), source.hasUnsavedChanges { return objection }
    }
    return nil
  }

  /// `true` if the actions of a journal are loaded.
  var hasJournal: Bool { saved.contains(where: \.isJournaled) }

  /// `true` if the actions of a journal are loaded, by a source that has none of some parts.
  func hasJournal(besides names: Set<String>) -> Bool {
    saved.contains { $0.isJournaled && $0.names.isDisjoint(with: names) }
  }

  /// `true` if another process has written since something was loaded, and nothing was loaded since.
  var isBehind: Bool { loads.isBehind }

  // MARK: Changes

  func contains(_ source: any PartsSource) -> Bool { all.contains { $0 === source } }

  /// Adds a source, which may be outdated already. Does nothing if it is there.
  mutating func add(_ source: any PartsSource) {
    guard !contains(source) else { return }
    all.append(source)
    if loads.isErased(since: source.load) { source.beginErased() }
  }

  mutating func remove(_ source: any PartsSource) {
    all.removeAll { $0 === source }
  }

  /// Notes a load of some parts.
  ///
  /// - Returns: Its number, and `true` if a source with a journal is outdated by it.
  mutating func noteLoad(of names: Set<String>) -> (load: Int, endsJournal: Bool) {
    let load = loads.add(names)
    let outdated = all.filter { objection(to: $0) != nil }
    // One that is given to a store later is added then.
    all.removeAll { source in !source.hasStore && outdated.contains { $0 === source } }
    return (load, outdated.contains { $0.isJournaled && !$0.names.isDisjoint(with: names) })
  }

  /// Notes that another process has written.
  mutating func noteChangeElsewhere() {
    loads.noteChangeElsewhere()
  }

  /// Notes the refusals of actions whose callers were not told of them.
  func noteRefusals() {
    for source in all { source.noteRefusals() }
  }

  /// Notes that everything that is stored is erased.
  mutating func noteErasure() {
    loads.noteErasure()
    for source in saved { source.didErase() }
  }
}

/// A source of parts of a state. Used on the queue of its storage.
protocol PartsSource: AnyObject, Sendable {
  /// The names of the parts.
  var names: Set<String> { get }

  /// The number of the load by which the parts were loaded.
  var load: Int { get }

  /// `true` if the actions that change the parts are journaled.
  var isJournaled: Bool { get }

  /// Saves what has changed since the last save, after everything that the store has accepted until now.
  func save(in core: StorageCore) throws(StorageError)

  /// All parts as they are now, and the errors of those that cannot be encoded. None after they were erased, until they
  /// have changed, or an action was journaled.
  ///
  /// - Parameter begin: Called when the state is read; where there is a store, before its next step.
  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError])

  /// Notes that what was encoded last was saved.
  func didSave()

  /// `true` while there is a store.
  var hasStore: Bool { get }

  /// `true` if there is something to save.
  var hasUnsavedChanges: Bool { get }

  /// Notes that not everything could be saved.
  ///
  /// - Parameter mayRetry: `false` if nothing is saved on behalf of this source any more.
  func didFail(mayRetry: Bool)

  /// Notes that everything that was saved is erased: once a part changes, or an action is journaled, all are saved.
  func didErase()

  /// Notes the refusals of actions whose callers were not told of them.
  func noteRefusals()

  /// Notes that what was loaded is erased already: once a part is another one than that, all of them are saved.
  func beginErased()
}

/// The loads of a storage, by which is told who may save: a store whose parts were loaded again, or have been written by
/// another process since, must not write over that.
///
/// - Loads have numbers from 1 on. It does not matter when a store is made of what was loaded.
struct LoadHistory: Sendable {
  /// The number of the last load.
  private(set) var last = 0

  /// The number of the last load of each part.
  private var lastOfPart: [String: Int] = [:]

  /// The number of the first load after another process has written.
  private var firstValid = 1

  /// The number of the last load before the last erasure.
  private var lastErased = 0

  /// `true` if another process has written since something was loaded, and nothing was loaded since.
  var isBehind: Bool { last > 0 && firstValid > last }

  /// Notes a load of some parts. Returns its number.
  mutating func add(_ names: Set<String>) -> Int {
    last += 1
    for name in names { lastOfPart[name] = last }
    return last
  }

  /// Notes that another process has written.
  mutating func noteChangeElsewhere() {
    if last > 0 { firstValid = last + 1 }
  }

  /// Notes that everything that is stored was erased.
  mutating func noteErasure() {
    lastErased = last
  }

  /// The reason why parts of a load must not be saved any more; nil if they may be.
  func objection(to names: Set<String>, ofLoad load: Int) -> StorageError? {
    if load < firstValid { return .changedElsewhere }
    return names.contains { lastOfPart[$0, default: 0] > load } ? .loadedAgain : nil
  }

  /// `true` if everything was erased since a load.
  func isErased(since load: Int) -> Bool { load <= lastErased }
}
