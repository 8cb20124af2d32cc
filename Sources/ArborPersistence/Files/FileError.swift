internal import Foundation

/// A failed operation on a file of a storage.
public struct FileError: Error, Hashable, Sendable {
  /// An operation of a file system.
  public enum Operation: String, Hashable, Sendable {
    /// To list the files of a folder.
    case list

    /// To open a file.
    case open

    /// To create a folder or a file.
    case create

    /// To read from a file.
    case read

    /// To write to a file.
    case write

    /// To bring what was written to the disk, of a file or a folder.
    case sync

    /// To give a file another name.
    case rename

    /// To remove a file.
    case remove

    /// To lock a folder for this process.
    case lock
  }

  /// A reason that a program can do something about.
  public enum Reason: Hashable, Sendable {
    /// The disk is full, or the user's share of it is.
    case noSpace

    /// The process may not do that.
    case noPermission

    /// The file system can only be read.
    case readOnly

    /// The file or folder does not exist, or was removed while it was open.
    case missing

    /// A folder, a link or a device stands in the place of the file. It is neither opened nor replaced.
    case notAFile

    /// Another storage uses the folder, in this process or in another one: its process and the time since which.
    case inUse(by: String)

    /// The `lock` of the folder was removed or replaced while a storage had it, so that another one may have the folder.
    case lockLost

    /// Any other reason, by the system's number of the error.
    case other(Int32)
  }

  /// The operation that failed.
  public let operation: Operation

  /// The path of the file or folder.
  public let path: String

  /// The reason.
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

  /// Throws if some bytes of a file are more than the memory of this machine: an array of them would stop the program.
  static func requireMemory(for count: Int, of path: String) throws(FileError) {
    guard count <= ProcessInfo.processInfo.physicalMemory else { throw FileError(.read, path, .other(EFBIG)) }
  }

  /// The error of a file whose number leaves no room for those of later files.
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
      case .noPermission: "this process may not do that"
      case .readOnly: "the file system can only be read"
      case .missing: "it does not exist"
      case .notAFile: "it is a folder, a link or a device, and not a file"
      case .inUse(let owner): "it is in use by \(owner)"
      case .lockLost: "the lock of the folder was removed, so that another process may have the folder"
      case .other(let number): String(cString: strerror(number))
      }
    return "could not \(operation.rawValue) \(path): \(text)"
  }
}
