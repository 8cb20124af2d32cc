import ArborPersistence
import Foundation
import Testing

@testable import StorageCore

@Suite struct VerifyTests {
  private let folder: TemporaryFolder

  /// A state, and a log with three entries: the form of the journal, and two steps.
  init() async throws {
    folder = try TemporaryFolder()
    try await Notebooks.journal(Journal(of: Notebooks.feature), [.add("milk")], [.add("tea")], in: folder)
  }

  @Test func `an unchanged storage is reported in one line`() {
    #expect(
      Outcome.of("verify", folder.path) == Outcome(lines: ["everything is intact, up to entry 4"])
    )
  }

  @Test func `a truncated end is reported`() throws {
    let log = try folder.name(endingIn: ".log")
    try folder.cut(log, by: 1)
    let outcome = Outcome.of("verify", folder.path)
    #expect(outcome.status == 1 && outcome.lines.count == 1)
    #expect(outcome.lines.first?.hasPrefix("\(log) is incomplete from byte ") == true)
    #expect(outcome.lines.first?.hasSuffix(" on: the rest is ignored") == true)
  }

  @Test func `a flipped byte of a log is reported with its place`() async throws {
    // A later entry shows that those before it were acknowledged.
    try await Notebooks.journal(Journal(of: Notebooks.feature), [.add("rye")], in: folder)
    let log = try folder.name(endingIn: ".log")
    try folder.flip(log, at: 60)
    #expect(
      Outcome.of("verify", folder.path)
        == Outcome(lines: ["\(log) is damaged at byte 32: everything from there on is lost"], status: 1)
    )
  }

  @Test func `a damaged part is named`() throws {
    let state = try folder.name(endingIn: ".state")
    let frame = try folder.secondFrame(of: state)
    try folder.flip(state, in: "light")
    #expect(
      Outcome.of("verify", folder.path)
        == Outcome(lines: ["\(state) is damaged at byte \(frame), and these parts are lost: settings"], status: 1)
    )
  }

  @Test func `an unreadable state makes the entries after it unusable too`() throws {
    let state = try folder.name(endingIn: ".state")
    try folder.flip(state, at: 0)
    let outcome = Outcome.of("verify", folder.path)
    #expect(outcome.status == 1)
    #expect(
      outcome.lines == [
        "\(state) is damaged at byte 0: all its parts are lost",
        "2.log is not used, because the entries before it cannot be read",
      ]
    )
  }

  @Test func `every flipped byte of a storage is found`() throws {
    for name in try folder.names {
      for offset in 0..<(try folder.size(of: name)) {
        try folder.flip(name, at: offset)
        #expect(Outcome.of("verify", folder.path).status != 0, "\(name) at \(offset)")
        try folder.flip(name, at: offset)
      }
    }
    #expect(Outcome.of("verify", folder.path).status == 0)
  }

  @Test(arguments: ["inspect", "export", "verify", "repair"])
  func `a path that isn't a storage is reported, and nothing is created`(command: String) throws {
    let empty = try TemporaryFolder()
    let missing = empty.path + "/missing"
    let file = empty.path + "/file"
    try Data("text".utf8).write(to: URL(fileURLWithPath: file))
    #expect(
      Outcome.of(command, empty.path)
        == Outcome(errors: ["arbor-storage: there is no storage in \(empty.path)"], status: 2)
    )
    #expect(
      Outcome.of(command, missing) == Outcome(errors: ["arbor-storage: there is no folder \(missing)"], status: 2)
    )
    #expect(Outcome.of(command, file) == Outcome(errors: ["arbor-storage: \(file) is not a folder"], status: 2))
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty.path) == ["file"])
  }

  @Test func `a newer format is refused`() throws {
    // A header has a mark, a salt, a number, a version, and the checksum of these.
    let header: [UInt8] =
      Array("ARBORLOG".utf8) + [UInt8](repeating: 0, count: 16) + [2, 0, 0, 0] + [0, 0, 0, 0]
    try Data(header).write(to: folder.url.appending(path: "9.log"))
    #expect(Outcome.of("verify", folder.path).status == 1, "the checksum is not right")
    try Data(header.prefix(28) + Self.checksum(of: header.prefix(28))).write(to: folder.url.appending(path: "9.log"))
    #expect(
      Outcome.of("verify", folder.path)
        == Outcome(
          errors: ["arbor-storage: 9.log was written by a newer version of the library, in version 2 of the format"],
          status: 2
        )
    )
  }

  /// A CRC-32C, bit by bit.
  private static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = (value & 1 == 0 ? 0 : 0x82F6_3B78) ^ (value >> 1) }
    }
    return withUnsafeBytes(of: (~value).littleEndian) { Array($0) }
  }
}
