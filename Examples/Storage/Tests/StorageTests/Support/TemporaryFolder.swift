import Foundation

/// A folder that is removed with its last reference, and methods for damaging its files.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.path }

  /// The names of all files except the lock, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "lock" }.sorted() }
  }

  /// Copies all files except the lock, replacing those of another folder.
  func copyFiles(to other: TemporaryFolder) throws {
    for name in try other.names { try FileManager.default.removeItem(at: other.url.appending(path: name)) }
    for name in try names {
      try FileManager.default.copyItem(at: url.appending(path: name), to: other.url.appending(path: name))
    }
  }

  /// The only file with an extension.
  func name(endingIn ending: String) throws -> String {
    let found = try names.filter { $0.hasSuffix(ending) }
    guard found.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    return found[0]
  }

  func size(of name: String) throws -> Int { try Data(contentsOf: url.appending(path: name)).count }

  /// The offset of the second frame of a file: after its header and a short frame with its own header.
  func secondFrame(of name: String) throws -> Int { try 32 + 24 + Int(Data(contentsOf: url.appending(path: name))[32]) }

  /// Changes the bytes of a file.
  func change(_ name: String, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: url.appending(path: name))
    body(&bytes)
    try bytes.write(to: url.appending(path: name))
  }

  /// Flips all bits of a byte.
  func flip(_ name: String, at offset: Int) throws {
    try change(name) { $0[offset] ^= 0xFF }
  }

  /// Flips a byte at the last occurrence of a text.
  func flip(_ name: String, in text: String) throws {
    try change(name) { bytes in
      guard let range = bytes.range(of: Data(text.utf8), options: .backwards) else { return }
      bytes[range.lowerBound] ^= 0xFF
    }
  }

  /// Removes bytes at the end, like a crash: a program that has ended leaves a mark of the last entry.
  func cut(_ name: String, by count: Int) throws {
    try change(name) { $0.removeLast(count) }
    for name in try names where name.hasSuffix(".end") {
      try FileManager.default.removeItem(at: url.appending(path: name))
    }
  }
}
