import Foundation

/// The running program, with its standard streams in pipes.
final class BoardProcess {
  struct Outcome: Equatable {
    var lines: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var unread = Data()

  init(_ arguments: [String]) throws {
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  convenience init(_ arguments: String...) throws {
    try self.init(arguments)
  }

  func send(_ commands: String...) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(commands.map { "\($0)\n" }.joined().utf8))
  }

  /// Sends a command, and waits for the first line of its answer; nil if the output has ended.
  func ask(_ command: String) throws -> String? {
    try send(command)
    return nextLine()
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
    return try outcome(lines)
  }

  /// Ends the program like `kill -9`, and waits for its end.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func outcome(_ lines: [String]) throws -> Outcome {
    let errors = try self.errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      lines: lines,
      errors: String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init),
      status: process.terminationStatus
    )
  }

  /// The program's file, which is built next to the tests.
  private static var executable: URL {
    get throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      guard let tests = bundle?.bundleURL ?? Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
      return tests.deletingLastPathComponent().appending(path: "board")
    }
  }
}

/// A folder that is removed with its last reference.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.path }
}
