internal import Foundation

/// A folder of the disk.
package struct DiskFolder: FileFolder {
  private let path: String

  /// - Parameter path: The path of a folder that exists.
  package init(at path: String) {
    self.path = path
  }

  package func names() throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw FileError(.list, path) }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileError(.list, path) }
    return names
  }

  package func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    do throws(FileError) {
      return try DiskFile(.open, path(of: name), flags: O_RDWR)
    } catch {
      switch error.reason {
      case .missing: return nil
      // Who only reads needs no right to write.
      case .noPermission, .readOnly: return try DiskFile(.open, path(of: name), flags: O_RDONLY)
      default: throw error
      }
    }
  }

  package func create(_ name: String) throws(FileError) -> any FolderFile {
    try DiskFile(.create, path(of: name), flags: O_RDWR | O_CREAT | O_EXCL)
  }

  package func rename(_ name: String, to newName: String) throws(FileError) {
    let (old, new) = (path(of: name), path(of: newName))
    guard SystemCall.rename(old, new) == 0 else { throw FileError(.rename, old) }
  }

  package func remove(_ name: String) throws(FileError) {
    let path = path(of: name)
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(.remove, path) }
  }

  package func sync(_ durability: Durability) throws(FileError) {
    guard durability != .none else { return }
    let descriptor = SystemCall.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.open, path) }
    defer { close(descriptor) }
    guard SystemCall.sync(descriptor, isFolder: true, durability) else { throw FileError(.sync, path) }
  }

  package func lock(for owner: String) throws(FileError) -> any FolderLock { try DiskLock(path(of: "lock"), owner) }

  package func path(of name: String) -> String { path + "/" + name }
}

/// A file that its owner has locked: the system gives the lock back when the process ends, however it ends.
private final class DiskLock: FolderLock {
  private let descriptor: Int32
  let previousOwner: String?

  init(_ path: String, _ owner: String) throws(FileError) {
    descriptor = SystemCall.open(path, O_RDWR | O_CREAT | O_CLOEXEC)
    guard descriptor >= 0 else {
      previousOwner = nil
      throw FileError(.lock, path)
    }
    let isLocked = SystemCall.lock(descriptor)
    let number = errno
    let text = Self.text(in: descriptor)
    previousOwner = text
    guard isLocked else {
      errno = number
      guard number == EWOULDBLOCK else { throw FileError(.lock, path) }
      throw FileError(.lock, path, .inUse(by: text.split(separator: "\n").first.map(String.init) ?? "another process"))
    }
    // Of a text that could not be written there is an empty one.
    ftruncate(descriptor, 0)
    _ = Array(owner.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func text(in descriptor: Int32) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = max(pread(descriptor, buffer.baseAddress, 1024, 0), 0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

/// An open file of a ``DiskFolder``.
private final class DiskFile: FolderFile {
  private let descriptor: Int32
  private let path: String

  init(_ operation: FileError.Operation, _ path: String, flags: Int32) throws(FileError) {
    self.path = path
    descriptor = SystemCall.open(path, flags | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(operation, path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func length() throws(FileError) -> Int {
    let length = lseek(descriptor, 0, SEEK_END)
    guard length >= 0 else { throw FileError(.read, path) }
    return Int(length)
  }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try FileError.requireMemory(for: count, of: path)
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

  func sync(_ durability: Durability) throws(FileError) {
    guard SystemCall.sync(descriptor, isFolder: false, durability) else { throw FileError(.sync, path) }
  }
}

extension FileError {
  /// The error of the system's call that has just failed.
  fileprivate init(_ operation: Operation, _ path: String) {
    let number = errno
    let reason: Reason =
      switch number {
      case ENOSPC, EDQUOT: .noSpace
      case EACCES, EPERM: .noPermission
      case EROFS: .readOnly
      case ENOENT: .missing
      default: .other(number)
      }
    self.init(operation, path, reason)
  }
}

/// Calls of the C library that have the names of methods, or differ between systems.
private enum SystemCall {
  static func open(_ path: String, _ flags: Int32) -> Int32 { Foundation.open(path, flags, 0o644) }

  static func rename(_ path: String, _ newPath: String) -> Int32 { Foundation.rename(path, newPath) }

  /// Returns `false` if it failed, or another one has the lock.
  static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Returns `false` if it failed.
  static func sync(_ descriptor: Int32, isFolder: Bool, _ durability: Durability) -> Bool {
    guard durability != .none else { return true }
    #if canImport(Darwin)
      if fcntl(descriptor, durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return true }
      // Only where the file system does not know the call: what could not be written must not be asked for twice.
      return [ENOTSUP, EINVAL, ENOTTY].contains(errno) && fsync(descriptor) == 0
    #else
      // Of a file, `fdatasync` writes all but its times.
      return (isFolder ? fsync(descriptor) : fdatasync(descriptor)) == 0
    #endif
  }
}
