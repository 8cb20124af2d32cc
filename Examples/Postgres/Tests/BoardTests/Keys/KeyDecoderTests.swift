import BoardCore
import Testing

@Suite("Keys from the bytes of a terminal")
struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.keys(of: Array(text.utf8)) + decoder.flush()
  }

  @Test(arguments: [
    ("a", [Key.character("a")]), ("aé牛🥛", [.character("a"), .character("é"), .character("牛"), .character("🥛")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
    ("\u{3}", [.control("c")]), ("\u{1A}", [.control("z")]), ("\u{0}", []), ("\u{1C}", []),
    ("\u{1B}[A", [.arrow(.up)]), ("\u{1B}OB", [.arrow(.down)]), ("\u{1B}[1;2C", [.arrow(.right, isShifted: true)]),
    ("\u{1B}[1;5D", [.arrow(.left, isShifted: true)]), ("\u{1B}[H\u{1B}[4~", [.home, .end]), ("\u{1B}[3~", [.delete]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[Z", [.backTab]),
    ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}x", [.alt("x")]), ("\u{1B}é", [.alt("é")]),
    ("\u{1B}[<0;5;6Mq", [.character("q")]), ("\u{1B}[[Aq", [.character("q")]),
    ("\u{1B}[99;99;99$~q", [.character("q")]),
    ("\u{1B}[1\u{7}q", [.control("g"), .character("q")]), ("\u{1B}[", []), ("\u{9B}q", [.character("q")]),
    ("\u{1B}[200~q\r\u{1B}[A\u{3}\u{1B}[201~a", [.paste("q\r\u{1B}[A\u{3}"), .character("a")]),
  ])
  func `a key is decoded from its bytes, however they are split`(text: String, expected: [Key]) {
    #expect(keys(text) == expected)
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var decoder = KeyDecoder()
      let keys = decoder.keys(of: bytes[..<split]) + decoder.keys(of: bytes[split...]) + decoder.flush()
      #expect(keys == expected)
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.keys(of: [$0]) } + decoder.flush() == expected)
  }

  @Test func `an escape waits for its rest, until there is none`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(of: [0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.keys(of: [0x1B]) + decoder.keys(of: Array("[A".utf8)) == [.arrow(.up)])
    #expect(!decoder.isWaiting)
  }

  @Test func `invalid bytes are ignored`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(of: [0xFF, 0x61, 0xC3, 0x62, 0x80, 0xED, 0xA0, 0x80, 0x63, 0xF8]) == ["a", "b", "c"])
    #expect(decoder.keys(of: [0xE7, 0x89]) == [])
    #expect(decoder.keys(of: [0x9B, 0x1B]) == ["牛"])
  }

  @Test func `a paste is read to its end, and cut if it is too long`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(of: Array("\u{1B}[200~q".utf8)) == [])
    #expect(decoder.flush() == [])
    #expect(!decoder.isWaiting)
    for _ in 0..<100 { #expect(decoder.keys(of: Array(repeating: UInt8(ascii: "x"), count: 4096)) == []) }
    let keys = decoder.keys(of: Array("\u{1B}[201~q".utf8))
    guard case .paste(let text)? = keys.first else {
      Issue.record("\(keys)")
      return
    }
    #expect(text.hasPrefix("qxxx"))
    #expect(text.utf8.count < 1 << 17)
    #expect(keys.dropFirst() == ["q"])
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The key of a character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self = .character(character)
  }
}
