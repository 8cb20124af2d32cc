import ArborDevTools
import Foundation
import Testing

@Suite("A page of a recording")
struct RecordingPageTests {
  /// Returns the page of JSON that is written in pieces of a size.
  private func page(of json: String, pieces size: Int = .max, live: String? = nil) -> String {
    let written = Written()
    var page = RecordingPage<Never>(live: live) { written.bytes += $0 }
    var rest = Array(json.utf8)[...]
    while !rest.isEmpty {
      page.write(json: rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    page.finish()
    return String(decoding: written.bytes, as: UTF8.self)
  }

  /// Returns the text in the script element with the data.
  private func data(of page: String) -> String {
    let start = page.range(of: PageTemplate.beforeRecording.description)!.upperBound
    return String(page[start...].dropLast(PageTemplate.afterRecording.description.count))
  }

  private final class Written {
    var bytes: [UInt8] = []
  }

  @Test func `a page is the part before the recording, the recording, and the part after it`() {
    let json = #"{"format":"arbor-recording","name":"Caf\u00e9 é 🌳"}"#
    let template = PageTemplate.self
    let expected = "\(template.beforeLive)\(template.beforeRecording)\(json)\(template.afterRecording)"
    #expect(page(of: json) == expected)
  }

  @Test(arguments: 1...9)
  func `no data ends the script element, wherever the data is cut`(size: Int) {
    let json = "[\"</script><!-- \u{2028}\u{2029}\u{2027}\u{2030}€ \\ud800 \u{2028}\"]"
    let escaped = "[\"\\u003c/script>\\u003c!-- \\u2028\\u2029\u{2027}\u{2030}€ \\ud800 \\u2028\"]"
    #expect(data(of: page(of: json, pieces: size)) == escaped)
  }

  @Test func `bytes that look like the start of a separator are unchanged`() {
    let written = Written()
    var page = RecordingPage<Never> { written.bytes += $0 }
    let pieces: [[UInt8]] = [[0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x3C], [0xE2, 0x80]]
    for piece in pieces { page.write(json: piece) }
    page.finish()
    let data = written.bytes.dropLast(PageTemplate.afterRecording.utf8CodeUnitCount)
    let expected = [0xE2, 0xE2, 0x80, 0xE2, 0x80] + Array(#"\u003c"#.utf8) + [0xE2, 0x80]
    #expect(Array(data.suffix(expected.count)) == expected)
  }

  @Test func `a live page contains the path of its program, which stays an attribute`() {
    let page = page(of: "{}", live: #"a"><script>&"#)
    #expect(page.contains(#"<meta name="arbor-live" content="a&quot;&gt;&lt;script&gt;&amp;">"#))
    #expect(!self.page(of: "{}").contains(#"content="a"#))
  }

  @Test func `the recording is passed on in pieces, and not kept`() {
    let written = Sizes()
    var page = RecordingPage<Never> { written.sizes.append($0.count) }
    let before = written.sizes.count
    for _ in 0..<1000 { page.write(json: [UInt8](repeating: 0x31, count: 64)) }
    #expect(written.sizes[before...].allSatisfy { $0 == 64 } && written.sizes.count == before + 1000)
    page.finish()
    #expect(written.sizes.last == PageTemplate.afterRecording.utf8CodeUnitCount)
  }

  private final class Sizes {
    var sizes: [Int] = []
  }

  @Test func `an error of the output ends the writing`() throws {
    let written = Sizes()
    var page = try RecordingPage<Full> { bytes throws(Full) in
      if written.sizes.count == 3 { throw Full() }
      written.sizes.append(bytes.count)
    }
    try page.write(json: "{".utf8)
    #expect(throws: Full.self) { try page.finish() }
    #expect(written.sizes.count == 3)
  }

  private struct Full: Error {}
}
