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
