import Arbor
package import ArborPersistence
package import TestSupport

/// A folder in memory that loses, reorders and tears unsynced changes, and fails on request.
///
/// - A process sees its own changes. After a crash of the system, all synced changes remain, and any part of the
///   others.
/// - One thread uses it at a time, with a lock held: a test may make it fail while a storage writes.
package final class SimulatedFolder: FileFolder, @unchecked Sendable {
  // Sendable because a lock guards everything except the setup of a test.

  private let lock = Protected(())

  package init() {}

  /// A change of the names that has not been synced yet.
  private enum Naming {
    case create(String, SimulatedFile)
    case rename(String, String)
    case remove(String)
  }

  private var files: [String: SimulatedFile] = [:]
  private var durableFiles: [String: SimulatedFile] = [:]
  private var namings: [Naming] = []

  /// A defect of a disk, for checking that tests find it.
  package enum Defect: CaseIterable {
    case foldersAreNotSynced, filesAreNotSynced

    /// A file is synced only after it has its last name.
    case filesAreSyncedLate
  }

  package var defect: Defect?

  /// The text of the last owner.
  private var owner: String?

  /// The number of operations performed, which are the points for a crash.
  package var operations: Int { lock.withLock { _ in performed } }
  private var performed = 0

  /// Called before each operation with its number. If it returns a reason, the operation fails.
  package var failure: Failure {
    get { lock.withLock { _ in choosingFailure } }
    set { lock.withLock { _ in choosingFailure = newValue } }
  }
  private var choosingFailure: Failure = { _, _ in nil }

  package typealias Failure = (_ number: Int, _ operation: FileError.Operation) -> FileError.Reason?

  /// The number of the last operation performed before the system crashes.
  package var lastOperation: Int {
    get { lock.withLock { _ in lastPerformed } }
    set { lock.withLock { _ in lastPerformed = newValue } }
  }
  private var lastPerformed = Int.max

  /// `true` after an operation beyond the ``lastOperation``.
  package var hasCrashed: Bool { lock.withLock { _ in isCrashed } }
  private var isCrashed = false

  /// Performs an operation, unless it should fail.
  ///
  /// - Parameter body: Performs the operation. If called with `true`, it performs only the part that a failed operation
  ///   still does.
  fileprivate func perform<Value>(
    _ operation: FileError.Operation,
    _ name: String,
    evenIfFailing: Bool = false,
    _ body: (_ isFailing: Bool) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let result = lock.withLock { _ in
      Result { () throws(FileError) -> Value in
        do throws(FileError) {
          try begin(operation, name)
        } catch {
          if evenIfFailing, !isCrashed { _ = try body(true) }
          throw error
        }
        return try body(false)
      }
    }
    return try result.get()
  }

  private func begin(_ operation: FileError.Operation, _ name: String) throws(FileError) {
    guard performed < lastPerformed else {
      isCrashed = true
      throw FileError(operation, name, .other(0))
    }
    performed += 1
    if let reason = choosingFailure(performed, operation) { throw FileError(operation, name, reason) }
  }

  package func names() throws(FileError) -> [String] {
    try perform(.list, "") { _ in files.keys.sorted() }
  }

  package func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    try perform(.open, name) { _ in files[name].map { OpenFile(name, $0, in: self) } }
  }

  package func create(_ name: String) throws(FileError) -> any FolderFile {
    try perform(.create, name) { _ throws(FileError) in
      guard files[name] == nil else { throw FileError(.create, name, .other(17)) }
      let file = SimulatedFile()
      files[name] = file
      namings.append(.create(name, file))
      return OpenFile(name, file, in: self)
    }
  }

  package func rename(_ name: String, to newName: String) throws(FileError) {
    try perform(.rename, name) { _ throws(FileError) in
      guard let file = files.removeValue(forKey: name) else { throw FileError(.rename, name, .missing) }
      files[newName] = file
      namings.append(.rename(name, newName))
    }
  }

  package func remove(_ name: String) throws(FileError) {
    try perform(.remove, name) { _ in
      if files.removeValue(forKey: name) != nil { namings.append(.remove(name)) }
    }
  }

  package func sync(_ durability: Durability) throws(FileError) {
    try perform(.sync, "") { _ in
      guard durability != .none, defect != .foldersAreNotSynced else { return }
      durableFiles = files
      namings = []
    }
  }

  package func lock(for owner: String) throws(FileError) -> any FolderLock {
    try perform(.lock, "lock") { _ in
      defer { self.owner = owner }
      return NoLock(previousOwner: self.owner)
    }
  }

  // MARK: Crashes

  /// Returns the folder after the process was killed, with everything it wrote.
  ///
  /// - Unsynced changes are still not synced.
  package func afterKill() -> SimulatedFolder {
    let folder = SimulatedFolder()
    lock.withLock { _ in
      var copies: [ObjectIdentifier: SimulatedFile] = [:]
      func copy(_ file: SimulatedFile) -> SimulatedFile {
        let copy = copies[ObjectIdentifier(file)] ?? SimulatedFile(copying: file)
        copies[ObjectIdentifier(file)] = copy
        return copy
      }
      folder.files = files.mapValues(copy)
      folder.durableFiles = durableFiles.mapValues(copy)
      folder.namings = namings.map { naming in
        if case .create(let name, let file) = naming { .create(name, copy(file)) } else { naming }
      }
    }
    folder.defect = defect
    return folder
  }

  /// Returns the folder after a crash of the system.
  ///
  /// - Parameter random: Chooses the remaining part of each unsynced write and each unsynced change of a name.
  package func afterCrash(choosing random: inout SplitMix64) -> SimulatedFolder {
    var chance = random
    defer { random = chance }
    return lock.withLock { _ in crashed(choosing: &chance) }
  }

  private func crashed(choosing random: inout SplitMix64) -> SimulatedFolder {
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
    folder.defect = defect
    return folder
  }

  /// Puts a file with durable bytes into the folder.
  package func put(_ bytes: [UInt8], as name: String) {
    files[name] = SimulatedFile(bytes)
    durableFiles[name] = files[name]
  }

  /// The bytes of a file; nil if there is none.
  package func bytes(of name: String) -> [UInt8]? { files[name]?.bytes }
}

/// An open file.
private final class OpenFile: FolderFile, @unchecked Sendable {  // Only one thread uses it.
  private let name: String
  private let file: SimulatedFile
  private let folder: SimulatedFolder

  init(_ name: String, _ file: SimulatedFile, in folder: SimulatedFolder) {
    self.name = name
    self.file = file
    self.folder = folder
  }

  func length() throws(FileError) -> Int {
    try folder.perform(.read, name) { _ in file.bytes.count }
  }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try folder.perform(.read, name) { _ in Array(file.bytes.dropFirst(offset).prefix(count)) }
  }

  func append(_ bytes: [UInt8]) throws(FileError) {
    // Part of the bytes is written until the disk is full.
    try folder.perform(.write, name, evenIfFailing: true) { isFailing in
      file.append(isFailing ? Array(bytes.prefix(bytes.count / 2)) : bytes)
    }
  }

  func truncate(to length: Int) throws(FileError) {
    try folder.perform(.write, name) { _ in file.truncate(to: length) }
  }

  func sync(_ durability: Durability) throws(FileError) {
    try folder.perform(.sync, name, evenIfFailing: true) { isFailing in
      guard !isFailing else { return file.failToSync() }
      switch folder.defect {
      case .filesAreNotSynced: return
      case .filesAreSyncedLate where name.hasSuffix(".unfinished"): return
      default: if durability != .none { file.sync() }
      }
    }
  }
}

/// A lock of a folder that has one user.
private final class NoLock: FolderLock {
  let previousOwner: String?

  init(previousOwner: String?) {
    self.previousOwner = previousOwner
  }
}
