import Foundation

/// Standard output, written in chunks.
///
/// - Lines stay in memory until there are ``chunkSize`` bytes, or until ``flush()``.
struct Output {
  /// The reason why writing is not possible any more.
  enum Failure: Error, Hashable, CustomStringConvertible {
    /// The reader of the pipe is gone, and needs no more.
    case closed

    /// An error of the system, with its number.
    case system(Int32)

    var description: String {
      switch self {
      case .closed: "the reader of the output has closed it"
      case .system(let number): "the output could not be written: \(String(cString: strerror(number)))"
      }
    }
  }

  /// The minimum number of bytes that are written together.
  static let chunkSize = 1 << 16

  private var chunk: [UInt8] = []
  private let write: ([UInt8]) throws(Failure) -> Void

  /// - Parameter write: Writes all given bytes.
  init(write: @escaping ([UInt8]) throws(Failure) -> Void) {
    self.write = write
    chunk.reserveCapacity(2 * Self.chunkSize)
  }

  /// Adds a line, with escapes in place of control characters.
  mutating func add(line: String) throws(Failure) {
    try addLine { $0.append(contentsOf: line.escaped.utf8) }
  }

  /// Adds a line.
  ///
  /// - Parameter body: Appends the bytes of the line.
  mutating func addLine(_ body: (inout [UInt8]) -> Void) throws(Failure) {
    body(&chunk)
    chunk.append(UInt8(ascii: "\n"))
    if chunk.count >= Self.chunkSize { try flush() }
  }

  /// Writes the lines that are still in memory.
  mutating func flush() throws(Failure) {
    guard !chunk.isEmpty else { return }
    defer { chunk.removeAll(keepingCapacity: true) }
    try write(chunk)
  }
}
