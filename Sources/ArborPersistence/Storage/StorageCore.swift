internal import Arbor
internal import Dispatch

/// The files of a storage, and those whose parts are saved in it. Used on the queue of the storage.
final class StorageCore: @unchecked Sendable {  // One queue uses it.
  /// The size up to which logs may grow beyond that of the state that they follow, in bytes.
  private static let smallLog = 256 << 10

  /// The number of logs that may follow a state.
  private static let mostLogs = 16

  let folder: any FileFolder
  let durability: Durability
  private let problems: Broadcast<StorageError>
  private let owner: String
  private let queue: DispatchQueue

  /// Runs work after a while.
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The right to write; nil while it is given back.
  private var lock: (any FolderLock)?

  /// The writer; nil until something was loaded, and once another process has written.
  let writer = LockedWriter()

  /// Those whose parts are saved, and those whose parts were loaded again while their store goes on.
  private var sources: [any PartsSource] = []
  private var loads = LoadHistory()

  /// The names of all stored parts. Those that nobody saves are kept.
  private var stored: Set<String> = []

  private let snapshots: SnapshotWriter

  /// `false` while nothing is to be begun beside the queue, because it would be waited for.
  private var maySnapshot = true

  init(
    _ folder: any FileFolder,
    durability: Durability,
    owner: String,
    problems: Broadcast<StorageError>,
    queue: DispatchQueue,
    background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) throws(FileError) {
    self.folder = folder
    self.durability = durability
    self.owner = owner
    self.problems = problems
    self.queue = queue
    self.later = later
    snapshots = SnapshotWriter(writer, problems, queue, background)
    lock = try folder.lock(for: owner)
  }

  // MARK: Loading

  /// Reads the folder, after everything that was not saved yet is, and begins to write behind what it has.
  ///
  /// - Parameters:
  ///   - names: The parts that are loaded: on behalf of who had them before nothing is saved any more.
  ///   - take: Takes what is wanted of the contents. Returns `true` if a state must be written before anything else.
  /// - Returns: The number of the load.
  func load(_ names: Set<String>, _ take: (FolderContents) throws -> Bool) throws -> Int {
    guard lock != nil else { throw StorageError.closed }
    maySnapshot = false
    defer { maySnapshot = true }
    for source in savedSources {
      do throws(StorageError) {
        try save(source)
      } catch {
        // Told; but what is loaded must not be older than what its store has.
        if !source.names.isDisjoint(with: names) { throw error }
      }
    }
    snapshots.settle()
    // What is written ahead from now on would not be among what is read. Nothing in here waits for a tree.
    writer.hold()
    defer { writer.release() }
    let contents = try FolderContents(of: folder)
    let needsState = try take(contents) || writer.needsState
    stored = Set(contents.parts.map(\.name))
    // One that works goes on: it may be writing at this moment.
    if !writer.exists || writer.needsState || contents.findings.contains(where: \.isDamage) { beginWriting(contents) }
    if needsState { writer.requireState() }
    let load = loads.add(names)
    let replaced = sources.filter { objection(to: $0) != nil }
    if replaced.contains(where: \.isJournaled) { writer.setJournal(nil) }
    // One that is given to a store later is added then.
    sources.removeAll { source in !source.hasStore && replaced.contains { $0 === source } }
    return load
  }

  /// The reason why nothing is saved on behalf of a source any more; nil if it is.
  private func objection(to source: any PartsSource) -> StorageError? {
    loads.objection(to: source.names, ofLoad: source.load)
  }

  /// The sources on whose behalf is saved.
  private var savedSources: [any PartsSource] { sources.filter { objection(to: $0) == nil } }

  /// Makes a writer that goes on from what is in the folder.
  private func beginWriting(_ contents: FolderContents) {
    let new = FolderWriter(folder, goingOnFrom: contents, durability: durability)
    for problem in new.problems { problems.tell(.file(problem)) }
    if contents.findings.contains(where: \.isDamage) {
      do throws(FileError) {
        try new.rewrite(contents)
      } catch {
        // The next save writes all parts.
        problems.tell(.file(error))
      }
    }
    writer.replace(by: new)
  }

  /// `true` if the actions of a journal are loaded, by a source that is here and has none of some parts.
  func hasJournal(besides names: Set<String>) -> Bool {
    savedSources.contains { $0.isJournaled && $0.names.isDisjoint(with: names) }
  }

  // MARK: Saving

  /// Adds a source whose parts were loaded.
  func add(_ source: any PartsSource) {
    guard !sources.contains(where: { $0 === source }) else { return }
    sources.append(source)
    if loads.isErased(since: source.load) { source.beginErased() }
    if source.isJournaled, objection(to: source) == nil { writer.setJournal(source.load) }
  }

  /// Saves what the stores of all sources have accepted until now.
  func saveAll() throws(StorageError) {
    var failure: StorageError?
    for source in savedSources {
      do throws(StorageError) {
        try save(source)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    for source in sources {
      guard let objection = objection(to: source), source.hasUnsavedChanges else { continue }
      problems.tell(objection)
      throw objection
    }
  }

  /// Saves the last state of a source whose store has gone; what is stored of it is kept without it then.
  func end(_ source: any PartsSource) throws(StorageError) {
    let isOutdated = objection(to: source) != nil
    defer { if isOutdated { remove(source) } }
    if source.hasUnsavedChanges || lock != nil && !isOutdated {
      do throws(StorageError) {
        try save(source)
      } catch {
        if !isOutdated { saveLater(source) }
        throw error
      }
    }
    // A state that others write would make its actions superfluous; and what was erased is not stored.
    if !source.isJournaled, source.names.isSubset(of: stored) { remove(source) }
  }

  /// Saves the last state of a source once more: its store has gone, and with it the timer of its saves.
  private func saveLater(_ source: any PartsSource) {
    later { [weak self, queue] in
      queue.async { [weak self] in
        guard let self, self.sources.contains(where: { $0 === source }), source.hasUnsavedChanges else { return }
        // The error is told as a problem.
        try? self.end(source)
      }
    }
  }

  private func remove(_ source: any PartsSource) {
    sources.removeAll { $0 === source }
  }

  /// Lets go of a source with a journal: what its actions have changed is saved with the parts from now on.
  func leave(_ source: any PartsSource) {
    remove(source)
    writer.setJournal(nil)
    writer.requireState()
  }

  /// Saves what has changed in the parts of a source. When this returns it is as durable as the storage says.
  func save(_ source: any PartsSource) throws(StorageError) {
    do throws(StorageError) {
      if let objection = objection(to: source) { throw objection }
      guard lock != nil else { throw .closed }
      try source.save(in: self)
    } catch {
      problems.tell(error)
      source.didFail(mayRetry: objection(to: source) == nil)
      throw error
    }
  }

  /// Appends entries to the log, and makes them durable; writes a state instead if the log cannot be continued.
  ///
  /// - Parameters:
  ///   - records: The entries of a source.
  ///   - names: The parts that they change.
  ///   - beginning: The entry with which a log must begin in which they are; nil if there is none.
  /// - Returns: `false` if a state was written instead.
  @discardableResult
  func append(
    _ records: [[UInt8]],
    changing names: [String] = [],
    beginning: [UInt8]? = nil,
    of source: any PartsSource
  ) throws(StorageError) -> Bool {
    let isAppended: Bool
    do throws(StorageError) {
      let isFull = isLogFull(with: records, of: source)
      isAppended = isFull ? false : try writer.append(records, beginning: beginning)
    } catch {
      guard case .file = error else { throw error }
      // What is in the log now is not known: all is written anew.
      problems.tell(error)
      isAppended = false
    }
    if isAppended {
      source.didSave()
      stored.formUnion(names)
    } else {
      try writeState()
    }
    return isAppended
  }

  private func isLogFull(with records: [[UInt8]], of source: any PartsSource) -> Bool {
    let (stateSize, logSize, logCount) = writer.sizes
    let size = records.reduce(logSize) { $0 + $1.count }
    return logCount > Self.mostLogs || !source.isJournaled && size > max(Self.smallLog, stateSize)
  }

  /// Tells a problem that is no failure of a save.
  func tell(_ problem: StorageError) {
    problems.tell(problem)
  }

  // MARK: States

  /// Writes all parts of all sources, each as it is now, and those that are kept, in place of the files so far.
  func writeState() throws(StorageError) {
    var draft: FolderWriter.Draft?
    let begin = { if draft == nil { draft = self.writer.beginState(hasChanges: true) } }
    var parts: [StoredPart] = []
    var errors: [StorageError] = []
    var isJournalIncomplete = false
    // The journaled ones last: their actions are in the state if they are reduced when it is begun.
    let sources = savedSources
    // The journaled ones last: their actions are in the state if they are reduced when it is begun. When the others are
    // read is of no importance: what they change is written by this queue alone.
    for source in sources.filter({ !$0.isJournaled }) + sources.filter(\.isJournaled) {
      let whole = source.whole(at: source.isJournaled ? begin : {})
      parts += whole.parts
      errors += whole.errors
      isJournalIncomplete = isJournalIncomplete || source.isJournaled && !whole.errors.isEmpty
    }
    begin()
    guard let draft else { throw .changedElsewhere }
    do {
      // What is stored of such a part is older than the actions that the state would make superfluous.
      if isJournalIncomplete { throw errors.last! }
      parts += try keptParts(besides: parts)
      let size = try draft.write(parts)
      for source in sources { source.didSave() }
      stored = Set(parts.map(\.name))
      writer.finish(draft, size: size, telling: problems)
    } catch {
      writer.abandon(draft)
      for source in sources { source.didFail(mayRetry: true) }
      throw StorageError(reading: error)
    }
    // All else is saved.
    if let error = errors.first { throw error }
  }

  /// The stored parts that are not among others, as they are in the files.
  ///
  /// - What is damaged in the files is kept aside, and told: they are removed behind the next state.
  private func keptParts(besides parts: [StoredPart]) throws -> [StoredPart] {
    let missing = stored.subtracting(parts.map(\.name))
    guard !missing.isEmpty else { return [] }
    let contents = try FolderContents(of: folder)
    let keptAside = KeptAside(folder: folder, durability: durability)
    for finding in contents.findings where finding.isDamage {
      if let file = finding.file { _ = try keptAside.keep(file: file) }
      problems.tell(.damaged(finding))
    }
    return contents.parts.filter { missing.contains($0.name) }
  }

  /// Begins a snapshot of all entries so far, which is written beside the queue while entries are appended.
  ///
  /// - Parameters:
  ///   - source: The source whose actions are in the entries.
  ///   - draft: The state that was begun.
  ///   - encode: Encodes the parts of the source as they were then.
  func writeSnapshot(
    of source: any PartsSource,
    _ draft: FolderWriter.Draft,
    _ encode: @escaping @Sendable () throws -> [StoredPart]
  ) {
    // Of all others what is stored: what they have changed since is not in the entries so far, either.
    let kept = Result { try keptParts(besides: source.names.map(StoredPart.init(named:))) }
    snapshots.begin(draft, of: self) { try draft.write(try encode() + kept.get()) }
  }

  /// `true` if a snapshot may be begun.
  var mayBeginSnapshot: Bool { maySnapshot && !snapshots.isRunning }

  /// Removes everything that is stored. The parts of a source are saved again, all of them, once one has changed.
  func erase() throws(StorageError) {
    do {
      guard lock != nil else { throw StorageError.closed }
      if loads.isBehind { throw StorageError.changedElsewhere }
      snapshots.settle()
      if !writer.exists { beginWriting(try FolderContents(of: folder)) }
      try KeptAside(folder: folder, durability: durability).removeAll()
      try writeNothing()
      try folder.sync(durability)
    } catch {
      let error = StorageError(reading: error)
      problems.tell(error)
      throw error
    }
  }

  /// Writes a state without parts. If that fails, the next save does it.
  private func writeNothing() throws {
    stored = []
    loads.noteErasure()
    // Before the state is begun: an action that is to be written ahead would wait for it, and this for the action.
    for source in savedSources { source.didErase() }
    guard let draft = writer.beginState(hasChanges: true) else { throw StorageError.changedElsewhere }
    do {
      let size = try draft.write([])
      writer.finish(draft, size: size, telling: problems)
    } catch {
      writer.abandon(draft)
      throw error
    }
  }

  // MARK: In the background

  /// Saves everything, and gives back the right to write.
  func close() throws(StorageError) {
    guard lock != nil else { return }
    maySnapshot = false
    defer {
      snapshots.settle()
      writer.setClosed(true)
      (lock, maySnapshot) = (nil, true)
    }
    try saveAll()
    snapshots.settle()
    do throws(StorageError) {
      try writer.noteEnd()
    } catch {
      // Everything is saved all the same.
      problems.tell(error)
    }
  }

  /// Takes the right to write again. If another process has written meanwhile, nothing is written over that.
  func reopen() throws(StorageError) {
    guard lock == nil else { return }
    do {
      let lock = try folder.lock(for: owner)
      // Another one may only have read; and where nobody came in between, failed operations may have left anything.
      let isAsLeft = try lock.previousOwner == owner || writer.isAsLeft()
      if !isAsLeft {
        writer.replace(by: nil)
        loads.noteChangeElsewhere()
      }
      writer.setClosed(false)
      self.lock = lock
      if loads.isBehind { throw StorageError.changedElsewhere }
    } catch {
      let error = StorageError(reading: error)
      problems.tell(error)
      throw error
    }
  }
}

extension StoredPart {
  /// A part without a value, of which only the name counts.
  fileprivate init(named name: String) {
    self.init(name: name, version: 0, coding: "", bytes: [])
  }
}
