internal import Arbor
internal import Dispatch

/// The files of a storage, and the sources whose parts it saves. Used on the queue of the storage.
final class StorageCore: @unchecked Sendable {  // One queue uses it.
  /// The size in bytes up to which logs may always grow, even if the state that they follow is smaller.
  private static let smallLog = 256 << 10

  /// The greatest number of logs that may follow a state.
  private static let mostLogs = 16

  let folder: any FileFolder
  let durability: Durability
  let problems: Broadcast<StorageError>
  let owner: String
  private let queue: DispatchQueue

  /// Runs work after a delay.
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The lock that gives write access; nil while the storage is closed.
  var lock: (any FolderLock)?

  /// `true` while the storage has no write access.
  var isClosed: Bool { lock == nil }

  /// `true` if the storage is closed because the program is in the background.
  var isSuspended = false

  /// The writer. It writes nothing until parts were loaded, and after another process has written.
  let writer = LockedWriter()

  var sources = PartsSources()

  /// The sources whose journal ends with the next state.
  var ending: [any PartsSource] = []

  /// The names of all stored parts. Parts that no source saves are kept.
  var stored: Set<String> = []

  let snapshots: SnapshotWriter

  /// `false` while no snapshot may be begun, because the current work would have to wait for it.
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

  /// Saves all unsaved changes, reads the folder, and begins to write after its contents.
  ///
  /// - Parameters:
  ///   - names: The names of the parts to load. Sources that loaded them earlier are no longer saved.
  ///   - take: Receives the contents. Returns `true` if a state must be written before anything else.
  /// - Returns: The number of the load.
  func load(_ names: Set<String>, _ take: (FolderContents) throws -> Bool) throws -> Int {
    guard !isClosed else { throw StorageError.closed }
    maySnapshot = false
    defer { maySnapshot = true }
    for source in sources.saved {
      do throws(StorageError) {
        try save(source)
      } catch {
        // The error was reported. But the loaded parts must not be older than the parts of their store.
        if !source.names.isDisjoint(with: names) { throw error }
      }
    }
    // Otherwise, the contents would include actions of a journal that this load may not know.
    if !ending.isEmpty { try writeState(for: nil) }
    snapshots.settle()
    // Actions written ahead from now on would be missing in `contents`. They wait, and nothing here waits for a tree.
    writer.hold()
    defer { writer.release() }
    let contents = try FolderContents(of: folder)
    let needsState = try take(contents) || writer.needsState
    stored = Set(contents.parts.map(\.name))
    // Another process has written without owning the folder. The stores' parts are older.
    let isBehind = writer.isBehind(contents)
    if isBehind { noteChangeElsewhere() }
    // A working writer is kept, because it may be writing at this moment.
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

  /// Writes the stores' parts if the stored data lacks some of them. Errors are reported as problems.
  func completeLoad() {
    guard writer.needsState, !sources.saved.isEmpty else { return }
    do throws(StorageError) {
      try writeState(for: nil)
    } catch {
      problems.tell(error)
    }
  }

  /// Makes a writer that continues from the contents of the folder.
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

  /// Saves everything that the stores of all sources have accepted so far.
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

  /// Saves the last state of a source whose store is gone. After that, its stored parts are kept without the source.
  ///
  /// - If an operation has failed, it saves even if nothing has changed since the last save, because the files may
  ///   contain another state.
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
    // Kept if it is journaled, because the state of another source would lose its actions, or if its parts were erased.
    if !source.isJournaled, source.names.isSubset(of: stored) { sources.remove(source) }
  }

  /// Saves the last state of a source after a delay, because the timer of its saves is gone with its store.
  private func saveLater(_ source: any PartsSource) {
    later { [weak self, queue] in
      queue.async { [weak self] in
        guard let self, self.sources.contains(source), source.hasUnsavedChanges || self.writer.needsState else {
          return
        }
        // While the storage is closed, saving would fail each time.
        guard !self.isClosed else { return self.saveLater(source) }
        // The error is reported as a problem.
        try? self.end(source)
      }
    }
  }

  /// Removes a source with a journal after writing a state that contains its actions. From then on, its parts are saved
  /// without a journal. If the state can't be written now, the next one contains the actions.
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

  /// Records that another process has written, so earlier changes must not be saved over that.
  func noteChangeElsewhere() {
    sources.noteChangeElsewhere()
    ending = []
  }

  /// Saves the changes of a source's parts. When this returns, they are stored with the storage's durability.
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

  /// Appends entries to the log and makes them durable, or writes a state if the log can't be continued.
  ///
  /// - Parameters:
  ///   - records: The entries of a source.
  ///   - names: The parts that they change.
  ///   - beginning: The entry with which the log of these entries must begin; nil if there is none.
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
      // The failed append may have left anything in the log, so all parts are written again.
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

  /// Reports a problem that isn't the failure of a save.
  func tell(_ problem: StorageError) {
    problems.tell(problem)
  }
}
