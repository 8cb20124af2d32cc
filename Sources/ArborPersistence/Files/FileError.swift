internal import Foundation

/// A failed operation on a file of a storage.
public struct FileError: Error, Hashable, Sendable {
  /// An operation of a file system.
  public enum Operation: String, Hashable, Sendable {
    /// Listing the files of a folder.
    case list

    /// Opening a file.
    case open

    /// Creating a folder or a file.
    case create

    /// Reading from a file.
    case read

    /// Writing to a file.
    case write

    /// Syncing a file or a folder to disk.
    case sync

    /// Renaming a file.
    case rename

    /// Removing a file.
    case remove

    /// Locking a folder for this process.
    case lock
  }

  /// A reason for an error, to which a program can respond.
  public enum Reason: Hashable, Sendable {
    /// The disk is full, or the user's quota is exhausted.
    case noSpace

    /// The process doesn't have the permission.
    case noPermission

    /// The file system is read-only.
    case readOnly

    /// The file or folder doesn't exist, or was removed while it was open.
    case missing

    /// A folder, a link or a device has the name of the file. It is neither opened nor replaced.
    case notAFile

    /// Another storage uses the folder, in this process or another one. The text names its process, and since when it
    /// has used the folder.
    case inUse(by: String)

    /// The folder's `lock` file was removed or replaced while a storage held the lock, so another storage may own the
    /// folder.
    case lockLost

    /// Any other reason, with the system's error number.
    case other(Int32)
  }

  /// The operation that failed.
  public let operation: Operation

  /// The path of the file or folder.
  public let path: String

  /// The reason for the failure.
  public let reason: Reason

  package init(_ operation: Operation, _ path: String, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

extension FileError {
  /// The error of a record of 4 GB or more.
  static let tooLong = FileError(.write, "a record of more than 4 GB", .other(EFBIG))

  /// Throws if a number of bytes exceeds this machine's memory, because allocating the array would stop the program.
  static func requireMemory(for count: Int, of path: String) throws(FileError) {
    guard count <= ProcessInfo.processInfo.physicalMemory else { throw FileError(.read, path, .other(EFBIG)) }
  }

  /// Returns the error of a file whose number leaves no room for the numbers of later files.
  static func numberTooGreat(_ operation: Operation, _ path: String) -> FileError {
    FileError(operation, path, .other(EOVERFLOW))
  }
}

extension FileError: CustomStringConvertible {
  /// The operation, the path and the reason, as one sentence.
  public var description: String {
    let text =
      switch reason {
      case .noSpace: "there is no space left"
      case .noPermission: "this process has no permission"
      case .readOnly: "the file system is read-only"
      case .missing: "it does not exist"
      case .notAFile: "it is a folder, a link or a device, not a file"
      case .inUse(let owner): "it is in use by \(owner)"
      case .lockLost: "the folder's lock was removed, so another process may be using the folder"
      case .other(let number): String(cString: strerror(number))
      }
    return "could not \(operation.rawValue) \(path): \(text)"
  }
}
