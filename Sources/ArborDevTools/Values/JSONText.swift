/// JSON that is being written, in UTF-8.
///
/// - For all texts and values, the output is one line of valid JSON.
package struct JSONText {
  private var text = TextBytes()

  /// `true` if `<` is written as `\u003c`, so that the text can be part of a page.
  package let escapesMarkup: Bool

  package init(escapesMarkup: Bool = false) {
    self.escapesMarkup = escapesMarkup
  }

  /// Makes the JSON of a value.
  package init(of value: RecordedValue) {
    self.init()
    append(value)
  }

  /// The number of written bytes.
  var count: Int { text.count }

  /// The written bytes.
  package var bytes: [UInt8] { Array(text.written) }

  /// The last written byte; nil if there is none.
  var last: UInt8? { text.written.last }

  /// Removes and returns the written bytes.
  mutating func take() -> [UInt8] {
    defer { text.removeAll() }
    return bytes
  }

  /// Removes the written bytes and returns them as a text.
  mutating func takeText() -> String {
    defer { text.removeAll() }
    return String(decoding: text.written, as: UTF8.self)
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    self.text.append(text)
  }

  /// Writes a value. The stack suffices for any depth.
  package mutating func append(_ value: RecordedValue) {
    append(value, atLevel: 0)
  }

  private mutating func append(_ value: RecordedValue, atLevel level: Int) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(quoted: value)
    case .array(let elements):
      FreshStack.run(atLevel: level) { appendList(elements) { $0.append($1, atLevel: level + 1) } }
    case .object(let object):
      FreshStack.run(atLevel: level) {
        appendList(object.members, "{", "}") { text, member in
          text.append(quoted: member.key)
          text.append(":")
          text.append(member.value, atLevel: level + 1)
        }
      }
    }
  }

  /// Writes parts between brackets.
  mutating func appendList<Part>(
    _ parts: [Part],
    _ begin: StaticString = "[",
    _ end: StaticString = "]",
    _ appendPart: (inout JSONText, Part) -> Void
  ) {
    append(begin)
    for (index, part) in parts.enumerated() {
      if index > 0 { append(",") }
      appendPart(&self, part)
    }
    append(end)
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

  /// Returns the escape of the line or paragraph separator at an index; nil if there is none.
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

/// UTF-8 that is written piece by piece.
///
/// - Pieces are written directly into memory. Appending such short pieces to an array takes several times as long.
private struct TextBytes: Sendable {
  /// The written bytes, followed by free space.
  private var memory: [UInt8] = []
  private(set) var count = 0

  /// The written bytes.
  var written: ArraySlice<UInt8> { memory[..<count] }

  /// Removes the written bytes, but keeps the memory for later ones.
  mutating func removeAll() {
    count = 0
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    write(atMost: bytes.count) { target in
      target.update(from: source, count: bytes.count)
      return bytes.count
    }
  }

  mutating func append(_ byte: UInt8) {
    write(atMost: 1) { target in
      target.pointee = byte
      return 1
    }
  }

  /// Writes a number, padded with leading zeros to a minimum number of digits.
  mutating func append(_ number: UInt64, digits minimum: Int = 1) {
    let room = max(minimum, 20)
    write(atMost: room) { target in
      // Writes from the last digit on, at the end of the room, so that the digits don't have to be counted first.
      var (begin, rest) = (room, number)
      while rest > 0 || room - begin < minimum {
        begin -= 1
        target[begin] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      let count = room - begin
      if begin > 0 { target.update(from: target + begin, count: count) }
      return count
    }
  }

  /// Calls a closure that writes after the written bytes.
  ///
  /// - Parameter write: Returns the number of bytes that it wrote.
  @inline(__always)
  private mutating func write(atMost room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if memory.count - count < room { grow(by: room) }
    count += memory.withUnsafeMutableBufferPointer { write($0.baseAddress.unsafelyUnwrapped + count) }
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    memory += repeatElement(0, count: max(room, memory.count, 64))
  }
}
