import ArborDevTools
import Foundation
import Testing

@Suite("Files of recordings")
struct RecordingFileTests {
  @Test func `a recording that is written can be read again`() throws {
    for entries in [[], Recordings.entries, (1...2000).map(Recordings.small)] {
      let bytes = try Recordings.bytes(entries, position: min(entries.count, 2))
      let reader = try RecordingFileReader(bytes)
      #expect(reader.header == Recordings.header)
      for entry in entries { #expect(try reader.next() == entry) }
      #expect(try reader.next() == nil)
      var trailer = Recordings.trailer
      trailer.position = min(entries.count, 2)
      #expect(try reader.trailer() == trailer)
    }
  }

  @Test func `a file equals the kept file, with one line for each entry`() throws {
    let bytes = try Recordings.bytes(Recordings.entries, position: 2)
    let kept = try Array(Data(contentsOf: Recordings.kept("recording.arbor.json")))
    #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: kept, as: UTF8.self))
    #expect(bytes.split(separator: UInt8(ascii: "\n")).count == 2 + Recordings.entries.count)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect((object?["entries"] as? [Any])?.count == 3)
  }

  @Test func `unread entries and unknown members are skipped`() throws {
    let text = """
      {"format":"arbor-recording","hint":{"a":[1]},"version":1,"name":"","state":"S","action":"A",
      "began":"2026-11-23T20:00:00Z","encoding":"description","base":{},"entries":[
      {"number":1,"store":1,"name":"a","text":"a","cause":{"kind":"timer","more":1},"outcome":"held","new":{"x":[]}}],
      "later":null,"position":1}
      """
    let reader = try RecordingFileReader(Array(text.utf8))
    #expect(reader.header.encoding == .description)
    let trailer = try reader.trailer()
    #expect(reader.count == 1)
    #expect(trailer == RecordingDocument.Trailer(stores: [], position: 1))
    #expect(trailer.root == nil && Recordings.trailer.root == 1)
  }

  @Test func `a file that is not a recording is refused, and so is a newer version`() throws {
    func error(_ text: String) -> RecordingFileError? {
      #expect(throws: RecordingFileError.self) { try RecordingFileReader(Array(text.utf8)) }
    }
    for text in [
      "", "[]", "hello", #"{"format":"other","entries":[]}"#, #"{"entries":[]}"#, #"{"a":1}"#, "{}", "\u{0}",
    ] {
      guard case .notARecording? = error(text) else {
        Issue.record("\(text): \(error(text) as Any)")
        continue
      }
    }
    for version in ["0", "-1", "\"1\""] {
      let text = #"{"format":"arbor-recording","version":\#(version),"#
      #expect(error(text) == .notARecording("its version is not a positive number"))
    }
    // This version doesn't have to understand the header of a newer one.
    let newer = #"{"format":"arbor-recording","version":2,"base":?"#
    #expect(error(newer) == .newerVersion(found: 2, supported: 1))
    #expect(error(newer)?.description.contains("version 2") == true)
    #expect(error(#"{"version":7,"format":"arbor-recording","#) == .newerVersion(found: 7, supported: 1))
    guard case .damaged(51, nil, _)? = error(#"{"format":"arbor-recording","version":1,"name":"x" "state"#) else {
      Issue.record("\(error(#"{"format":"arbor-recording","version":1,"name":"x" "state"#) as Any)")
      return
    }
  }

  @Test func `a truncated file is refused, with the entry and the byte`() throws {
    let bytes = try Recordings.bytes(Recordings.entries, position: 2)
    for count in 0..<(bytes.count - 1) {
      let error = #expect(throws: RecordingFileError.self) {
        let reader = try RecordingFileReader(Array(bytes[..<count]))
        while try reader.next() != nil {}
        _ = try reader.trailer()
      }
      guard case .damaged(count, _, _)? = error else {
        guard case .notARecording? = error, count < 30 else {
          Issue.record("\(count): \(error as Any)")
          return
        }
        continue
      }
    }
  }

  @Test func `a damaged entry is reported by its number, and no entry follows it`() throws {
    let bytes = try Recordings.bytes(Recordings.entries, position: 2)
    for (good, bad) in [
      (#""outcome":"replaced""#, #""outcome":"eaten""#), (#""times":[12.5"#, #""times":["x""#), (#""store":1,"#, ""),
      (#"["1","count"],1"#, #"["1",-1],1"#), (#"[["3"]]"#, #"[[]]"#), (#""task":7"#, #""task":7.5"#),
      (#""kind":"task""#, #""kind":7"#), ("{\"number\":7", "[7"),
    ] {
      var text = String(decoding: bytes, as: UTF8.self)
      let second = try #require(text.range(of: "{\"number\":7"))
      let place = try #require(text.range(of: good, range: second.lowerBound..<text.endIndex))
      text.replaceSubrange(place, with: bad)
      let reader = try RecordingFileReader(Array(text.utf8))
      #expect(try reader.next() == Recordings.entries[0])
      let error = #expect(throws: RecordingFileError.self) { try reader.next() }
      guard case .damaged(let byte, 2, _)? = error else {
        Issue.record("\(bad): \(error as Any)")
        continue
      }
      #expect(byte >= text.utf8.distance(from: text.startIndex, to: second.lowerBound))
      #expect(try reader.next() == nil)
    }
  }

  @Test func `a position beyond the entries is refused`() throws {
    let bytes = try Recordings.bytes(Recordings.entries, position: 4)
    #expect(throws: RecordingFileError.self) { try RecordingFileReader(bytes).trailer() }
  }
}
