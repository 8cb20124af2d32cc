import BoardCore
import Testing

@Suite("A typed line")
struct TextFieldTests {
  private func typed(_ keys: Key..., after text: String = "") -> TextField {
    var field = TextField(text)
    for key in keys { _ = field.press(key) }
    return field
  }

  @Test func `characters are inserted at the cursor`() {
    let field = typed("d", .arrow(.left), "b", .home, "a", .end, "e", .arrow(.left), .arrow(.left), "c")
    #expect(field.text == "abcde")
    #expect(field.cursor == 3)
  }

  @Test func `a scalar that joins the previous one does not move the cursor`() {
    var field = typed("e", "\u{301}")
    #expect(field.text == "e\u{301}")
    #expect(field.cursor == 1)
    _ = field.press(.backspace)
    #expect(field.text.isEmpty)
  }

  @Test func `characters, words and lines are removed`() {
    #expect(typed(.backspace, after: "ab").text == "a")
    #expect(typed(.home, .backspace, .delete, after: "ab").text == "b")
    #expect(typed(.delete, after: "ab").text == "ab")
    #expect(typed(.control("w"), after: "one two  ").text == "one ")
    #expect(typed(.control("w"), .control("w"), .control("w"), after: "one two").text == "")
    #expect(typed(.arrow(.left), .control("u"), after: "ab").text == "b")
    #expect(typed(.home, .arrow(.right), .control("k"), after: "ab").text == "a")
  }

  @Test func `pasted text is one line without control characters`() {
    #expect(typed(.paste("a\r\nb\u{1B}[2J\tc\u{2028}")).text == "a  b [2J c ")
  }

  @Test func `a text ends at its maximum length`() {
    let field = typed(.paste(String(repeating: "x", count: 1000)), "y")
    #expect(field.text == String(repeating: "x", count: 500))
  }

  @Test func `spaces around a text are ignored`() {
    #expect(TextField("  a b \t").trimmed == "a b")
    #expect(TextField(" \n ").trimmed == "")
  }

  @Test func `other keys are not handled`() {
    var field = TextField("a")
    for key in [Key.enter, .escape, .tab, .alt("b"), .arrow(.up), .arrow(.left, isShifted: true), .control("g")] {
      let isTaken = field.press(key)
      #expect(!isTaken)
    }
    #expect(field == TextField("a"))
  }
}
