internal import Foundation

/// A folder of the disk.
///
/// - It is opened once, and stays the same folder wherever it is moved to, and whatever is put in its place.
/// - What is written to a file or a folder that was removed meanwhile is not acknowledged: a sync fails for
///   ``FileError/Reason/missing``.
package final class DiskFolder: FileFolder {
  private let descriptor: Int32
  private let path: String

  /// - Parameter path: The path of a folder that exists.
  package init(at path: String) throws(FileError) {
    self.path = path
    descriptor = SystemCall.openFolder(path)
    guard descriptor >= 0 else { throw FileError(.list, path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func names() throws(FileError) -> [String] {
    // Opened anew for each list: who reads from a descriptor goes on where the last one has stopped.
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
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileError(.list, path) }
    return names
  }

  package func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    do throws(FileError) {
      return try DiskFile(.open, name, O_RDWR, in: descriptor, path(of: name))
    } catch {
      switch error.reason {
      case .missing: return nil
      // Who only reads needs no right to write.
      case .noPermission, .readOnly: return try DiskFile(.open, name, O_RDONLY, in: descriptor, path(of: name))
      default: throw error
      }
    }
  }

  package func create(_ name: String) throws(FileError) -> any FolderFile {
    try DiskFile(.create, name, O_RDWR | O_CREAT | O_EXCL, in: descriptor, path(of: name))
  }

  package func rename(_ name: String, to newName: String) throws(FileError) {
    guard SystemCall.rename(name, to: newName, in: descriptor) else { throw FileError(.rename, path(of: name)) }
  }

  package func remove(_ name: String) throws(FileError) {
    guard SystemCall.remove(name, in: descriptor) else { throw FileError(.remove, path(of: name)) }
  }

  package func sync(_ durability: Durability) throws(FileError) {
    guard SystemCall.sync(descriptor, isFolder: true, durability) else { throw FileError(.sync, path) }
    if SystemCall.isRemoved(descriptor) { throw FileError(.sync, path, .missing) }
  }

  package func lock(for owner: String) throws(FileError) -> any FolderLock {
    // Whoever goes on must not write where nobody looks any more.
    guard SystemCall.leads(path, to: descriptor) else { throw FileError(.lock, path, .missing) }
    return try DiskLock("lock", in: descriptor, path(of: "lock"), owner)
  }

  package func path(of name: String) -> String { path + "/" + name }
}

/// A file that its owner has locked: the system gives the lock back when the process ends, however it ends.
private final class DiskLock: FolderLock {
  private let descriptor: Int32
  let previousOwner: String?

  init(_ name: String, in folder: Int32, _ path: String, _ owner: String) throws(FileError) {
    // A link is not followed: the file that it leads to is somebody else's.
    descriptor = SystemCall.open(name, in: folder, O_RDWR | O_CREAT | O_NOFOLLOW)
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

  init(
    _ operation: FileError.Operation,
    _ name: String,
    _ flags: Int32,
    in folder: Int32,
    _ path: String
  ) throws(FileError) {
    self.path = path
    descriptor = SystemCall.open(name, in: folder, flags | O_APPEND)
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
    if SystemCall.isRemoved(descriptor) { throw FileError(.sync, path, .missing) }
  }
}
