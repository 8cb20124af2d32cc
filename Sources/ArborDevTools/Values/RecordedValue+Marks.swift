extension RecordedValue {
  private static let mark = "$arbor"

  /// The mark in the place of a value that nobody shall see: `{"$arbor":"redacted"}`.
  package static let redacted = RecordedValue.object(RecordedObject([.init(mark, .string("redacted"))]))

  /// The mark in the place of a value that is too deep or too large: `{"$arbor":"omitted","text":"…"}`.
  package static func omitted(_ text: String) -> RecordedValue { marked("omitted", text) }

  /// A number that JSON has no digits for, or no double holds: `{"$arbor":"number","text":"nan"}`, `inf`, `-inf` or digits.
  package static func number(_ text: String) -> RecordedValue { marked("number", text) }

  private static func marked(_ name: String, _ text: String) -> RecordedValue {
    .object(RecordedObject([.init(mark, .string(name)), .init("text", .string(text))]))
  }

  /// The mark of a marked object, and its text.
  package var markedText: (mark: String, text: String)? {
    guard case .object(let object) = self, case .string(let mark)? = object[RecordedValue.mark] else { return nil }
    guard case .string(let text)? = object["text"] else { return (mark, "") }
    return (mark, text)
  }

  /// The key of a program as a tree has it: one with the name of a mark, `$arbor`, gets a `$` more, as does one that already
  /// has more.
  package static func escaped(_ key: String) -> String {
    escaped(key, from: mark)
  }

  /// The key of a program, of one that a tree has.
  package static func unescaped(_ key: String) -> String {
    looksLike(mark, key) && key.utf8.count > mark.utf8.count ? String(key.dropFirst()) : key
  }

  /// A key, with a `$` more if it is a mark that begins with `$`, or such a mark with more of them.
  static func escaped(_ key: String, from mark: String) -> String {
    looksLike(mark, key) ? "$" + key : key
  }

  private static func looksLike(_ mark: String, _ key: String) -> Bool {
    key.utf8.first == UInt8(ascii: "$") && key.utf8.count >= mark.utf8.count
      && key.utf8.suffix(mark.utf8.count).elementsEqual(mark.utf8)
      && key.utf8.dropLast(mark.utf8.count).allSatisfy { $0 == UInt8(ascii: "$") }
  }
}
