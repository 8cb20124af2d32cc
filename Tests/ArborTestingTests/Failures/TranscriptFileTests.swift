import ArborTesting
import Foundation
import Testing

@Suite("Transcripts kept in files")
struct TranscriptFileTests {
  /// Calls a body with a folder that is removed afterward.
  private static func withFolder(_ body: (_ path: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "transcripts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path())
  }

  /// Compares a text with a file that has some content.
  private static func difference(from kept: String, to text: String) throws -> TranscriptDifference? {
    var difference: TranscriptDifference?
    try withFolder { folder in
      let file = TranscriptFile("\(folder)/kept.txt", beside: .here())
      try Data(kept.utf8).write(to: URL(filePath: file.path))
      switch try file.compare(with: text, isRewriting: false) {
      case .same: difference = nil
      case .different(let found): difference = found
      case .missing, .rewritten: Issue.record("The file existed, and no rewrite was requested.")
      }
    }
    return difference
  }

  @Test func `a relative path starts in the folder of the test's file`() {
    let place = SourcePlace(fileID: "Tests/A.swift", filePath: "/project/Tests/A.swift", line: 1, column: 1)
    #expect(TranscriptFile("a/b.txt", beside: place).path == "/project/Tests/a/b.txt")
    #expect(TranscriptFile("/tmp/b.txt", beside: place).path == "/tmp/b.txt")
    let here = SourcePlace(fileID: "Tests/A.swift", filePath: "A.swift", line: 1, column: 1)
    #expect(TranscriptFile("b.txt", beside: here).path == "b.txt")
  }

  @Test func `a file is missing, then written, then the same`() throws {
    try Self.withFolder { (folder: String) throws in
      let file = TranscriptFile("\(folder)/kept.txt", beside: .here())
      #expect(try file.compare(with: "one\ntwo", isRewriting: false) == .missing)
      #expect(try file.compare(with: "one\ntwo", isRewriting: true) == .rewritten)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "one\ntwo\n")
      #expect(try file.compare(with: "one\ntwo", isRewriting: false) == .same)
      #expect(try file.compare(with: "one\ntwo\n", isRewriting: false) == .same)
      #expect(try file.compare(with: "one\ntwo", isRewriting: true) == .same)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kept.txt"])
    }
  }

  @Test func `a rewritten file keeps its mode, and a link is not replaced`() throws {
    try Self.withFolder { (folder: String) throws in
      let file = TranscriptFile("\(folder)/kept.txt", beside: .here())
      try Data("old".utf8).write(to: URL(filePath: file.path))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      #expect(try file.compare(with: "new", isRewriting: true) == .rewritten)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o640)
      let link = TranscriptFile("\(folder)/link.txt", beside: .here())
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
      #expect(throws: TranscriptFileError.self) { try link.compare(with: "newer", isRewriting: true) }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "new\n")
    }
  }

  @Test func `a file larger than one part is read and written completely`() throws {
    try Self.withFolder { (folder: String) throws in
      let file = TranscriptFile("\(folder)/kept.txt", beside: .here())
      let text = String(repeating: "increment – count: 1 → 2\n", count: 10_000)
      #expect(try file.compare(with: text, isRewriting: true) == .rewritten)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
      #expect(try file.compare(with: text, isRewriting: false) == .same)
    }
  }

  @Test func `a difference shows the lines that differ and some lines around them`() throws {
    let difference = try Self.difference(from: "a\nb\nc\nd\ne\nf\ng\nh\n", to: "a\nb\nc\nd\nE\nf\ng\nh\n")
    let text = """
        3: c
        4: d
      - 5: e
      + 5: E
        6: f
        7: g
      """
    #expect(difference?.line == 5)
    #expect(difference?.description == text)
  }

  @Test func `a difference shows inserted and removed lines`() throws {
    #expect(try Self.difference(from: "a\n", to: "a\nb\n")?.lines == ["  1: a", "+ 2: b"])
    #expect(try Self.difference(from: "a\nb\n", to: "a\n")?.lines == ["  1: a", "- 2: b"])
    #expect(try Self.difference(from: "a\na\n", to: "a\na\na\n")?.lines == ["  1: a", "  2: a", "+ 3: a"])
    #expect(try Self.difference(from: "", to: "a")?.lines == ["+ 1: a"])
    #expect(try Self.difference(from: "", to: "\n") == nil)
    #expect(try Self.difference(from: "", to: "") == nil)
    #expect(try Self.difference(from: "a\n", to: "a\n\n")?.lines == ["  1: a", "+ 2: "])
  }

  @Test func `a difference is short, no matter how much differs`() throws {
    let kept = (0..<100).map { "\($0)" }.joined(separator: "\n")
    let lines = try Self.difference(from: kept, to: "none")?.lines
    let expected = (0..<6).map { "- \($0 + 1): \($0)" } + ["- … 94 more", "+ 1: none"]
    #expect(lines == expected)
  }

  @Test func `a long line shows the part that differs`() throws {
    let same = String(repeating: "x", count: 1_000)
    let lines = try #require(try Self.difference(from: "\(same)a", to: "\(same)b")?.lines)
    let part = String(repeating: "x", count: 40)
    #expect(lines == ["- 1: …\(part)a", "+ 1: …\(part)b"])
    let tail = try #require(try Self.difference(from: "a\(same)", to: "b\(same)")?.lines)
    #expect(tail == ["- 1: a\(same.prefix(159))…", "+ 1: b\(same.prefix(159))…"])
  }

  @Test func `invisible characters are escaped`() throws {
    #expect(try Self.difference(from: "a\r\n", to: "a\n")?.lines == ["- 1: a\\r", "+ 1: a"])
    #expect(try Self.difference(from: "\u{E9}", to: "e\u{301}") != nil)
  }

  @Test func `a file that is not text is reported, and can be rewritten`() throws {
    try Self.withFolder { (folder: String) throws in
      let file = TranscriptFile("\(folder)/kept.txt", beside: .here())
      try Data([0xFF, 0xFE]).write(to: URL(filePath: file.path))
      let error = #expect(throws: TranscriptFileError.self) { try file.compare(with: "a", isRewriting: false) }
      #expect(error == .notUTF8(path: file.path))
      #expect(error?.description == "The transcript \(file.path) is not text in UTF-8.")
      #expect(try file.compare(with: "a", isRewriting: true) == .rewritten)
    }
  }

  @Test func `a folder can be neither read nor replaced`() throws {
    try Self.withFolder { (folder: String) throws in
      let path = "\(folder)/inner"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let file = TranscriptFile(path, beside: .here())
      let reading = #expect(throws: TranscriptFileError.self) { try file.compare(with: "a", isRewriting: false) }
      #expect(reading == .cannotRead(path: path, reason: "Is a directory"))
      #expect(reading?.description == "The transcript \(path) cannot be read: Is a directory.")
      let writing = #expect(throws: TranscriptFileError.self) { try file.compare(with: "a", isRewriting: true) }
      #expect(writing == .cannotWrite(path: path, reason: "Is a directory"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["inner"])
    }
  }

  @Test func `no folder is created`() throws {
    try Self.withFolder { (folder: String) throws in
      let file = TranscriptFile("\(folder)/none/kept.txt", beside: .here())
      #expect(try file.compare(with: "a", isRewriting: false) == .missing)
      let error = #expect(throws: TranscriptFileError.self) { try file.compare(with: "a", isRewriting: true) }
      #expect(error == .cannotWrite(path: file.path, reason: "No such file or directory"))
      #expect(
        error?.description == "The transcript \(file.path) cannot be written: No such file or directory."
      )
    }
  }

  @Test(arguments: ["1", "0", ""])
  func `a 1 in the environment requests rewriting`(value: String) async {
    await #expect(processExitsWith: .success) { [value] in
      unsetenv("ARBOR_REWRITE_TRANSCRIPTS")
      precondition(!TranscriptFile.isRewritingAsked)
      setenv("ARBOR_REWRITE_TRANSCRIPTS", value, 1)
      precondition(TranscriptFile.isRewritingAsked == (value == "1"))
    }
  }
}
