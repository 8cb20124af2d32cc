internal import Foundation

/// Files that only their owner may read and write, opened without following links.
enum PrivateFile {
  /// The rights and the owner of a file that is to be replaced.
  struct Rights {
    fileprivate let mode: mode_t
    fileprivate let user: uid_t
    fileprivate let group: gid_t
  }

  /// Returns the rights of the file at a path; nil if there is none.
  ///
  /// - Throws: If the path is a folder, a link or a device, because Arbor doesn't replace these.
  static func rights(at path: String) throws(RecordingFileError) -> Rights? {
    var there = stat()
    guard lstat(path, &there) == 0 else { return nil }
    guard there.st_mode & S_IFMT == S_IFREG else { throw notAFile(path) }
    return Rights(mode: there.st_mode & 0o777, user: there.st_uid, group: there.st_gid)
  }

  /// Creates a file, which must not exist yet.
  static func make(_ path: String) throws(RecordingFileError) -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("made", path) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Empties the file at a path, which keeps its rights, or creates one.
  static func empty(_ path: String) throws(RecordingFileError) -> FileHandle {
    _ = try rights(at: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw failure("opened", path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { throw notAFile(path) }
    guard ftruncate(descriptor, 0) == 0 else { throw failure("emptied", path) }
    return handle
  }

  /// Gives a file the rights of the file that it will replace. Returns `false` if that fails.
  static func give(_ rights: Rights, to file: FileHandle) -> Bool {
    let descriptor = file.fileDescriptor
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { return false }
    var mode = rights.mode
    if own.st_uid != rights.user || own.st_gid != rights.group, fchown(descriptor, rights.user, rights.group) != 0 {
      // The rights of the file's group must not go to a different group.
      mode &= ~0o070
    }
    return fchmod(descriptor, mode) == 0
  }

  private static func notAFile(_ path: String) -> RecordingFileError {
    .system("\(path) is a folder, a link or a device, and is not replaced")
  }

  private static func failure(_ operation: String, _ path: String) -> RecordingFileError {
    .system("The file \(path) cannot be \(operation): \(String(cString: strerror(errno)))")
  }
}
