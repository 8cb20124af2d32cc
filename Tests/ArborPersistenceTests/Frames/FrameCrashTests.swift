import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

/// Frames on a disk that loses, reorders and tears unsynced writes.
@Suite("Frames and crashes", .oneThread)
struct FrameCrashTests {
  private static let salt: UInt64 = 7
  private static let header = FrameFileHeader(.log, salt: salt)

  /// A program that appends frames, syncs several at a time, and crashes.
  private struct Writer {
    let folder = SimulatedFolder()
    let file: any FolderFile
    var written: UInt64 = 0
    var acknowledged: UInt64 = 0

    init() throws {
      file = try folder.create("log")
      try file.append(FrameCrashTests.header.bytes)
      try file.sync(.full)
      try folder.sync(.full)
    }

    mutating func append(_ lengths: [Int], saysDurable: Bool = true) throws {
      var bytes: [UInt8] = []
      for length in lengths {
        written += 1
        Frame(written, durableThrough: saysDurable ? acknowledged : written - 1, Self.payload(written, length)[...])
          .write(to: &bytes, salt: FrameCrashTests.salt)
      }
      try file.append(bytes)
    }

    mutating func sync() throws {
      try file.sync(.full)
      acknowledged = written
    }

    static func payload(_ number: UInt64, _ length: Int) -> [UInt8] {
      var random = SplitMix64(seed: number)
      return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }

  private func run(_ random: inout SplitMix64, saysDurable: Bool = true) throws -> (scan: FrameScan, Writer) {
    var writer = try Writer()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 {
        try writer.sync()
      } else {
        let lengths = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<900, using: &random) }
        try writer.append(lengths, saysDurable: saysDurable)
      }
    }
    let bytes = try #require(writer.folder.afterCrash(choosing: &random).bytes(of: "log"))
    return (FrameScan(of: bytes, Self.header), writer)
  }

  @Test func `P1 and P2 after a crash, each acknowledged frame is read, and the rest never counts as damage`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<repetitions(1_000) {
      let (scan, writer) = try run(&random)
      #expect(scan.frames.map(\.number) == Array(1..<(UInt64(scan.frames.count) + 1)))
      #expect(scan.frames.count >= writer.acknowledged)
      #expect(scan.frames.allSatisfy { Array($0.payload) == Writer.payload($0.number, $0.payload.count) })
      #expect(scan.rest == .nothing || scan.rest == .tornEnd)
    }
  }

  @Test func `if frames claim too much to be durable, a torn end counts as damage`() throws {
    var random = SplitMix64(seed: 1)
    let hasDamage = try (0..<500).contains { _ in
      if case .damage = try run(&random, saysDurable: false).scan.rest { true } else { false }
    }
    #expect(hasDamage)
  }

  @Test func `a failed sync loses the writes before it, even if a later sync succeeds`() throws {
    var writer = try Writer()
    try writer.append([100])
    let failing = writer.folder.operations + 1
    writer.folder.failure = { number, _ in number == failing ? .other(5) : nil }
    #expect(throws: FileError(.sync, "log", .other(5))) { try writer.sync() }
    try writer.append([100])
    try writer.sync()
    var random = SplitMix64(seed: 1)
    let bytes = try #require(writer.folder.afterCrash(choosing: &random).bytes(of: "log"))
    #expect(FrameScan(of: bytes, Self.header).frames == [])
  }
}
