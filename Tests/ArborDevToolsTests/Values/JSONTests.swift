import ArborDevTools
import Foundation
import TestSupport
import Testing

@Suite("JSON", .oneThread)
struct JSONTests {
  private func read(_ text: String) throws -> RecordedValue { try JSONReader.value(of: Array(text.utf8)) }

  @Test func `every value is written as one line of valid JSON, and read unchanged`() throws {
    var random = SplitMix64(seed: 4)
    var values = (0..<repetitions(2000)).map { _ in random.value(depth: 5) }
    for text in Hostile.texts {
      values += [.string(text), .object(RecordedObject([.init(text, .string(text)), .init("b", .null)]))]
    }
    values += [.double(.nan), .integer(.min), .unsigned(.max), .double(-0.0), .double(1e-7), .double(1e16)]
    for value in values {
      let text = JSONText(of: value)
      #expect(text.bytes.allSatisfy { $0 >= 0x20 })
      #expect(!text.text.unicodeScalars.contains { 0x2028...0x2029 ~= $0.value })
      _ = try JSONSerialization.jsonObject(with: Data(text.bytes), options: .fragmentsAllowed)
      let read = try JSONReader.value(of: text.bytes)
      #expect(read == (value == .double(.nan) ? .number("nan") : value))
      #expect(JSONText(of: read).bytes == text.bytes)
    }
  }

  @Test func `the result is the same for pieces of any size`() throws {
    var random = SplitMix64(seed: 5)
    let value = RecordedValue.array(
      (0..<50).map { _ in random.value(depth: 4) } + Hostile.texts.prefix(12).map { .string($0) })
    let bytes = JSONText(of: value).bytes + Array(#"  "\ud83d\udc69 \ud800 \ud800\ud83d\udc69" "#.utf8)
    for size in [1, 2, 3, 5, 7, 64] {
      var rest = bytes[...]
      var reader = JSONReader {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
      #expect(try reader.value() == value)
      #expect(try reader.value() == .string("👩 \u{FFFD} \u{FFFD}👩"))
      try reader.end()
    }
  }

  @Test func `no tag can begin in JSON for a page`() throws {
    var text = JSONText(escapesMarkup: true)
    text.append(.array([.string("</script><!--"), .object(RecordedObject([.init("<a>", .null)]))]))
    #expect(text.text == #"["\u003c/script>\u003c!--",{"\u003ca>":null}]"#)
    #expect(try JSONReader.value(of: text.bytes) == read(#"["</script><!--",{"<a>":null}]"#))
  }

  @Test func `unpaired surrogates and invalid bytes become U+FFFD`() throws {
    #expect(try read(#""\ud800""#) == .string("\u{FFFD}"))
    #expect(try read(#""\udc00a\ud800\u0041""#) == .string("\u{FFFD}a\u{FFFD}A"))
    #expect(try read(#""\ud800\n""#) == .string("\u{FFFD}\n"))
    #expect(try read(#""\ud83d\ude00""#) == .string("😀"))
    #expect(try JSONReader.value(of: [0x22, 0xFF, 0x41, 0x22]) == .string("\u{FFFD}A"))
  }

  @Test func `numbers are exact, or rounded to the nearest, or marked`() throws {
    #expect(try read("-9223372036854775808") == .integer(.min))
    #expect(try read("18446744073709551615") == .unsigned(.max))
    #expect(try read("18446744073709551616") == .double(18_446_744_073_709_551_616))
    #expect(try read("1E2") == .double(100))
    #expect(try read("-0") == .double(-0.0))
    #expect(try read("1e400") == .number("1e400"))
    #expect(try read("-1e-400") == .double(-0.0))
    #expect(try read("[0,-0.5e+1]") == .array([.integer(0), .double(-5)]))
  }

  @Test func `if a key occurs twice, the last value takes the place of the first`() throws {
    #expect(JSONText(of: try read(#"{"a":1,"b":2,"a":3}"#)).text == #"{"a":3,"b":2}"#)
    let many = (0..<100).map { #""\#($0 % 50)":\#($0)"# }.joined(separator: ",")
    let object = try #require(try read("{\(many)}").members)
    #expect(object == (0..<50).map { "\($0)" })
    // Keys that only look the same are different.
    #expect(try read(#"{"e\#u{301}":1,"\#u{E9}":2}"#).members?.count == 2)
  }

  @Test func `a thousand levels are read, and too many are refused`() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(JSONText(of: try read(nested(1000))).text == nested(1000))
    let error = JSONReadingError(offset: JSONReader.depth, reason: .deeper(than: JSONReader.depth))
    #expect(throws: error) { try read(nested(1_000_000)) }
    let objects = String(repeating: #"{"a":"#, count: 1_000_000)
    #expect(throws: JSONReadingError.self) { try read(objects) }
  }

  @Test(arguments: [
    ("", 0), ("[1,", 3), ("[1", 2), (#"{"a""#, 4), (#""abc"#, 4), ("tru", 3), ("-", 1), ("1e", 2), (#""\u00"#, 5),
  ])
  func `input that ends too early is refused`(_ text: String, _ offset: Int) {
    #expect(throws: JSONReadingError(offset: offset, reason: .endsTooEarly)) { try read(text) }
  }

  @Test(arguments: [
    ("[1,]", 3), ("[1 2]", 3), ("{1:2}", 1), (#"{"a" 1}"#, 5), (#"{"a":1,}"#, 7), ("truE", 0), ("[01]", 1), ("[1.]", 1),
    ("\"a\nb\"", 2), (#""\x""#, 1), (#""\u12G4""#, 1), ("nan", 0), ("[1]]", 3), ("'a'", 0), ("\u{FEFF} x", 4),
    ("+1", 0),
  ])
  func `garbage is refused with its place`(_ text: String, _ offset: Int) throws {
    let error = #expect(throws: JSONReadingError.self) { try read(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
  }

  @Test func `random bytes are either refused or read`() throws {
    var random = SplitMix64(seed: 6)
    let letters = Array(#"{}[]",:0123456789.-+eE\utrfalsn d8 "#.utf8) + [0, 0x1F, 0x80, 0xFF]
    var read = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<12, using: &random)).map { _ in letters.randomElement(using: &random)! }
      guard let value = try? JSONReader.value(of: bytes) else { continue }
      read += 1
      #expect(throws: Never.self) { try JSONReader.value(of: JSONText(of: value).bytes) }
    }
    #expect(read > 100)
  }
}
