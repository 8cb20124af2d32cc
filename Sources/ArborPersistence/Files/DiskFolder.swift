internal import Arbor
internal import Foundation

/// A folder on disk.
///
/// - It is opened once. It remains the same folder even if it is moved, or if another folder takes its place.
/// - Only its owner can read and write a file that the folder creates. Folders, links and devices are never opened,
///   replaced or removed.
/// - Writing to a file or a folder that was removed in the meantime isn't acknowledged: a sync fails with
///   ``FileError/Reason/missing``.
/// - Once its lock file was removed, another process may own the folder. Then nothing more is written, removed or
///   acknowledged, and operations fail with ``FileError/Reason/lockLost``.
package final class DiskFolder: FileFolder {
  fileprivate let descriptor: Int32
  private let path: String
  private let held = Protected(HeldLock())

  /// Opens a folder.
  ///
  /// - Parameter path: The path of an existing folder.
  package init(at path: String) throws(FileError) {
    self.path = path
    descriptor = SystemCall.openFolder(path)
    guard descriptor >= 0 else { throw FileError(.list, path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func names() throws(FileError) -> [String] { try names(isForeign: false) }

  package func foreignNames() throws(FileError) -> [String] { try names(isForeign: true) }

  private func names(isForeign: Bool) throws(FileError) -> [String] {
    // Opened again for each list, because reading from a descriptor continues where the last reader stopped.
    let own = SystemCall.open(".", in: descriptor, O_RDONLY | O_DIRECTORY)
    guard own >= 0 else { throw FileError(.list, path) }
    guard let folder = fdopendir(own) else {
      let error = FileError(.list, path)
      close(own)
      throw error
    }
    defer { closedir(folder) }
    if SystemCall.isRemoved(descriptor) { throw FileError(.list, path, .missing) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isFile(entry.pointee, name) != isForeign { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileError(.list, path) }
    return names
  }

  private func isFile(_ entry: dirent, _ name: String) -> Bool {
    // Some file systems don't report the type of an entry.
    if Int(entry.d_type) == Int(DT_UNKNOWN) { return !SystemCall.isForeign(name, in: descriptor) }
    return Int(entry.d_type) == Int(DT_REG)
  }

  package func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    do throws(FileError) {
      return try DiskFile(.open, name, O_RDWR, in: self)
    } catch {
      switch error.reason {
      case .missing: return nil
      // A process that only reads needs no write access.
      case .noPermission, .readOnly: return try DiskFile(.open, name, O_RDONLY, in: self)
      default: throw error
      }
    }
  }

  package func create(_ name: String) throws(FileError) -> any FolderFile {
    try requireLock(.create, path(of: name))
    return try DiskFile(.create, name, O_RDWR | O_CREAT | O_EXCL, in: self)
  }

  package func rename(_ name: String, to newName: String) throws(FileError) {
    try requireLock(.rename, path(of: name))
    guard !SystemCall.isForeign(newName, in: descriptor) else { throw FileError(.rename, path(of: newName), .notAFile) }
    guard SystemCall.rename(name, to: newName, in: descriptor) else { throw FileError(.rename, path(of: name)) }
  }

  package func remove(_ name: String) throws(FileError) {
    try requireLock(.remove, path(of: name))
    guard SystemCall.remove(name, in: descriptor) else { throw FileError(.remove, path(of: name)) }
  }

  package func sync(_ durability: Durability) throws(FileError) {
    guard SystemCall.sync(descriptor, isFolder: true, durability) else { throw FileError(.sync, path) }
    if SystemCall.isRemoved(descriptor) { throw FileError(.sync, path, .missing) }
    try requireLock(.sync, path)
  }

  package func lock(for owner: String) throws(FileError) -> any FolderLock {
    // After a move, a storage must not write to a folder that can't be found at its path.
    guard SystemCall.leads(path, to: descriptor) else { throw FileError(.lock, path, .missing) }
    let lock = try DiskLock(in: descriptor, path(of: DiskLock.name), owner)
    held.withLock { $0.lock = lock }
    return lock
  }

  /// Throws an error if this process holds a lock whose file was removed from the folder or replaced.
  fileprivate func requireLock(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    guard let lock = held.withLock({ $0.lock }), !lock.isInPlace(in: descriptor) else { return }
    throw FileError(operation, path, .lockLost)
  }

  package func openNote(_ name: String) throws(FileError) -> (any FolderNote)? { try DiskNote(name, in: self) }

  package func path(of name: String) -> String { path + "/" + name }
}

/// A note of a ``DiskFolder``.
private final class DiskNote: FolderNote {
  private let descriptor: Int32

  init(_ name: String, in folder: DiskFolder) throws(FileError) {
    let path = folder.path(of: name)
    descriptor = try SystemCall.openFile(.open, name, O_RDWR | O_CREAT, in: folder.descriptor, path: path)
  }

  deinit { close(descriptor) }

  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(pread(descriptor, buffer.baseAddress, 256, 0), 0)
    }
  }

  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}

/// An open file of a ``DiskFolder``.
private final class DiskFile: FolderFile {
  private let folder: DiskFolder
  private let descriptor: Int32
  private let path: String

  init(
    _ operation: FileError.Operation,
    _ name: String,
    _ flags: Int32,
    in folder: DiskFolder
  ) throws(FileError) {
    self.folder = folder
    path = folder.path(of: name)
    descriptor = try SystemCall.openFile(operation, name, flags | O_APPEND, in: folder.descriptor, path: path)
  }

  deinit { close(descriptor) }

  func length() throws(FileError) -> Int {
    let length = lseek(descriptor, 0, SEEK_END)
    guard length >= 0 else { throw FileError(.read, path) }
    return Int(clamping: length)
  }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try FileError.requireMemory(for: count, of: path)
    // All threads share the empty array's storage, and the initializer would write its count.
    guard count > 0 else { return [] }
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      while length < count {
        let read = pread(descriptor, buffer.baseAddress! + length, count - length, off_t(offset + length))
        if read < 0, errno == EINTR { continue }
        hasFailed = read < 0
        guard read > 0 else { break }
        length += read
      }
    }
    guard !hasFailed else { throw FileError(.read, path) }
    return bytes
  }

  func append(_ bytes: [UInt8]) throws(FileError) {
    try folder.requireLock(.write, path)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(.write, path) }
      written += count
    }
  }

  func truncate(to length: Int) throws(FileError) {
    try folder.requireLock(.write, path)
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileError(.write, path) }
  }

  func sync(_ durability: Durability) throws(FileError) {
    guard SystemCall.sync(descriptor, isFolder: false, durability) else { throw FileError(.sync, path) }
    if SystemCall.isRemoved(descriptor) { throw FileError(.sync, path, .missing) }
    try folder.requireLock(.sync, path)
  }
}

extension DiskFolder {
  /// Opens a folder, and creates it and its missing parents so that they survive a power failure.
  package convenience init(making path: String, _ durability: Durability) throws(FileError) {
    try self.init(making: path) { path throws(FileError) in
      guard durability != .none else { return }
      try DiskFolder(at: path).sync(durability)
    }
  }

  /// Opens a folder, and creates it and its missing parents.
  ///
  /// - If the folder itself is created, only its owner can access it.
  /// - Parameter syncNames: Makes the list of folders at a path durable. It is called before a folder is created in one
  ///   of them, so only the last existing folder may not have been synced.
  package convenience init(
    making path: String,
    syncNames: (_ path: String) throws(FileError) -> Void
  ) throws(FileError) {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    var missing: [URL] = []
    var found = folder.standardizedFileURL
    while !FileManager.default.fileExists(atPath: found.path), found.path != "/" {
      missing.append(found)
      found.deleteLastPathComponent()
    }
    // The creator of `found` may have ended before syncing it. If the folder is older, its parent may deny this process
    // access.
    try? syncNames(Self.above(found))
    for folder in missing.reversed() {
      try Self.make(folder, isPrivate: folder == missing.first)
      try syncNames(Self.above(folder))
    }
    try Self.make(folder, isPrivate: true)
    try self.init(at: path)
  }

  /// Returns the path of a folder's parent; for a symbolic link, the parent of its destination.
  private static func above(_ folder: URL) -> String { folder.path + "/.." }

  /// Creates a folder if it doesn't exist.
  private static func make(_ folder: URL, isPrivate: Bool) throws(FileError) {
    guard SystemCall.makeFolder(folder.path, isPrivate: isPrivate) else { throw FileError(.create, folder.path) }
  }
}

/// A locked file that marks its owner's right to a folder. The system releases the lock when the process ends, for any
/// reason.
///
/// - Only the owner of the file can open it, so no other user can take the lock.
/// - If the file is missing, the next process creates and locks another one. So a lock is void once its file was
///   removed.
final class DiskLock: FolderLock {
  /// The name of the lock file.
  static let name = "lock"

  private let descriptor: Int32
  let previousOwner: String?

  init(in folder: Int32, _ path: String, _ owner: String) throws(FileError) {
    descriptor = try SystemCall.openFile(.lock, Self.name, O_RDWR | O_CREAT, in: folder, path: path)
    let isLocked = SystemCall.lock(descriptor)
    let number = errno
    let text = Self.text(in: descriptor)
    previousOwner = text
    guard isLocked else {
      errno = number
      guard number == EWOULDBLOCK else { throw FileError(.lock, path) }
      throw FileError(.lock, path, .inUse(by: text.split(separator: "\n").first.map(String.init) ?? "another process"))
    }
    // If the text can't be written, the file is empty.
    ftruncate(descriptor, 0)
    _ = Array(owner.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Returns `true` if the lock file in the folder is still the one that is locked.
  func isInPlace(in folder: Int32) -> Bool { SystemCall.leads(Self.name, in: folder, to: descriptor) }

  private static func text(in descriptor: Int32) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = max(pread(descriptor, buffer.baseAddress, 1024, 0), 0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit { close(descriptor) }
}

/// A reference to the lock of a folder, while its owner has it.
struct HeldLock: Sendable {
  weak var lock: DiskLock?
}
