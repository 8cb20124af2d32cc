@testable import StorageCore

/// The output and the exit status of a run of the program.
struct Outcome: Equatable {
  var lines: [String] = []
  var errors: [String] = []
  var status: Int32 = 0
}

extension Outcome {
  /// Runs the program in this process.
  static func of(_ arguments: String..., isErrorTerminal: Bool = false) -> Outcome {
    var (output, errors) = ([UInt8](), "")
    let streams = Streams(
      output: { bytes throws(Output.Failure) in output += bytes },
      error: { errors += $0 },
      isErrorTerminal: isErrorTerminal
    )
    let status = Program.run(arguments, streams)
    return Outcome(
      lines: String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().map(String.init),
      errors: errors.split(separator: "\n").map(String.init),
      status: status.rawValue
    )
  }
}
