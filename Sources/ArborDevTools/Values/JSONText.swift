/// JSON that is written, in UTF-8.
///
/// - Whatever is in a text, the output is one line of valid JSON.
package struct JSONText {
  private var text = TextBytes()

  /// `true` if `<` is written `\u003c`, so that the text can stand in a page.
  package let escapesMarkup: Bool

  package init(escapesMarkup: Bool = false) {
    self.escapesMarkup = escapesMarkup
  }

  /// Writes a value.
  package init(of value: RecordedValue) {
    self.init()
    append(value)
  }

  /// The number of bytes that were written.
  var count: Int { text.count }

  /// The bytes that were written.
  package var bytes: [UInt8] { Array(text.written) }

  /// Takes out what was written.
  mutating func take() -> [UInt8] {
    defer { text.removeAll() }
    return bytes
  }

  /// Takes out what was written, as a text.
  mutating func takeText() -> String {
    defer { text.removeAll() }
    return String(decoding: text.written, as: UTF8.self)
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    self.text.append(text)
  }

  /// Writes a value. Any depth takes the same stack.
  package mutating func append(_ value: RecordedValue) {
    var open: [OpenValue] = []
    append(value, &open)
    while let last = open.indices.last {
      guard let part = open[last].next() else {
        append(open.removeLast().end)
        continue
      }
      if !part.isFirst { append(",") }
      if let key = part.key {
        append(quoted: key)
        append(":")
      }
      append(part.value, &open)
    }
  }

  /// Writes a value, or only the beginning of one with parts, which is added to those that are open.
  private mutating func append(_ value: RecordedValue, _ open: inout [OpenValue]) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(quoted: value)
    case .array(let elements):
      append("[")
      open.append(OpenValue(parts: .elements(elements)))
    case .object(let object):
      append("{")
      open.append(OpenValue(parts: .members(object.members)))
    }
  }

  /// An array or an object of which some parts are written.
  private struct OpenValue {
    enum Parts {
      case elements([RecordedValue])
      case members([RecordedObject.Member])
    }

    let parts: Parts
    private var count = 0

    init(parts: Parts) {
      self.parts = parts
    }

    /// Takes the next part; nil if there is none.
    mutating func next() -> (isFirst: Bool, key: String?, value: RecordedValue)? {
      defer { count += 1 }
      switch parts {
      case .elements(let elements):
        return count < elements.count ? (count == 0, nil, elements[count]) : nil
      case .members(let members):
        return count < members.count ? (count == 0, members[count].key, members[count].value) : nil
      }
    }

    var end: StaticString { if case .elements = parts { "]" } else { "}" } }
  }

  mutating func append(_ number: some FixedWidthInteger) {
    if number < 0 { append("-") }
    text.append(UInt64(number.magnitude))
  }

  mutating func append(_ number: Double) {
    guard number.isFinite else { return append(.number("\(number)")) }
    var digits = "\(number)"
    digits.withUTF8 { text.append($0) }
  }

  /// Writes a number with three decimals.
  mutating func append(thousandths number: Int64) {
    if number < 0 { append("-") }
    text.append(number.magnitude / 1000)
    append(".")
    text.append(number.magnitude % 1000, digits: 3)
  }

  // MARK: Texts

  mutating func append(quoted text: String) {
    append("\"")
    var text = text
    text.withUTF8 { text in
      var start = 0
      for index in text.indices where needsEscape(text[index]) {
        let separator = text[index] == 0xE2 ? JSONText.separator(in: text, at: index) : nil
        if text[index] == 0xE2, separator == nil { continue }
        self.text.append(UnsafeBufferPointer(rebasing: text[start..<index]))
        if let separator {
          append(separator)
          start = index + 3
        } else {
          appendEscape(of: text[index])
          start = index + 1
        }
      }
      self.text.append(UnsafeBufferPointer(rebasing: text[start...]))
    }
    append("\"")
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xE2: true
    case UInt8(ascii: "<"): escapesMarkup
    default: false
    }
  }

  /// The escape of a separator of lines or paragraphs, if that is what begins at an index.
  private static func separator(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> StaticString? {
    guard text[index + 1] == 0x80 else { return nil }
    return switch text[index + 2] {
    case 0xA8: "\\u2028"
    case 0xA9: "\\u2029"
    default: nil
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    default:
      let digits = StaticString("0123456789abcdef").utf8Start
      append("\\u00")
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
  }
}
