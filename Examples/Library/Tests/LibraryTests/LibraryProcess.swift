import Foundation

/// The built program, running.
enum LibraryProcess {
  /// Runs the program with some input until its end, with its standard streams in files, so that no pipe fills up
  /// without a reader.
  static func run(_ arguments: [String], input: String = "", longestFile blocks: Int? = nil) throws -> Outcome {
    let folder = try TemporaryFolder()
    let input = try folder.write(input.utf8, to: "input")
    let (output, errors) = try (folder.write([], to: "output"), folder.write([], to: "errors"))
    let process = try start(
      arguments,
      input: FileHandle(forReadingAtPath: input),
      output: FileHandle(forWritingAtPath: output),
      errors: FileHandle(forWritingAtPath: errors),
      longestFile: blocks
    )
    process.waitUntilExit()
    return Outcome(lines: try lines(at: output), errors: try lines(at: errors), status: process.terminationStatus)
  }

  /// Starts the program, with files or pipes as its standard streams.
  ///
  /// - Parameter blocks: The length of files at which a write fails as if the disk were full; nil for no limit.
  static func start(
    _ arguments: [String],
    input: Any?,
    output: Any?,
    errors: Any? = FileHandle.nullDevice,
    longestFile blocks: Int? = nil
  ) throws -> Process {
    let process = Process()
    let limit = blocks.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = try ["-c", "\(limit)exec \"$0\" \"$@\"", executable.path] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return process
  }

  private static func lines(at path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The program, which is built next to the tests.
  private static var executable: URL {
    get throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      guard let tests = bundle?.bundleURL ?? Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
      return tests.deletingLastPathComponent().appending(path: "library")
    }
  }
}
