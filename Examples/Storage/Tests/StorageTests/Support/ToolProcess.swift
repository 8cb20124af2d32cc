import Foundation

/// The built program, running, with its standard streams in pipes.
final class ToolProcess {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Runs the program to its end.
  static func run(_ arguments: String...) throws -> Outcome {
    let process = try ToolProcess(arguments)
    let lines = try process.output.fileHandleForReading.readToEnd() ?? Data()
    return try process.finish(String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Reads some bytes of the output, and closes it.
  func closeOutput(after count: Int) throws -> Int {
    let bytes = try output.fileHandleForReading.read(upToCount: count) ?? Data()
    try output.fileHandleForReading.close()
    return bytes.count
  }

  /// Waits for the end of the program.
  func finish(_ lines: [String] = []) throws -> Outcome {
    let errors = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      lines: lines,
      errors: String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init),
      status: process.terminationReason == .exit ? process.terminationStatus : -1
    )
  }

  /// The program, which is built next to the tests.
  private static var executable: URL {
    get throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      guard let tests = bundle?.bundleURL ?? Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
      return tests.deletingLastPathComponent().appending(path: "arbor-storage")
    }
  }
}
