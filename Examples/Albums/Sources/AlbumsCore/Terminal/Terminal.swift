import Foundation
import Synchronization

/// The standard streams.
enum Terminal {
  /// `true` if a person is typing.
  private static let isInput = isatty(STDIN_FILENO) == 1

  /// Prints a line, unbuffered: a reader of a pipe receives it immediately.
  static func write(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Prints a line on standard error.
  static func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Reads a line, after a prompt if a person is typing; nil at the end of the input.
  static func readLine(prompt: String) -> String? {
    if isInput { try? FileHandle.standardOutput.write(contentsOf: Data(prompt.utf8)) }
    return Swift.readLine()
  }
}

/// Prints lines about several things, and no line twice in a row about the same one.
final class Printer: Sendable {
  private let last = Mutex<[String: String]>([:])
  private let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void = Terminal.write) {
    self.write = write
  }

  /// Prints a line if it differs from the last one about the same thing.
  func print(_ line: String, about thing: String) {
    if last.withLock({ $0.updateValue(line, forKey: thing) }) != line { write(line) }
  }

  /// Prints lines.
  func print(_ lines: [String]) {
    lines.forEach(write)
  }
}
