/// A folder that reports how many bytes of its files were read, while they are read.
struct MeasuredFolder: FileFolder, @unchecked Sendable {  // Only the thread that reads the folder has it.
  /// The number of bytes that are read at once.
  static let chunkSize = 1 << 20

  let folder: any FileFolder

  /// Called with the number of bytes that were just read.
  let didRead: (Int) -> Void

  func path(of name: String) -> String { folder.path(of: name) }

  func names() throws(FileError) -> [String] { try folder.names() }

  func foreignNames() throws(FileError) -> [String] { try folder.foreignNames() }

  func open(_ name: String) throws(FileError) -> (any FolderFile)? {
    try folder.open(name).map { MeasuredFile(file: $0, path: path(of: name), didRead: didRead) }
  }

  func create(_ name: String) throws(FileError) -> any FolderFile { try folder.create(name) }

  func rename(_ name: String, to newName: String) throws(FileError) { try folder.rename(name, to: newName) }

  func remove(_ name: String) throws(FileError) { try folder.remove(name) }

  func sync(_ durability: Durability) throws(FileError) { try folder.sync(durability) }

  func lock(for owner: String) throws(FileError) -> any FolderLock { try folder.lock(for: owner) }
}

/// An open file of a ``MeasuredFolder``.
private final class MeasuredFile: FolderFile, @unchecked Sendable {  // Like its folder.
  private let file: any FolderFile
  private let path: String
  private let didRead: (Int) -> Void

  init(file: any FolderFile, path: String, didRead: @escaping (Int) -> Void) {
    self.file = file
    self.path = path
    self.didRead = didRead
  }

  func length() throws(FileError) -> Int { try file.length() }

  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    // Of what is read in chunks the file sees no number that is too great.
    try FileError.requireMemory(for: count, of: path)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let size = min(count - bytes.count, MeasuredFolder.chunkSize)
      let chunk = try file.read(at: offset + bytes.count, count: size)
      bytes += chunk
      didRead(chunk.count)
      guard chunk.count == size else { break }
    }
    return bytes
  }

  func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  func truncate(to length: Int) throws(FileError) { try file.truncate(to: length) }

  func sync(_ durability: Durability) throws(FileError) { try file.sync(durability) }
}
