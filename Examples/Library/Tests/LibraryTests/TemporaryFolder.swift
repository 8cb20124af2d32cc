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
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: url.appending(path: name))
    return path(name)
  }

  /// Writes lines to a file, and returns its path.
  func write(lines: [String], to name: String) throws -> String {
    try write(lines.map { "\($0)\n" }.joined().utf8, to: name)
  }

  /// The bytes of a file.
  func read(_ name: String) throws -> Data {
    try Data(contentsOf: url.appending(path: name))
  }
}
