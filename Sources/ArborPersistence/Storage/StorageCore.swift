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
  let problems: Broadcast<StorageError>
  let owner: String
  private let queue: DispatchQueue

  /// Runs work after a while.
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The right to write; nil while it is given back.
  var lock: (any FolderLock)?

  /// `true` while the right to write is given back.
  var isClosed: Bool { lock == nil }

  /// `true` if it is closed because the program is in the background.
  var isSuspended = false

  /// The writer; nil until something was loaded, and once another process has written.
  let writer = LockedWriter()

  var sources = PartsSources()

  /// The sources whose journal ends with the next state.
  var ending: [any PartsSource] = []

  /// The names of all stored parts. Those that nobody saves are kept.
  var stored: Set<String> = []

  let snapshots: SnapshotWriter

  /// `false` while nothing is to be begun beside the queue, because it would be waited for.
  var maySnapshot = true

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
    guard !isClosed else { throw StorageError.closed }
    maySnapshot = false
    defer { maySnapshot = true }
    for source in sources.saved {
      do throws(StorageError) {
        try save(source)
      } catch {
        // Told; but what is loaded must not be older than what its store has.
        if !source.names.isDisjoint(with: names) { throw error }
      }
    }
    // Its actions would be among what is read, without who knows them.
    if !ending.isEmpty { try writeState(for: nil) }
    snapshots.settle()
    // Actions written ahead from now on would be missing in `contents`. They wait, and nothing here waits for a tree.
    writer.hold()
    defer { writer.release() }
    let contents = try FolderContents(of: folder)
    let needsState = try take(contents) || writer.needsState
    stored = Set(contents.parts.map(\.name))
    // Somebody has written who is not the owner. What the stores have is older.
    let isBehind = writer.isBehind(contents)
    if isBehind { noteChangeElsewhere() }
    // One that works goes on: it may be writing at this moment.
    if !writer.exists || writer.needsState || isBehind || contents.findings.contains(where: \.isDamage) {
      beginWriting(contents)
    }
    // The stores still have the parts that were lost by damage.
    let isDamaged = contents.findings.contains(where: \.isDamage) && !sources.saved.isEmpty
    if needsState || isDamaged { writer.requireState() }
    let (load, endsJournal) = sources.noteLoad(of: names)
    if endsJournal { writer.setJournal(nil) }
    return load
  }

  /// Writes what the stores have, if what is stored has turned out to be less than that. Errors are told.
  func completeLoad() {
    guard writer.needsState, !sources.saved.isEmpty else { return }
    do throws(StorageError) {
      try writeState(for: nil)
    } catch {
      problems.tell(error)
    }
  }

  /// Makes a writer that goes on from what is in the folder.
  func beginWriting(_ contents: FolderContents) {
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

  // MARK: Saving

  /// Adds a source whose parts were loaded.
  func add(_ source: any PartsSource) {
    sources.add(source)
    if source.isJournaled, sources.objection(to: source) == nil { writer.setJournal(source.load) }
  }

  /// Saves what the stores of all sources have accepted until now.
  func saveAll() throws(StorageError) {
    var failure: StorageError?
    for source in sources.saved {
      do throws(StorageError) {
        try save(source)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    if !ending.isEmpty { try writeState(for: nil) }
    if let objection = sources.objectionToChanges {
      problems.tell(objection)
      throw objection
    }
  }

  /// Saves the last state of a source whose store has gone; what is stored of it is kept without it then.
  ///
  /// - Also if nothing has changed since the last save, where something has failed: another state may stand in the files.
  func end(_ source: any PartsSource) throws(StorageError) {
    let isOutdated = sources.objection(to: source) != nil
    defer { if isOutdated { sources.remove(source) } }
    if source.hasUnsavedChanges || !isOutdated && (!isClosed || writer.needsState) {
      do throws(StorageError) {
        try save(source)
      } catch {
        if !isOutdated { saveLater(source) }
        throw error
      }
    }
    // A state that others write would make its actions superfluous; and what was erased is not stored.
    if !source.isJournaled, source.names.isSubset(of: stored) { sources.remove(source) }
  }

  /// Saves the last state of a source once more: its store has gone, and with it the timer of its saves.
  private func saveLater(_ source: any PartsSource) {
    later { [weak self, queue] in
      queue.async { [weak self] in
        guard let self, self.sources.contains(source), source.hasUnsavedChanges || self.writer.needsState else {
          return
        }
        // It would fail in the same way, again and again.
        guard !self.isClosed else { return self.saveLater(source) }
        // The error is told as a problem.
        try? self.end(source)
      }
    }
  }

  /// Lets go of a source with a journal behind a state in which its actions are: its parts are saved without one from then
  /// on. If the state cannot be written now, it is the next one.
  func endJournal(of source: any PartsSource) {
    guard sources.objection(to: source) == nil else { return }
    sources.remove(source)
    ending.append(source)
    writer.requireState()
    guard !isClosed else { return }
    do throws(StorageError) {
      try writeState(for: nil)
    } catch {
      problems.tell(error)
    }
  }

  /// Notes that another process has written: nothing of before is saved over that.
  func noteChangeElsewhere() {
    sources.noteChangeElsewhere()
    ending = []
  }

  /// Saves what has changed in the parts of a source. When this returns it is as durable as the storage says.
  func save(_ source: any PartsSource) throws(StorageError) {
    do throws(StorageError) {
      if let objection = sources.objection(to: source) { throw objection }
      guard !isClosed else { throw .closed }
      try source.save(in: self)
    } catch {
      problems.tell(error)
      source.didFail(mayRetry: sources.objection(to: source) == nil)
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
      // The failed append may have left anything in the log: all parts are written anew.
      problems.tell(error)
      isAppended = false
    }
    if isAppended {
      source.didSave()
      stored.formUnion(names)
    } else {
      try writeState(for: source)
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
}
