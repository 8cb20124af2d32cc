internal import Foundation

extension DiskFolder {
  /// Opens a folder, and makes it and those above it where there are none, so that they are there after a loss of power.
  package convenience init(making path: String, _ durability: Durability) throws(FileError) {
    try self.init(making: path) { path throws(FileError) in
      guard durability != .none else { return }
      try DiskFolder(at: path).sync(durability)
    }
  }

  /// Opens a folder, and makes it and those above it where there are none.
  ///
  /// - Only the owner of the folder itself may enter it, if it is made.
  /// - Parameter syncNames: Makes durable which folders there are in the one at a path. It is called before a folder is
  ///   made in one of them: so of those that are found only the last may be one that nobody has synced.
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
    // The maker of `found` may have ended before syncing it. The folder above an older one may refuse this process.
    try? syncNames(Self.above(found))
    for folder in missing.reversed() {
      try Self.make(folder, isPrivate: folder == missing.first)
      try syncNames(Self.above(folder))
    }
    try Self.make(folder, isPrivate: true)
    try self.init(at: path)
  }

  /// The path of the folder in which a folder lies; of a symbolic link the one in which that lies to which it leads.
  private static func above(_ folder: URL) -> String { folder.path + "/.." }

  /// Makes a folder if there is none.
  private static func make(_ folder: URL, isPrivate: Bool) throws(FileError) {
    guard SystemCall.makeFolder(folder.path, isPrivate: isPrivate) else { throw FileError(.create, folder.path) }
  }
}
