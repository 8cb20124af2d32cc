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
      try Self.make(folder)
      try syncNames(Self.above(folder))
    }
    try Self.make(folder)
    try self.init(at: path)
  }

  /// The path of the folder in which a folder lies; of a symbolic link the one in which that lies to which it leads.
  private static func above(_ folder: URL) -> String { folder.path + "/.." }

  /// Makes a folder if there is none.
  private static func make(_ folder: URL) throws(FileError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw FileError(making: folder.path, error)
    }
  }
}

extension FileError {
  /// The error of a folder that cannot be made.
  fileprivate init(making path: String, _ error: any Error) {
    let reason: Reason =
      switch (error as? CocoaError)?.code {
      case .fileWriteNoPermission: .noPermission
      case .fileWriteOutOfSpace: .noSpace
      case .fileWriteVolumeReadOnly: .readOnly
      case .fileNoSuchFile: .missing
      // It exists, and is a file.
      case .fileWriteFileExists: .other(ENOTDIR)
      default: .other(Self.systemNumber(of: error))
      }
    self.init(.create, path, reason)
  }

  /// The system's number of an error of Foundation, which has one of its own.
  private static func systemNumber(of error: any Error) -> Int32 {
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    return cause?.code.rawValue ?? Int32(clamping: (error as NSError).code)
  }
}
