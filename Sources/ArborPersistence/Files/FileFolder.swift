/// The files of one folder, and the file operations on which a storage is built.
///
/// - There are few operations, so that a simulated folder can lose, reorder and tear everything that wasn't synced.
/// - Bytes that were written to a file are durable once the file was synced. The existence, removal and name of a file
///   are durable once the folder was synced.
package protocol FileFolder: Sendable {
  /// Returns the path of a file, as it appears in errors.
  func path(of name: String) -> String

  /// Returns the names of all files, in any order.
  func names() throws(FileError) -> [String]

  /// Returns the names of folders, links and devices, in any order. Storages never create these.
  func foreignNames() throws(FileError) -> [String]

  /// Opens a file for reading and appending; returns nil if it doesn't exist.
  func open(_ name: String) throws(FileError) -> (any FolderFile)?

  /// Creates an empty file; fails if a file of that name exists.
  func create(_ name: String) throws(FileError) -> any FolderFile

  /// Renames a file, and replaces a file that has the new name. Anything else of that name isn't replaced.
  func rename(_ name: String, to newName: String) throws(FileError)

  /// Removes a file if it exists.
  func remove(_ name: String) throws(FileError)

  /// Makes the list of files durable.
  func sync(_ durability: Durability) throws(FileError)

  /// Opens a note, and creates it if it doesn't exist; returns nil if the folder can't outlive its process.
  func openNote(_ name: String) throws(FileError) -> (any FolderNote)?

  /// Locks the folder for one owner until the lock is released. While another owner in any process of this machine has
  /// it, this fails with ``FileError/Reason/inUse(by:)``.
  ///
  /// - Parameter owner: A unique text for each owner. Its first line is reported to others.
  func lock(for owner: String) throws(FileError) -> any FolderLock
}

extension FileFolder {
  /// Returns the name, for a folder without a path.
  package func path(of name: String) -> String { name }

  /// Returns nil, for a folder in memory.
  package func openNote(_ name: String) -> (any FolderNote)? { nil }

  /// Returns no names, for a folder that only contains files.
  package func foreignNames() -> [String] { [] }

  /// Creates a file with content. When this returns, the file is durable; if it throws, the file doesn't exist.
  ///
  /// - Parameter finalName: The name that the file gets once it is complete; nil if it has that name from the
  ///   beginning.
  @discardableResult
  package func make(
    _ name: String,
    _ bytes: [UInt8],
    _ durability: Durability,
    renamedTo finalName: String? = nil
  ) throws(FileError) -> any FolderFile {
    let file = try create(name)
    do throws(FileError) {
      try file.append(bytes)
      try file.sync(durability)
      if let finalName { try rename(name, to: finalName) }
      try sync(durability)
    } catch {
      // After a failed sync, the bytes may never reach the disk, so no later storage may continue from them.
      try? remove(name)
      throw error
    }
    return file
  }

  /// Removes files. If one can't be removed, the others still are.
  ///
  /// - Parameter didRemove: Called with each file that was removed.
  /// - Throws: The first error.
  func remove(_ names: [String], _ didRemove: (_ name: String) -> Void = { _ in }) throws(FileError) {
    var failure: FileError?
    for name in names {
      do throws(FileError) {
        try remove(name)
        didRemove(name)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}

/// The right to write to a folder, until the lock is released.
package protocol FolderLock: AnyObject, Sendable {
  /// The text of the previous owner; nil if it isn't known.
  var previousOwner: String? { get }
}

/// An open file of a ``FileFolder``.
package protocol FolderFile: AnyObject, Sendable {
  /// The length in bytes.
  func length() throws(FileError) -> Int

  /// Reads a number of bytes at an offset, or fewer if the file ends earlier.
  ///
  /// - Throws: The error of the system, or an error if the number exceeds the machine's memory.
  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8]

  /// Appends bytes at the end. After an error, any number of them may have been written.
  func append(_ bytes: [UInt8]) throws(FileError)

  /// Removes the bytes after a length. Like appended bytes, this is durable once the file was synced.
  func truncate(to length: Int) throws(FileError)

  /// Makes everything that was written durable.
  ///
  /// - Don't use the file after an error. The system may treat unwritten bytes as written: a second call would succeed,
  ///   although the bytes are lost.
  func sync(_ durability: Durability) throws(FileError)
}

/// A few bytes of a folder that are overwritten in place. They survive the end of the process, but not a power failure.
package protocol FolderNote: AnyObject, Sendable {
  /// The bytes; empty if none were written.
  var bytes: [UInt8] { get }

  /// Writes bytes, always the same number. After a failure, the note may still have its previous content.
  func write(_ bytes: [UInt8])
}

extension FolderFile {
  /// Reads the whole file.
  package func readAll() throws(FileError) -> [UInt8] { try read(at: 0, count: length()) }

  /// Appends all bytes at the end of a file of a known length, or none.
  func append(_ bytes: [UInt8], behind length: Int) throws(FileError) {
    do throws(FileError) {
      try append(bytes)
    } catch {
      // The written bytes may use the last free space, which a state needs now. If they remain, they are a torn end.
      try? truncate(to: length)
      throw error
    }
  }
}

/// A guarantee about acknowledged changes.
///
/// | | the process is killed or crashes | the system crashes, or the power fails |
/// |---|---|---|
/// | ``none`` | survives | the last seconds may be lost, and files may be damaged, which is reported |
/// | ``ordered`` | survives | the last seconds may be lost; the remaining data is intact |
/// | ``full`` | survives | survives |
public enum Durability: Hashable, Sendable, CaseIterable {
  /// Passes bytes to the system, which writes them at any time and in any order.
  case none

  /// Writes bytes to disk in order: with `F_BARRIERFSYNC` on Apple's systems, otherwise like ``full``.
  case ordered

  /// Writes bytes to disk before anything is acknowledged. On Apple's systems, this uses `F_FULLFSYNC`, which also
  /// empties the drive's own cache; otherwise `fdatasync` and `fsync`.
  ///
  /// - If a file system doesn't support Apple's calls, `fsync` is used.
  case full
}
