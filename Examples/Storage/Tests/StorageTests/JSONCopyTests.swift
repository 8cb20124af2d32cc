import Foundation
import Testing

@testable import StorageCore

@Suite struct JSONCopyTests {
  private func copy(_ text: String) -> String? {
    JSONCopy.bytes(of: text).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("{}", "{}"), (" [ ] ", "[]"), ("[1,\n2 , 3]\n", "[1,2,3]"), (#"{ "a" : { "b": null } }"#, #"{"a":{"b":null}}"#),
    ("-0.50e+10", "-0.50e+10"), ("1E-3", "1E-3"), ("123456789012345678901234567890", "123456789012345678901234567890"),
    (#""\"\\\/\b\f\n\r\t\u00e9""#, #""\"\\\/\b\f\n\r\t\u00e9""#), (#""\ud83D\uDE00""#, #""\ud83D\uDE00""#),
    (" true", "true"), ("false ", "false"), (#""é😀""#, #""é😀""#), ("\"\u{202E}\u{7F}\"", #""\u202e\u007f""#),
  ])
  func `JSON is copied without the space between its tokens`(text: String, expected: String) {
    #expect(copy(text) == expected)
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1]]", "1 2", "01", "-",
    "1.", ".5", "1e", "+1", "tru", "True", "nulll", "NaN", "'a'", "\"a", "\"\n\"", "\"\t\"", #""\x""#, #""\u12g4""#,
    #""\u12""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, "\u{FEFF}1", "\"a\\\u{202E}\"", "// a\n1", "[1\u{A0}]",
  ])
  func `invalid JSON is not copied`(text: String) {
    #expect(copy(text) == nil)
  }

  @Test func `values nested too deeply for readers are not copied`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(copy(nested(1_000_000)) == nil)
    let text = try #require(copy(nested(500)))
    #expect(try JSONSerialization.jsonObject(with: Data("{\"differences\":[\(text)]}".utf8)) is [String: Any])
  }

  @Test func `random texts that Foundation reads are copied, except for those with trailing commas`() {
    var random = Numbers(state: 7)
    let tokens = [
      "{", "}", "[", "]", ",", ":", #""a""#, #""b""#, "1", "-2.5", "0", "true", " ", "\n", #""\n""#, "x",
    ]
    var copies = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in tokens.randomElement(using: &random)! }.joined()
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      let squeezed = text.filter { $0 != " " && $0 != "\n" }
      let hasComma = squeezed.contains(",]") || squeezed.contains(",}")
      let copy = copy(text)
      #expect((copy != nil) == (object != nil && !hasComma), "\(text.debugDescription)")
      if copy != nil { copies += 1 }
    }
    #expect(copies > 1_000)
  }

  /// A generator of numbers that are the same in each run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
