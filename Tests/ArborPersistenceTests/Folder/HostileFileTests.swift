import ArborPersistence
import Foundation
import TestSupport
import Testing

/// Files with correct checksums, but with arbitrary numbers and records.
@Suite("Hostile files")
struct HostileFileTests {
  private static let salt: UInt64 = 7
  private static let numbers: [UInt64] =
    [0, 1, 2, 3, Frame.bound - 2, Frame.bound - 1, Frame.bound, .max / 2 - 1, .max / 2, .max - 1, .max]

  /// Returns a record of an existing kind, with arbitrary bytes for its fields.
  private func record(_ random: inout SplitMix64) -> [UInt8] {
    let bytes: [UInt8] = [0, 1, 2, 3, 0x61, 0x7F, 0x80, 0xFF]
    let fields = (0..<Int.random(in: 0..<14, using: &random)).map { _ in bytes.randomElement(using: &random)! }
    return [UInt8.random(in: 0...3, using: &random)] + fields
  }

  private func file(_ kind: FrameFileHeader.Kind, _ random: inout SplitMix64) -> [UInt8] {
    let first = Self.numbers.randomElement(using: &random)!
    var bytes = FrameFileHeader(kind, salt: Self.salt, first: first).bytes
    var number = first
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      Frame(number, durableThrough: Self.numbers.randomElement(using: &random)!, record(&random)[...])
        .write(to: &bytes, salt: Self.salt)
      number &+= UInt64.random(in: 0...2, using: &random)
    }
    return bytes
  }

  @Test func `P2 hostile files are read or refused, and entries written after them are found`() throws {
    for seed in 0..<UInt64(repetitions(3_000)) {
      var random = SplitMix64(seed: seed)
      let folder = MemoryFolder()
      for number in 1...3 where Bool.random(using: &random) {
        let kind = FrameFileHeader.Kind.allCases.randomElement(using: &random)!
        try folder.create("\(number).\(kind == .log ? "log" : "state")").append(file(kind, &random))
      }
      if Bool.random(using: &random) { _ = try folder.create("\(Frame.bound - 1).end") }
      let contents = try FolderContents(of: folder)
      let writer = FolderWriter(folder, goingOnFrom: contents, durability: .full)
      do throws(FileError) {
        try writer.rewrite(contents)
      } catch {
        #expect(error.reason == .other(EOVERFLOW), "seed \(seed)")
        continue
      }
      let again = try FolderContents(of: folder)
      #expect(again.findings == [], "seed \(seed)")
      #expect(again.parts == contents.parts, "seed \(seed)")
    }
  }
}
