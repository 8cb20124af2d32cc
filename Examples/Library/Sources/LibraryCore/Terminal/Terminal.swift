import Foundation

/// The standard streams.
enum Terminal {
  /// `true` if a person is typing.
  static let isInput = isatty(STDIN_FILENO) == 1

  /// `true` if a person is looking at the errors, and so at the progress.
  static let isError = isatty(STDERR_FILENO) == 1

  /// Prints lines of what anybody may have written.
  static func write(lines: [String]) {
    write(lines.map { "\($0.escaped)\n" }.joined())
  }

  /// Prints a text as it is, unbuffered: who reads an answer from a pipe gets it at once.
  static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // A program that reads the answers, and does not get them, must not believe that all went well.
      complain("library: standard output: \(error.reason)")
      exit(1)
    }
  }

  /// Prints a text as it is on standard error.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Prints a line on standard error, of what anybody may have written.
  static func complain(_ sentence: String) {
    writeError("\(sentence.escaped)\n")
  }

  /// Reads a line, after a prompt if a person is typing; nil at the end of the input.
  static func readLine(prompt: String) -> String? {
    if isInput { write(prompt) }
    let line = Swift.readLine()
    // The shell's prompt is to stand on a line of its own.
    if isInput, line == nil { write("\n") }
    return line
  }
}
