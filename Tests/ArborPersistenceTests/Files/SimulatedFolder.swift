import ArborPersistence
import TestSupport

/// A folder in memory that loses, reorders and tears what was not synced, and fails when it is told to.
///
/// - A process sees what it wrote. After a crash of the system there is what was synced, with any part of what was not.
/// - One thread has it to itself.
final class SimulatedFolder: FileFolder, @unchecked Sendable {
  /// A change of the names that was not synced yet.
  private enum Naming {
    case create(String, SimulatedFile)
    case rename(String, String)
    case remove(String)
  }

  private var files: [String: SimulatedFile] = [:]
  private var durableFiles: [String: SimulatedFile] = [:]
  private var namings: [Naming] = []

  /// How many operations were performed: the points at which one may crash.
  private(set) var operations = 0

  /// Called before each operation with its number. The operation fails for the reason that it returns.
  var failure: (_ number: Int, _ operation: FileError.Operation) -> FileError.Reason? = { _, _ in nil }

  /// The number of the last operation that is performed before the system crashes.
  var lastOperation = Int.max

  /// `true` once an operation came after the ``lastOperation``.
  private(set) var hasCrashed = false

  fileprivate func perform(_ operation: FileError.Operation, _ name: String) throws(FileError) {
    guard operations < lastOperation else {
      hasCrashed = true
      throw FileError(operation, name, .other(0))
    }
    operations += 1
    if let reason = failure(operations, operation) { throw FileError(operation, name, reason) }
  }

  func names() throws(FileError) -> [String] {
    try perform(.list, "")
    return files.keys.sorted()
  }

  func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    try perform(.open, name)
    return files[name].map { OpenFile(name, $0, in: self) }
  }

  func create(_ name: String) throws(FileError) -> any FolderFile {
    try perform(.create, name)
    guard files[name] == nil else { throw FileError(.create, name, .other(17)) }
    let file = SimulatedFile()
    files[name] = file
    namings.append(.create(name, file))
    return OpenFile(name, file, in: self)
  }

  func rename(_ name: String, to newName: String) throws(FileError) {
    try perform(.rename, name)
    guard let file = files.removeValue(forKey: name) else { throw FileError(.rename, name, .missing) }
    files[newName] = file
    namings.append(.rename(name, newName))
  }

  func remove(_ name: String) throws(FileError) {
    try perform(.remove, name)
    if files.removeValue(forKey: name) != nil { namings.append(.remove(name)) }
  }

  func sync(_ durability: Durability) throws(FileError) {
    try perform(.sync, "")
    guard durability != .none else { return }
    durableFiles = files
    namings = []
  }

  func lock(for owner: String) throws(FileError) -> any FolderLock {
    try perform(.lock, "lock")
    return NoLock()
  }

  // MARK: Crashes

  /// The folder after the process was killed: all that it wrote is there.
  func afterKill() -> SimulatedFolder {
    let folder = SimulatedFolder()
    for (name, file) in files { folder.put(file.bytes, as: name) }
    return folder
  }

  /// The folder after a crash of the system.
  ///
  /// - Parameter random: Chooses what is there of each write, and of each change of a name, that was not synced.
  func afterCrash(choosing random: inout SplitMix64) -> SimulatedFolder {
    var files = durableFiles
    for naming in namings where Bool.random(using: &random) {
      switch naming {
      case .create(let name, let file): files[name] = file
      case .rename(let name, let newName): if let file = files.removeValue(forKey: name) { files[newName] = file }
      case .remove(let name): files[name] = nil
      }
    }
    let folder = SimulatedFolder()
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      folder.put(file.afterCrash(choosing: &random), as: name)
    }
    return folder
  }

  /// Puts a file with durable bytes into the folder.
  func put(_ bytes: [UInt8], as name: String) {
    files[name] = SimulatedFile(bytes)
    durableFiles[name] = files[name]
  }

  /// The bytes of a file; nil if there is none.
  func bytes(of name: String) -> [UInt8]? { files[name]?.bytes }
}

/// A file that was opened.
private final class OpenFile: FolderFile, @unchecked Sendable {  // One thread has it to itself.
  private let name: String
  private let file: SimulatedFile
  private let folder: SimulatedFolder

  init(_ name: String, _ file: SimulatedFile, in folder: SimulatedFolder) {
    self.name = name
    self.file = file
    self.folder = folder
  }

  func length() throws(FileError) -> Int { file.bytes.count }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try folder.perform(.read, name)
    return Array(file.bytes.dropFirst(offset).prefix(count))
  }

  func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
      try folder.perform(.write, name)
    } catch {
      // Some of it was written, until there was no more space.
      if !folder.hasCrashed { file.append(Array(bytes.prefix(bytes.count / 2))) }
      throw error
    }
    file.append(bytes)
  }

  func sync(_ durability: Durability) throws(FileError) {
    do throws(FileError) {
      try folder.perform(.sync, name)
    } catch {
      if !folder.hasCrashed { file.failToSync() }
      throw error
    }
    if durability != .none { file.sync() }
  }
}

/// A lock of a folder that has one user.
private final class NoLock: FolderLock {}
