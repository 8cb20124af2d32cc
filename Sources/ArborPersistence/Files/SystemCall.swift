internal import Foundation

/// C library calls whose names collide with methods, or that differ between systems.
enum SystemCall {
  /// Opens a folder at a path. Returns a negative number if that fails.
  static func openFolder(_ path: String) -> Int32 {
    Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Creates a folder unless it exists; a private one can only be accessed by its owner. Returns `false` if that fails,
  /// or if something else has the name.
  static func makeFolder(_ path: String, isPrivate: Bool) -> Bool {
    if mkdir(path, isPrivate ? 0o700 : 0o777) == 0 { return true }
    guard errno == EEXIST else { return false }
    var there = stat()
    guard stat(path, &there) == 0 else { return false }
    errno = ENOTDIR
    return there.st_mode & S_IFMT == S_IFDIR
  }

  /// Opens a file of a folder; a created file can only be read and written by its owner. Returns a negative number if
  /// that fails.
  ///
  /// - It doesn't follow a link, and doesn't wait for a pipe.
  static func open(_ name: String, in folder: Int32, _ flags: Int32) -> Int32 {
    openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
  }

  /// Opens a regular file of a folder; a created file can only be read and written by its owner.
  ///
  /// - Throws: ``FileError/Reason/notAFile`` if a folder, a link or a device has the name.
  static func openFile(
    _ operation: FileError.Operation,
    _ name: String,
    _ flags: Int32,
    in folder: Int32,
    path: String
  ) throws(FileError) -> Int32 {
    let descriptor = open(name, in: folder, flags)
    guard descriptor >= 0 else {
      let error = FileError(operation, path)
      throw isForeign(name, in: folder) ? FileError(operation, path, .notAFile) : error
    }
    var file = stat()
    if fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG { return descriptor }
    close(descriptor)
    throw FileError(operation, path, .notAFile)
  }

  /// Returns `true` if a folder, a link or a device has a name in a folder.
  static func isForeign(_ name: String, in folder: Int32) -> Bool {
    var there = stat()
    return fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && there.st_mode & S_IFMT != S_IFREG
  }

  /// Renames a file. Returns `false` if that fails.
  static func rename(_ name: String, to newName: String, in folder: Int32) -> Bool {
    renameat(folder, name, folder, newName) == 0
  }

  /// Removes a file. Returns `false` if that fails, but `true` if there is no such file.
  static func remove(_ name: String, in folder: Int32) -> Bool { unlinkat(folder, name, 0) == 0 || errno == ENOENT }

  /// Locks a file. Returns `false` if that fails or if another process has the lock.
  static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Syncs a file or a folder. Returns `false` if that fails.
  static func sync(_ descriptor: Int32, isFolder: Bool, _ durability: Durability) -> Bool {
    guard durability != .none else { return true }
    #if canImport(Darwin)
      if fcntl(descriptor, durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return true }
      // Only if the file system doesn't support the call: after a failed write, a second sync must not be tried.
      return [ENOTSUP, EINVAL, ENOTTY].contains(errno) && fsync(descriptor) == 0
    #else
      // For a file, `fdatasync` writes everything except its times.
      return (isFolder ? fsync(descriptor) : fdatasync(descriptor)) == 0
    #endif
  }

  /// Returns `true` if a file or folder has no name anymore, and disappears when it is closed.
  static func isRemoved(_ descriptor: Int32) -> Bool {
    var file = stat()
    return fstat(descriptor, &file) == 0 && file.st_nlink == 0
  }

  /// Returns `true` if a path leads to an open file or folder.
  static func leads(_ path: String, to descriptor: Int32) -> Bool {
    var there = stat()
    return stat(path, &there) == 0 && isOpen(there, at: descriptor)
  }

  /// Returns `true` if a name in a folder is the name of an open file. A link isn't followed.
  static func leads(_ name: String, in folder: Int32, to descriptor: Int32) -> Bool {
    var there = stat()
    return fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && isOpen(there, at: descriptor)
  }

  private static func isOpen(_ there: stat, at descriptor: Int32) -> Bool {
    var open = stat()
    return fstat(descriptor, &open) == 0 && there.st_dev == open.st_dev && there.st_ino == open.st_ino
  }
}

extension FileError {
  /// Makes the error of the system call that has just failed.
  init(_ operation: Operation, _ path: String) {
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
