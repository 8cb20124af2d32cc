import Foundation
import Testing

@Suite("The program")
struct ProcessTests {
  @Test func `the screen after some frames and keys is printed`() throws {
    let outcome = try run(["--play", "60 1 30 x LEFT", "--size", "80x20"])
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n").map { String($0).withoutStyles }
    #expect(lines.count == 20)
    #expect(lines[0].hasPrefix("● the past  generation 89"))
  }

  @Test(arguments: [
    (["--play", "60 z"], "life: 'z' is neither a key nor a number of frames, which has at least two digits"),
    (["--play=-60"], "life: '-60' is neither a key nor a number of frames, which has at least two digits"),
    ([], "life: standard input and output must be a terminal; without one, use --play (see life --help)"),
    (["--play", "60", "--size", "0x20"], "Error: The value '0x20' is invalid for '--size <size>'"),
  ])
  func `impossible requests are reported`(arguments: [String], sentence: String) throws {
    let outcome = try run(arguments)
    #expect(outcome.status != 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix(sentence))
  }

  /// Runs the program, which is built next to the tests, without a terminal.
  private func run(_ arguments: [String]) throws -> (output: String, errors: String, status: Int32) {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let tests = try #require(bundle?.bundleURL ?? Bundle.main.executableURL)
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = tests.deletingLastPathComponent().appending(path: "life")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = try [output, errors].map { pipe in
      String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (texts[0], texts[1], process.terminationStatus)
  }
}
