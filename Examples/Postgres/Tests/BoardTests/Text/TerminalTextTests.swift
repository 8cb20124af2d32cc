import Testing

@testable import BoardCore

@Suite("Texts in a terminal")
struct TerminalTextTests {
  private func shown(_ text: String, _ width: Int = 1000) -> String { TerminalText(text, atMost: width).text }

  @Test(arguments: [
    ("milk", 4), ("", 0), ("牛乳", 4), ("🥛", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("👍🏽", 2), ("e\u{301}", 1), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1), ("Ａ", 2), ("…", 1), ("─", 1), ("ש", 1),
  ])
  func `the width is the number of columns`(text: String, width: Int) {
    let shown = TerminalText(text, atMost: 1000)
    #expect(shown.width == width)
    #expect(shown.text == text)
  }

  @Test(arguments: [
    ("\u{1B}[2J", "␛[2J"), ("a\nb\r\nc\t", "a␊b␍␊c␉"), ("\u{7F}", "␡"), ("\u{0}", "␀"),
    ("\u{9B}31m", "�31m"), ("\u{85}", "�"), ("\u{2028}\u{2029}", "��"),
    ("\u{202E}evil\u{202C}", "�evil�"), ("\u{2066}x\u{2069}", "�x�"), ("a\u{200B}b", "a�b"), ("\u{FEFF}", "�"),
    ("\u{301}x", "\u{25CC}\u{301}x"), ("\u{200D}", "�"), ("\u{E0041}", "�"), ("\u{E000}", "�"), ("\u{3164}", "�"),
    ("\u{AD}", "�"), ("\u{FFFF}", "�"),
  ])
  func `control and invisible characters are shown`(text: String, expected: String) {
    #expect(shown(text) == expected)
    // Harmless text doesn't change.
    #expect(shown(expected) == expected)
  }

  @Test func `no scalar of Unicode is executed`() {
    // The planes in between are empty, and so are nearly all of the last ones.
    for value in Array(UInt32(0)...0x1FFFF) + Array(0xE0000...0xE0FFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let cell = TerminalCell(Character(scalar))
      let isHarmless = cell.text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
      if !isHarmless || !(1...2).contains(cell.width) { Issue.record("\(String(value, radix: 16))") }
    }
  }

  @Test func `a character with many marks is cut`() {
    let text = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(shown(text).unicodeScalars.count == 10)
    #expect(TerminalText(text, atMost: 5).width == 1)
  }

  @Test(arguments: [
    ("bread", 5, "bread"), ("bread", 4, "bre…"), ("bread", 1, "…"), ("bread", 0, ""), ("牛乳", 3, "牛…"), ("牛乳", 2, "…"),
    ("牛", 1, "…"), ("a牛乳", 4, "a牛…"),
  ])
  func `a text is cut where it does not fit`(text: String, width: Int, expected: String) {
    #expect(shown(text, width) == expected)
    #expect(TerminalText(text, atMost: width).width <= width)
  }

  @Test func `a text is wrapped at spaces, and words that are too long are cut`() {
    #expect(TerminalText.wrapped("one two three", to: 7, lines: 3) == ["one two", "three"])
    #expect(TerminalText.wrapped("one two three", to: 5, lines: 3) == ["one", "two", "three"])
    #expect(TerminalText.wrapped("one two three", to: 5, lines: 2) == ["one", "two…"])
    #expect(TerminalText.wrapped("abcdefgh", to: 3, lines: 3) == ["abc", "def", "gh"])
    #expect(TerminalText.wrapped("牛乳", to: 1, lines: 9) == ["…", "…"])
    #expect(TerminalText.wrapped("one", to: 0, lines: 3) == [])
    #expect(TerminalText.wrapped("", to: 5, lines: 3) == [])
  }
}
