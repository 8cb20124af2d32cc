import Foundation

/// A folder that is removed with its last reference.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder, which need not exist.
  func path(_ name: String) -> String {
    url.appending(path: name).path
  }

  /// Writes a file, and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, and returns its path.
  func write(_ bytes: Data, to name: String) throws -> String {
    try bytes.write(to: url.appending(path: name))
    return path(name)
  }

  /// Copies a file, or a folder with its content.
  func copy(_ name: String, to newName: String) throws {
    try FileManager.default.copyItem(atPath: path(name), toPath: path(newName))
  }

  /// The bytes of a file.
  func read(_ name: String) throws -> Data {
    try Data(contentsOf: url.appending(path: name))
  }
}
