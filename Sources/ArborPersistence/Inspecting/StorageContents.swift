public import Foundation

/// The parts and actions in the folder of a storage, as bytes, for tools that don't know their types.
///
/// ```swift
/// let contents = try StorageContents(of: folder)
/// for part in contents.parts { print(part.name, part.version, part.text ?? "") }
/// ```
///
/// - The contents come from one moment, the last one that is intact; see ``Storage``. Reading needs no write access,
///   and changes nothing.
public struct StorageContents: Sendable {
  /// A stored part.
  public struct Part: Sendable {
    /// The name under which the part was declared.
    public let name: String

    /// The version of the part's type.
    public let version: Int

    /// The name of the part's coding.
    public let coding: String

    /// The bytes of the complete value.
    public let bytes: Data

    /// The bytes of the differences since the value was written, in order. Only tables have differences.
    public let differences: [Data]
  }

  /// The actions of one step, as they are journaled.
  public struct Step: Sendable {
    /// The version of the type of the actions.
    public let version: Int

    /// The version of the reducer that has reduced the actions.
    public let reducerVersion: Int

    /// The name of the actions' coding.
    public let coding: String

    /// The bytes of each action, in order.
    public var actions: [Data] { slices.map { Data($0) } }

    /// The bytes of each action, as parts of the file's bytes.
    fileprivate let slices: [ArraySlice<UInt8>]
  }

  /// A file of the storage.
  public struct File: Sendable {
    /// The name in the folder.
    public let name: String

    /// The size in bytes.
    public let size: Int

    /// `true` if the file was kept aside because it couldn't be read. It is no longer used.
    public var isKeptAside: Bool { KeptAside.isName(name) }
  }

  /// The parts, without the changes made by the journal's steps.
  public let parts: [Part]

  /// The steps since the parts were written.
  public let steps: [Step]

  /// The number of entries that were ever written. Each save and each step of a journal is an entry.
  public let entry: UInt64

  /// The files with the storage's data, and the files that were kept aside.
  public let files: [File]

  /// The differences between the files and what was written to them.
  public let findings: [FolderFinding]

  /// Reads a folder.
  ///
  /// - Blocks the calling thread, and needs as much memory as the files have bytes.
  /// - While a storage writes to the folder, incomplete data may be reported as a torn end.
  /// - Parameters:
  ///   - folder: The folder of the storage.
  ///   - progress: Called from time to time on the calling thread, with the number of bytes read and the total number.
  /// - Throws: ``StorageError`` if the folder doesn't exist or can't be read, or if a file was written by a newer
  ///   library.
  public init(
    of folder: URL,
    progress: (_ read: Int, _ size: Int) -> Void = { _, _ in }
  ) throws(StorageError) {
    do {
      try self.init(DiskFolder(at: folder.path), progress)
    } catch {
      throw StorageError(reading: error)
    }
  }

  init(_ folder: any FileFolder, _ progress: (_ read: Int, _ size: Int) -> Void) throws {
    files = try folder.names()
      .filter { name in FileName(name).map { $0.kind != .end } ?? KeptAside.isName(name) }
      .map { File(name: $0, size: try folder.open($0)?.length() ?? 0) }
    var read = 0
    // The sizes of sparse files may overflow the sum. In this case, reading one of them fails.
    let size = files.reduce(0) { FileName($1.name) == nil ? $0 : $0.addingReportingOverflow($1.size).partialValue }
    let contents = try withoutActuallyEscaping(progress) { progress in
      let measured = MeasuredFolder(folder: folder) { count in
        // If files are removed in the meantime, the folder is read again; and a log may grow.
        read = min(read + count, size)
        progress(read, size)
      }
      return try FolderContents(beside: measured)
    }
    parts = contents.parts.map { part in
      Part(
        name: part.name,
        version: part.version,
        coding: part.coding,
        bytes: Data(part.bytes),
        differences: part.differences.map { Data($0) }
      )
    }
    var form = JournalForm(version: 1, reducerVersion: 1, coding: "")
    var steps: [Step] = []
    for entry in contents.actions {
      switch entry {
      case .journal(let next, _): form = next
      case .parts: break
      case .actions(let actions):
        steps.append(
          Step(
            version: form.version,
            reducerVersion: form.reducerVersion,
            coding: form.coding,
            slices: actions
          )
        )
      }
    }
    self.steps = steps
    entry = contents.entry
    findings = contents.findings
  }
}

extension StorageContents {
  /// Repairs a folder: rewrites its readable contents, and keeps damaged and torn files aside.
  ///
  /// - Afterward, a storage opens the folder without findings, with the parts and steps of ``StorageContents``.
  /// - Parameter folder: The folder of the storage. It must exist.
  /// - Returns: The names of the files that were kept aside; empty if no file was damaged or torn.
  /// - Throws: ``StorageError``, for example if another process uses the folder. In this case, nothing is lost.
  public static func repair(at folder: URL) throws(StorageError) -> [String] {
    do {
      return try repair(DiskFolder(at: folder.path))
    } catch {
      throw StorageError(reading: error)
    }
  }

  static func repair(_ folder: any FileFolder) throws -> [String] {
    let lock = try folder.lock(for: "a repair")
    defer { withExtendedLifetime(lock) {} }
    let contents = try FolderContents(of: folder)
    guard !contents.findings.isEmpty else { return [] }
    let aside = KeptAside(folder: folder, durability: .full)
    let kept = try Set(contents.findings.compactMap(\.file)).sorted().compactMap { try aside.keep(file: $0) }
    let writer = FolderWriter(folder, goingOnFrom: contents, durability: .full)
    try writer.rewrite(contents)
    return kept
  }
}

extension StorageContents.Part {
  /// The complete value as JSON; nil if its coding is unknown.
  public var text: String? { StorageContents.text(of: bytes, coding) }

  /// The differences since the value was written, each as JSON; nil if its coding is unknown.
  public var differenceTexts: [String?] { differences.map { StorageContents.text(of: $0, coding) } }
}

extension StorageContents.Step {
  /// The actions as JSON; nil if their coding is unknown.
  public var texts: [String?] { actions.map { StorageContents.text(of: $0, coding) } }
}

extension StorageContents {
  fileprivate static func text(of bytes: Data, _ coding: String) -> String? {
    switch coding {
    case "json": String(data: bytes, encoding: .utf8)
    case "binary": (try? StoredContent(reading: bytes))?.text
    default: nil
    }
  }
}

/// A folder that reports the number of bytes read from its files during reading.
struct MeasuredFolder: FileFolder, @unchecked Sendable {  // Only the thread that reads the folder has it.
  /// The number of bytes that are read at once.
  static let chunkSize = 1 << 20

  let folder: any FileFolder

  /// Called with the number of bytes that were just read.
  let didRead: (Int) -> Void

  func path(of name: String) -> String { folder.path(of: name) }

  func names() throws(FileError) -> [String] { try folder.names() }

  func foreignNames() throws(FileError) -> [String] { try folder.foreignNames() }

  func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    try folder.open(name).map { MeasuredFile(file: $0, path: path(of: name), didRead: didRead) }
  }

  func create(_ name: String) throws(FileError) -> any FolderFile { try folder.create(name) }

  func rename(_ name: String, to newName: String) throws(FileError) { try folder.rename(name, to: newName) }

  func remove(_ name: String) throws(FileError) { try folder.remove(name) }

  func sync(_ durability: Durability) throws(FileError) { try folder.sync(durability) }

  func lock(for owner: String) throws(FileError) -> any FolderLock { try folder.lock(for: owner) }
}

/// An open file of a ``MeasuredFolder``.
private final class MeasuredFile: FolderFile, @unchecked Sendable {  // Like its folder.
  private let file: any FolderFile
  private let path: String
  private let didRead: (Int) -> Void

  init(file: any FolderFile, path: String, didRead: @escaping (Int) -> Void) {
    self.file = file
    self.path = path
    self.didRead = didRead
  }

  func length() throws(FileError) -> Int { try file.length() }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    // The file only sees the size of each chunk, so the total size is checked here.
    try FileError.requireMemory(for: count, of: path)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let size = min(count - bytes.count, MeasuredFolder.chunkSize)
      let chunk = try file.read(at: offset + bytes.count, count: size)
      bytes += chunk
      didRead(chunk.count)
      guard chunk.count == size else { break }
    }
    return bytes
  }

  func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  func truncate(to length: Int) throws(FileError) { try file.truncate(to: length) }

  func sync(_ durability: Durability) throws(FileError) { try file.sync(durability) }
}
