import Foundation

/// The standard streams.
enum Terminal {
  /// `true` if a person is typing.
  static let isInput = isatty(STDIN_FILENO) == 1

  /// `true` if a person sees the output.
  static let isOutput = isatty(STDOUT_FILENO) == 1

  /// Prints a text without changes, unbuffered: a reader of a pipe receives an answer immediately.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Prints a text without changes on standard error.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Prints a line from untrusted input on standard error.
  static func complain(_ sentence: String) {
    writeError("\(sentence.escaped)\n")
  }

  /// Reads a line, after a prompt if a person is typing; nil at the end of the input.
  static func readLine(prompt: String) -> String? {
    if isInput { write(prompt) }
    let line = Swift.readLine()
    // The shell's prompt should be on a separate line.
    if isInput, line == nil { write("\n") }
    return line
  }
}
