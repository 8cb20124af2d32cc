/// The files of one folder, and the operations on them that a storage is built on.
///
/// - They are so few that a simulated folder can lose, reorder and tear what was not synced.
/// - Bytes that are written to a file are durable once the file was synced; the existence, the removal and the name of a
///   file are durable once the folder was synced.
package protocol FileFolder: Sendable {
  /// The path of a file, as errors name it.
  func path(of name: String) -> String

  /// The names of all files, in any order.
  func names() throws(FileError) -> [String]

  /// The names of folders, links and devices, which no storage has made, in any order.
  func foreignNames() throws(FileError) -> [String]

  /// Opens a file to read and append; nil if there is none.
  func open(_ name: String) throws(FileError) -> (any FolderFile)?

  /// Makes an empty file; fails if there is one of that name.
  func create(_ name: String) throws(FileError) -> any FolderFile

  /// Gives a file another name, in place of the file that has that name. Anything else of that name is not replaced.
  func rename(_ name: String, to newName: String) throws(FileError)

  /// Removes a file, if there is one.
  func remove(_ name: String) throws(FileError)

  /// Makes durable which files there are.
  func sync(_ durability: Durability) throws(FileError)

  /// Opens a note, and makes it if there is none; nil if the folder cannot outlive its process.
  func openNote(_ name: String) throws(FileError) -> (any FolderNote)?

  /// Takes the folder for one owner, until the lock is released; fails for ``FileError/Reason/inUse(by:)`` while another
  /// has it, in this process or in another one of this machine.
  ///
  /// - Parameter owner: A text of its own for each owner. Its first line is what others are told.
  func lock(for owner: String) throws(FileError) -> any FolderLock
}

extension FileFolder {
  /// The name, for a folder that has no path.
  package func path(of name: String) -> String { name }

  /// No note, for a folder in memory.
  package func openNote(_ name: String) -> (any FolderNote)? { nil }

  /// No names, for a folder that has nothing but files.
  package func foreignNames() -> [String] { [] }

  /// Makes a file of some bytes. When this returns, it is durable; if it throws, there is no such file.
  ///
  /// - Parameter finalName: The name under which it is found once it is whole; nil if it has that from the beginning.
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
      // After a failed sync others would go on from what may never reach the disk.
      try? remove(name)
      throw error
    }
    return file
  }

  /// Removes files. One that cannot be removed keeps no other one in the folder.
  ///
  /// - Parameter didRemove: Called with each one that was removed.
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

/// The right to write into a folder, given back when it is released.
package protocol FolderLock: AnyObject, Sendable {
  /// The text of the owner before; nil if it is not known.
  var previousOwner: String? { get }
}

/// An open file of a ``FileFolder``.
package protocol FolderFile: AnyObject, Sendable {
  /// The length in bytes.
  func length() throws(FileError) -> Int

  /// Reads bytes from an offset: as many as were asked for, unless the file ends before.
  ///
  /// - Throws: Also if more are asked for than the machine has memory.
  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8]

  /// Appends bytes at the end. After an error any number of them may have been written.
  func append(_ bytes: [UInt8]) throws(FileError)

  /// Removes the bytes behind a length. That is durable once the file was synced, as what was appended is.
  func truncate(to length: Int) throws(FileError)

  /// Makes durable what was written.
  ///
  /// - After an error the file is of no use: the system may take for written what it could not write, so that a second
  ///   call succeeds and the bytes are lost.
  func sync(_ durability: Durability) throws(FileError)
}

/// A few bytes of a folder that are written over, and are there after the end of the process: not after a loss of power.
package protocol FolderNote: AnyObject, Sendable {
  /// The bytes; none if nothing was written.
  var bytes: [UInt8] { get }

  /// Writes bytes, as many as each time. If that fails the note may be the one before.
  func write(_ bytes: [UInt8])
}

extension FolderFile {
  /// Reads the whole file.
  package func readAll() throws(FileError) -> [UInt8] { try read(at: 0, count: length()) }

  /// Appends bytes behind a length, all or none.
  func append(_ bytes: [UInt8], behind length: Int) throws(FileError) {
    do throws(FileError) {
      try append(bytes)
    } catch {
      // Some of them may have taken the last space, which a state needs now. If they stay they are a torn end.
      try? truncate(to: length)
      throw error
    }
  }
}

/// A guarantee about what was acknowledged.
///
/// | | the process is killed or crashes | the system crashes, or the power is lost |
/// |---|---|---|
/// | ``none`` | survives | the last seconds may be lost, and files be damaged, which is told |
/// | ``ordered`` | survives | the last seconds may be lost; what is left is whole |
/// | ``full`` | survives | survives |
public enum Durability: Hashable, Sendable, CaseIterable {
  /// Bytes are handed to the system, which writes them when it likes, and in any order.
  case none

  /// Bytes reach the disk in their order: on Apple's systems by `F_BARRIERFSYNC`, elsewhere as by ``full``.
  case ordered

  /// Bytes are on the disk before anything is acknowledged: on Apple's systems by `F_FULLFSYNC`, which makes the drive
  /// empty its own memory, elsewhere by `fdatasync` and `fsync`.
  ///
  /// - A file system that does not know Apple's calls is asked by `fsync`.
  case full
}
