internal import Arbor

/// A folder in memory, for tests and previews. It exists as long as there is a reference to it.
package final class MemoryFolder: FileFolder {
  private let files = Protected<[String: MemoryFile]>([:])
  private let owners = Protected<(current: String?, previous: String?)>((nil, nil))

  package init() {}

  package func names() -> [String] { files.withLock { $0.keys.sorted() } }

  package func open(_ name: String) -> (any FolderFile)? { files.withLock { $0[name] } }

  package func create(_ name: String) throws(FileError) -> any FolderFile {
    let file = MemoryFile()
    let isNew = files.withLock { files in
      guard files[name] == nil else { return false }
      files[name] = file
      return true
    }
    guard isNew else { throw FileError(.create, name, .other(17)) }
    return file
  }

  package func rename(_ name: String, to newName: String) throws(FileError) {
    let isThere = files.withLock { files in
      guard let file = files.removeValue(forKey: name) else { return false }
      files[newName] = file
      return true
    }
    guard isThere else { throw FileError(.rename, name, .missing) }
  }

  package func remove(_ name: String) { files.withLock { $0[name] = nil } }

  package func sync(_ durability: Durability) {}

  package func lock(for owner: String) throws(FileError) -> any FolderLock {
    let (other, previous) = owners.withLock { owners in
      let before = owners
      if before.current == nil { owners = (owner, owner) }
      return before
    }
    if let other {
      throw FileError(.lock, "a folder in memory", .inUse(by: String(other.prefix { $0 != "\n" })))
    }
    return MemoryLock(previousOwner: previous) { self.owners.withLock { $0.current = nil } }
  }
}

private final class MemoryLock: FolderLock {
  let previousOwner: String?
  private let release: @Sendable () -> Void

  init(previousOwner: String?, _ release: @escaping @Sendable () -> Void) {
    self.previousOwner = previousOwner
    self.release = release
  }

  deinit { release() }
}

/// A file of a ``MemoryFolder``.
private final class MemoryFile: FolderFile {
  private let bytes = Protected<[UInt8]>([])

  func length() -> Int { bytes.withLock { $0.count } }

  func read(at offset: Int, count: Int) -> [UInt8] { bytes.withLock { Array($0.dropFirst(offset).prefix(count)) } }

  func append(_ new: [UInt8]) { bytes.withLock { $0 += new } }

  func truncate(to length: Int) { bytes.withLock { $0.removeSubrange(min(length, $0.count)...) } }

  func sync(_ durability: Durability) {}
}
