import Arbor
import ArborDevTools
import Foundation
import TestSupport
import Testing

@Suite("Files that are not loaded")
struct ImportErrorTests {
  /// The number of bytes between two places at which a file is cut.
  #if DEBUG
    private static let cut = 101
  #else
    private static let cut = 13
  #endif

  private typealias Program = ImportedProgram

  private struct Other: Codable, Sendable {}

  @Test func `a recording of another program is refused with a sentence that says why`() async throws {
    let text = String(decoding: try Program.bytes(await Program.recording()), as: UTF8.self)
    let bytes = Array(text.utf8)
    let other = #expect(throws: RecordingFileError.self) {
      try Recording<Other, Other>(RecordingFileReader(bytes)) { _, _ in }
    }
    #expect(
      other?.description
        == "The recording cannot be loaded: its states and actions have the types State and Action, not Other and Other."
    )
    for (good, bad, words) in [
      (#""encoding":"codable""#, #""encoding":"description""#, "descriptions"),
      (#""items":[],"edits":0"#, #""items":7,"edits":0"#, "At .items: There is a number"),
      (#""items":[],"edits":0"#, #""items":{"$arbor":"redacted"},"edits":0"#, "redacted"),
      (#""base":{"#, #""base":{"x":1,"#, "number of a store"),
      (#""version":1"#, #""version":2"#, "version 2"),
      ("arbor-recording", "other", "format"),
    ] {
      let bad = text.replacing(good, with: bad, maxReplacements: 1)
      #expect(bad != text)
      let error = #expect(throws: RecordingFileError.self) {
        try Program.imported(Array(bad.utf8)) { Issue.record("\($0) is not damage") }
      }
      #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
    let empty = text.replacing(/"base":\{.*\},"entries"/, with: #""base":{},"entries""#)
    #expect(throws: RecordingFileError.notLoadable("it has no state before the first action")) {
      try Program.imported(Array(empty.utf8))
    }
    #expect(throws: RecordingFileError.self) {
      try Recording<Program.State, Program.Action>(contentsOf: URL(filePath: "/none"), reducer: Program.reduce)
    }
  }

  @Test(arguments: [
    (#""number":2,"#, #""number":9223372036854775806,"#), (#""number":2,"#, #""number":9007199254740993,"#),
    (#""number":2,"#, #""number":-1,"#), (#""omitted":0"#, #""omitted":9223372036854775807"#),
    (#""omitted":0"#, #""omitted":-1"#),
  ])
  func `numbers that leave no room for counting are refused`(good: String, bad: String) throws {
    var recording = Recording<Program.State, Program.Action>(initialState: Program.State(), reducer: Program.reduce)
    try recording.perform([.clear, .add("a")])
    let text = String(decoding: try Program.bytes(recording), as: UTF8.self)
    let hostile = text.replacing(good, with: bad)
    #expect(hostile != text)
    let error = #expect(throws: RecordingFileError.self) { try Program.imported(Array(hostile.utf8)) }
    #expect(error?.description.contains("negative or too large") == true, "\(error as Any)")
  }

  @Test func `actions can be performed after the greatest allowed number`() throws {
    var recording = Recording<Program.State, Program.Action>(initialState: Program.State(), reducer: Program.reduce)
    try recording.perform([.clear, .add("a")])
    let text = String(decoding: try Program.bytes(recording), as: UTF8.self)
      .replacing(#""number":2,"#, with: #""number":9007199254740992,"#)
      .replacing(#""omitted":0"#, with: #""omitted":9007199254740992"#)
    var imported = try Program.imported(Array(text.utf8))
    #expect(try imported.perform(.add("b")) == 9_007_199_254_740_993)
    try imported.setLimit(2)
    #expect(String(decoding: try Program.bytes(imported), as: UTF8.self).contains(#""omitted":9007199254740993"#))
  }

  @Test func `numbers in any order are accepted, but none twice`() throws {
    var recording = Recording<Program.State, Program.Action>(initialState: Program.State(), reducer: Program.reduce)
    for _ in 0..<6 { try recording.perform(.clear) }
    for number in 1...5 { try recording.move(6 - number, before: nil) }
    let bytes = try Program.bytes(recording)
    let imported = try Program.imported(bytes)
    #expect(imported.entries.map(\.id) == [6, 5, 4, 3, 2, 1])
    #expect(try imported.index(of: 2) == 4)
    let text = String(decoding: bytes, as: UTF8.self)
    for (number, other) in [(1, 6), (1, 2), (5, 6)] {
      let twice = text.replacing("\"number\":\(number),", with: "\"number\":\(other),")
      let error = #expect(throws: RecordingFileError.self) { try Program.imported(Array(twice.utf8)) }
      #expect(error?.description.contains("the number \(other) occurs twice") == true, "\(error as Any)")
    }
  }

  @Test func `an action of another program is kept with its state`() async throws {
    let text = String(decoding: try Program.bytes(await Program.recording()), as: UTF8.self)
    let renamed = text.replacing(#""action":{"add":{"_0":"last"}}"#, with: #""action":{"append":{"_0":"last"}}"#)
    let imported = try Program.imported(Array(renamed.utf8))
    let entry = try #require(imported.entries.last)
    guard case .impossible(let reason)? = entry.importVerdict else {
      Issue.record("\(entry)")
      return
    }
    #expect(reason.contains("cannot be decoded as Action"))
    #expect(try imported.state(at: imported.count).items.last == "last")
    #expect(String(decoding: try Program.bytes(imported), as: UTF8.self) == renamed)
  }

  @Test func `a truncated file is read up to its damage if the caller handles it`() async throws {
    let recording = try await Program.recording()
    let bytes = try Program.bytes(recording)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let header = lines[0].count
    for count in stride(from: 0, to: bytes.count - 1, by: Self.cut) {
      let cut = Array(bytes[..<count])
      #expect(throws: RecordingFileError.self) { try Program.imported(cut) }
      var damage: [RecordingFileError] = []
      guard count >= header else {
        #expect(throws: RecordingFileError.self) { try Program.imported(cut) { damage.append($0) } }
        #expect(damage.isEmpty)
        continue
      }
      let imported = try Program.imported(cut) { damage.append($0) }
      #expect(damage.count == 1)
      var end = header + 1
      let whole = lines[1...].prefix(recording.count).prefix { line in
        // An entry is complete without the comma after it. The last one has no comma.
        defer { end += line.count + 1 }
        return end + line.count - (line.last == UInt8(ascii: ",") ? 1 : 0) <= count
      }
      #expect(imported.count == whole.count)
      #expect(try imported.state == recording.state(at: imported.count))
      #expect(throws: Never.self) { try Program.imported(Program.bytes(imported)) }
    }
  }

  @Test(arguments: 0..<repetitions(10))
  func `a damaged file never causes a crash`(seed: Int) async throws {
    let bytes = try Program.bytes(await Program.recording())
    var random = SplitMix64(seed: UInt64(seed))
    var read = 0
    for _ in 0..<30 {
      var bad = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bad, &random) }
      guard var imported = try? Program.imported(bad, onDamage: { _ in }) else { continue }
      read += 1
      for position in 0...imported.count {
        for store in try imported.stores(at: position) { _ = try imported.state(of: store.id, at: position) }
      }
      if let entry = imported.entries.randomElement(using: &random) {
        try imported.toggle(entry.id)
        try imported.move(entry.id, before: imported.entries.first?.id)
      }
      imported.sweep()
      _ = try Program.bytes(imported)
    }
    #expect(read > 0)
  }

  /// Changes a digit or another byte, or swaps two lines.
  private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    case 1:
      var lines = bytes.split(separator: UInt8(ascii: "\n"))
      guard lines.count > 4 else { return }
      let place = Int.random(in: 1..<(lines.count - 2), using: &random)
      lines.swapAt(place, Int.random(in: 1..<(lines.count - 2), using: &random))
      bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    default:
      let digits = bytes.indices.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }
      guard let place = digits.randomElement(using: &random) else { return }
      bytes[place] = [UInt8(ascii: "0"), UInt8(ascii: "7"), UInt8(ascii: "-")].randomElement(using: &random)!
    }
  }
}
