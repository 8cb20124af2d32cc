import ArborPersistence
import Foundation

/// Reads a folder, and shows the progress on standard error.
struct FolderReader {
  /// The reason why there is nothing to read.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case noFolder(String)
    case notAFolder(String)
    case noStorage(String)

    var description: String {
      switch self {
      case .noFolder(let path): "there is no folder \(path)"
      case .notAFolder(let path): "\(path) is not a folder"
      case .noStorage(let path): "there is no storage in \(path)"
      }
    }
  }

  private let streams: Streams

  init(_ streams: Streams) {
    self.streams = streams
  }

  /// Reads the storage in a folder.
  ///
  /// - Throws: ``Failure``, or a `StorageError`.
  func read(_ path: String) throws -> StorageContents {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw Failure.noFolder(path) }
    guard isFolder.boolValue else { throw Failure.notAFolder(path) }
    var line = ProgressLine(isTerminal: streams.isErrorTerminal, write: streams.error)
    defer { line.clear() }
    let contents = try StorageContents(of: URL(fileURLWithPath: path, isDirectory: true)) { read, size in
      line.show(read: read, of: size)
    }
    guard contents.files.contains(where: { !$0.isKeptAside }) else { throw Failure.noStorage(path) }
    return contents
  }
}
