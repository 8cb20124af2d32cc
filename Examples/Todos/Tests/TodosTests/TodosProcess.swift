import Foundation

/// The built program, running, with its standard streams in pipes.
final class TodosProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var unread = Data()

  /// Starts the program. If it may not write files, each write fails as if the disk were full.
  ///
  /// - Parameter folder: The folder in which it is started; nil for the folder of the tests.
  init(arguments: [String], in folder: String? = nil, mayWriteFiles: Bool = true) throws {
    let executable = try TodosProcess.executable
    if mayWriteFiles {
      process.executableURL = executable
      process.arguments = arguments
    } else {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", executable.path] + arguments
    }
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Runs the program on a folder with some commands, until the end of the input.
  static func run(_ list: String, _ commands: String...) throws -> Outcome {
    let process = try TodosProcess(arguments: [list])
    try process.send(commands)
    return try process.finish()
  }

  func send(_ commands: [String]) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(commands.map { "\($0)\n" }.joined().utf8))
  }

  /// Waits for a line of the output; nil at its end.
  func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = unread.suffix(from: end + 1) }
        return String(decoding: unread.prefix(upTo: end), as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }

  /// Ends the input, and waits for the end of the program.
  func finish() throws -> Outcome {
    try input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    let errors = try self.errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      lines: lines,
      errors: String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init),
      status: process.terminationStatus
    )
  }

  /// Ends the program like `kill -9`, and waits for its end.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The program, which is built next to the tests.
  private static var executable: URL {
    get throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      guard let tests = bundle?.bundleURL ?? Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
      return tests.deletingLastPathComponent().appending(path: "todos")
    }
  }
}
