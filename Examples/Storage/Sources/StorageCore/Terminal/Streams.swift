/// The streams that a run of the program writes to.
struct Streams {
  /// Writes bytes to standard output.
  var output: ([UInt8]) throws(Output.Failure) -> Void

  /// Writes a text to standard error.
  var error: (String) -> Void

  /// `true` if standard error is a terminal.
  var isErrorTerminal: Bool

  /// The streams of the process.
  static var standard: Streams {
    Streams(
      output: { bytes throws(Output.Failure) in try StandardStream.output.write(bytes) },
      // If this fails, there is no place to report it.
      error: { text in try? StandardStream.error.write(Array(text.utf8)) },
      isErrorTerminal: StandardStream.error.isTerminal
    )
  }

  /// Writes a sentence to standard error.
  func complain(_ sentence: String) {
    error("arbor-storage: \(sentence.escaped)\n")
  }
}
