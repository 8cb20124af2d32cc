internal import Arbor

/// The files of a storage, and those whose parts are saved in it. Used on the queue of the storage.
final class StorageCore {
  /// The size up to which logs may grow beyond that of the state that they follow, in bytes.
  private static let smallLog = 256 << 10

  /// The number of logs that may follow a state.
  private static let mostLogs = 16

  let folder: any FileFolder
  let durability: Durability
  private let problems: ProblemStreams
  private let owner: String

  /// The right to write; nil if nothing was loaded yet, or while it is given back.
  private var lock: (any FolderLock)?

  /// The writer; nil until something was loaded, and once another process has written.
  private(set) var writer: FolderWriter?

  /// Those whose parts are saved.
  private var sources: [any PartsSource] = []

  /// The names of all stored parts. Those that nobody saves are kept.
  private var stored: Set<String> = []

  init(_ folder: any FileFolder, durability: Durability, owner: String, problems: ProblemStreams) throws(FileError) {
    self.folder = folder
    self.durability = durability
    self.owner = owner
    self.problems = problems
    lock = try folder.lock(for: owner)
  }

  // MARK: Loading

  /// Reads the folder, after everything that was not saved yet is, and begins to write behind what it has.
  ///
  /// - Parameters:
  ///   - names: The parts that are loaded: on behalf of who had them before nothing is saved any more.
  ///   - take: Takes what is wanted of the contents.
  func load(_ names: Set<String>, _ take: (FolderContents) throws -> Void) throws {
    guard lock != nil else { throw StorageError.suspended }
    if writer != nil { try saveAll() }
    let contents = try FolderContents(of: folder)
    try take(contents)
    stored = Set(contents.parts.map(\.name))
    let writer = FolderWriter(folder, goingOnFrom: contents, durability: durability)
    for problem in writer.problems { problems.tell(.file(problem)) }
    self.writer = writer
    sources.removeAll { !$0.names.isDisjoint(with: names) }
  }

  // MARK: Saving

  /// Adds a source whose parts were loaded.
  func add(_ source: any PartsSource) {
    sources.append(source)
  }

  /// Saves what has changed in the parts of all sources.
  func saveAll() throws(StorageError) {
    var failure: StorageError?
    for source in sources {
      do throws(StorageError) {
        try save(source)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Saves what has changed in the parts of a source. When this returns it is as durable as the storage says.
  func save(_ source: any PartsSource) throws(StorageError) {
    do throws(StorageError) {
      guard sources.contains(where: { $0 === source }) else { throw .loadedAgain }
      let writer = try writerToUse()
      let (changes, errors) = source.changes()
      if !changes.isEmpty || writer.needsState { try write(changes, of: source, by: writer) }
      // All but the first: that is told below.
      for error in errors.dropFirst() { problems.tell(error) }
      if let error = errors.first { throw error }
    } catch {
      problems.tell(error)
      source.didFail()
      throw error
    }
  }

  private func writerToUse() throws(StorageError) -> FolderWriter {
    guard lock != nil else { throw .suspended }
    guard let writer else { throw .changedElsewhere }
    return writer
  }

  /// Tells the error of a body, and passes it on.
  private func attempt(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    do throws(StorageError) {
      try body()
    } catch {
      problems.tell(error)
      throw error
    }
  }

  private func write(
    _ changes: [PartChange],
    of source: any PartsSource,
    by writer: FolderWriter
  ) throws(StorageError) {
    let size = changes.reduce(0) { $0 + $1.size }
    let isLogFull = writer.logSize + size > max(Self.smallLog, writer.stateSize) || writer.logCount > Self.mostLogs
    if !writer.needsState, !isLogFull {
      do throws(FileError) {
        try writer.append([LogEntry.parts(changes).bytes])
        try writer.sync()
        source.didSave()
        stored.formUnion(changes.map(\.name))
        return
      } catch {
        // What is in the log now is not known: all is written anew.
        problems.tell(.file(error))
      }
    }
    try writeState(by: writer)
  }

  /// Writes all parts of all sources, each as it is now, and those that are kept, in place of the files so far.
  private func writeState(by writer: FolderWriter) throws(StorageError) {
    var parts: [StoredPart] = []
    var missing = stored
    for source in sources { parts += source.whole() }
    for part in parts { missing.remove(part.name) }
    let draft = writer.beginState(hasChanges: true)
    do {
      if !missing.isEmpty { parts += try FolderContents(of: folder).parts.filter { missing.contains($0.name) } }
      let size = try draft.write(parts)
      for source in sources { source.didSave() }
      stored = Set(parts.map(\.name))
      try writer.finish(draft, size: size)
    } catch {
      writer.abandon(draft)
      throw StorageError(reading: error)
    }
  }

  /// Removes everything that is stored. The parts are saved again as a whole when they change.
  func erase() throws(StorageError) {
    let writer = try writerToUse()
    try attempt { () throws(StorageError) in
      let draft = writer.beginState(hasChanges: true)
      do {
        let size = try draft.write([])
        stored = []
        for source in sources { source.forget() }
        try writer.finish(draft, size: size)
        try KeptAside(folder: folder, durability: durability).removeAll()
        try folder.sync(durability)
      } catch {
        writer.abandon(draft)
        throw StorageError(reading: error)
      }
    }
  }

  // MARK: In the background

  /// Saves everything, and gives back the right to write.
  func suspend() throws(StorageError) {
    guard lock != nil else { return }
    defer { lock = nil }
    if writer != nil { try saveAll() }
  }

  /// Takes the right to write again. If another process has written meanwhile, nothing is written over that.
  func resume() throws(StorageError) {
    guard lock == nil else { return }
    try attempt { () throws(StorageError) in
      do {
        lock = try folder.lock(for: owner)
        guard let writer else { return }
        guard try writer.isAsLeft() else { throw StorageError.changedElsewhere }
      } catch {
        if error as? StorageError == .changedElsewhere { writer = nil }
        throw StorageError(reading: error)
      }
    }
  }
}

extension StorageError {
  /// The error of reading or writing a folder.
  init(reading error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as FileError: self = .file(error)
    case let error as FolderContents.NewerFormat: self = .newerFormat(file: error.file, version: error.version)
    default: self = .cannotEncode("", path: "", reason: String(describing: error))
    }
  }
}

/// A source of parts of a state. Used on the queue of its storage.
protocol PartsSource: AnyObject {
  /// The names of the parts.
  var names: Set<String> { get }

  /// The changes since what was saved last, in the state as it is now; and the errors of what cannot be encoded.
  func changes() -> (changes: [PartChange], errors: [StorageError])

  /// All parts as they are now, but for those that cannot be encoded.
  func whole() -> [StoredPart]

  /// Notes that what was returned last was saved.
  func didSave()

  /// Notes that not everything could be saved.
  func didFail()

  /// Forgets what was saved: the next changes are whole parts.
  func forget()
}
