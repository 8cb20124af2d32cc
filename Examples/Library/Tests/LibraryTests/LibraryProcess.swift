import Foundation

/// The built program, running, with its standard streams in files, so that no pipe fills up while nobody reads it.
enum LibraryProcess {
  /// Runs the program with some input, until its end.
  static func run(_ arguments: [String], input: String = "") throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = try executable
    process.arguments = arguments
    let input = try folder.write(input.utf8, to: "input")
    let (output, errors) = try (folder.write([], to: "output"), folder.write([], to: "errors"))
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(lines: try lines(at: output), errors: try lines(at: errors), status: process.terminationStatus)
  }

  private static func lines(at path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The program, which is built beside the tests.
  private static var executable: URL {
    get throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      guard let tests = bundle?.bundleURL ?? Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
      return tests.deletingLastPathComponent().appending(path: "library")
    }
  }
}
