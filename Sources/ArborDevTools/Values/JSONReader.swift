/// A reader that parses JSON from bytes as they arrive, and buffers as few of them as possible.
///
/// - It is strict: invalid JSON is an error, with the offset of the byte. A byte order mark at the very beginning is
///   skipped.
/// - Unpaired surrogates (`\ud800`), and bytes that aren't UTF-8, become U+FFFD.
/// - Whole numbers are exact if they fit into 64 bits. All others become the nearest double. Numbers beyond the range of
///   doubles are marked, with their digits (see ``RecordedValue/number(_:)``).
/// - If a key occurs twice in an object, the last one counts.
package struct JSONReader {
  /// The maximum depth of nested objects and arrays.
  package static let depth = 1100

  private var buffer: [UInt8] = []
  private var index = 0

  /// The offset of the buffer's first byte.
  private var start = 0

  /// Returns the next bytes; none at the end.
  private let more: () throws -> [UInt8]

  /// Makes a reader of bytes that arrive piece by piece.
  ///
  /// - Parameter more: Returns the next bytes; none at the end, even if called again.
  package init(_ more: @escaping () throws -> [UInt8]) {
    self.more = more
  }

  /// Makes a reader of bytes in memory.
  package init(_ bytes: [UInt8]) {
    self.init { [] }
    buffer = bytes
  }

  /// The offset of the next byte.
  package var offset: Int { start + index }

  // MARK: Bytes

  /// Returns the next byte without taking it; nil at the end.
  mutating func peek() throws(JSONReadingError) -> UInt8? {
    if index < buffer.count { return buffer[index] }
    return try refill() ? buffer[index] : nil
  }

  /// Takes the next byte.
  mutating func next() throws(JSONReadingError) -> UInt8 {
    guard let byte = try peek() else { throw error(.endsTooEarly) }
    index += 1
    return byte
  }

  private mutating func refill() throws(JSONReadingError) -> Bool {
    let bytes: [UInt8]
    do { bytes = try more() } catch { throw self.error(.unreadable("\(error)")) }
    start += buffer.count
    index = 0
    buffer = bytes
    return !bytes.isEmpty
  }

  func error(_ reason: JSONReadingError.Reason, at offset: Int? = nil) -> JSONReadingError {
    JSONReadingError(offset: offset ?? self.offset, reason: reason)
  }

  /// Skips spaces and returns the next byte without taking it; nil at the end.
  mutating func token() throws(JSONReadingError) -> UInt8? {
    if offset == 0 { try passOverMark() }
    while let byte = try peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
      default: return byte
      }
    }
    return nil
  }

  private mutating func passOverMark() throws(JSONReadingError) {
    guard try peek() == 0xEF else { return }
    for wanted: UInt8 in [0xEF, 0xBB, 0xBF] {
      let byte = try next()
      guard byte == wanted else {
        throw error(.unexpected(byte, wanted: "JSON"), at: offset - 1)
      }
    }
  }

  /// Skips spaces and takes a byte that must come next.
  ///
  /// - Parameter wanted: The bytes that are possible there, for errors.
  mutating func take(_ scalar: Unicode.Scalar, wanted: String? = nil) throws(JSONReadingError) {
    guard try takeIfNext(scalar) else {
      guard let byte = try peek() else { throw error(.endsTooEarly) }
      throw error(.unexpected(byte, wanted: wanted ?? "\"\(scalar)\""))
    }
  }

  /// Skips spaces and takes a byte if it comes next.
  mutating func takeIfNext(_ wanted: Unicode.Scalar) throws(JSONReadingError) -> Bool {
    guard try token() == UInt8(ascii: wanted) else { return false }
    index += 1
    return true
  }

  /// Checks that only spaces follow.
  package mutating func end() throws(JSONReadingError) {
    guard let byte = try token() else { return }
    throw error(.unexpected(byte, wanted: "the end"))
  }

  // MARK: Texts

  /// Takes a text. Its first quotation mark must come next.
  mutating func string() throws(JSONReadingError) -> String {
    try take("\"")
    var text: [UInt8] = []
    while true {
      let end = endOfPlainText()
      let piece = buffer[index..<end]
      index = end
      guard let byte = try peek() else { throw error(.endsTooEarly) }
      if byte == UInt8(ascii: "\""), text.isEmpty {
        index += 1
        return piece.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      }
      text += piece
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try takeEscape(into: &text)
      case ..<0x20: throw error(.unexpected(byte, wanted: "a character of a string"))
      default: break
      }
    }
  }

  /// Returns the index of the first byte in the buffer that needs special treatment in a text; the buffer's end if there
  /// is none.
  private func endOfPlainText() -> Int {
    buffer.withUnsafeBufferPointer { buffer in
      var index = index
      while index < buffer.count, buffer[index] >= 0x20, buffer[index] != UInt8(ascii: "\""),
        buffer[index] != UInt8(ascii: "\\")
      {
        index += 1
      }
      return index
    }
  }

  private mutating func takeEscape(into text: inout [UInt8]) throws(JSONReadingError) {
    let first = offset
    _ = try next()
    let byte = try next()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var units = [try unit(from: first)]
      // A lead surrogate needs a trail surrogate. If another unit follows, it is taken, too.
      while UTF16.isLeadSurrogate(units[units.count - 1]), try peek() == UInt8(ascii: "\\"), try isUnitNext() {
        units.append(try unit(from: offset - 2))
      }
      text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    default: throw error(.invalid("an invalid escape"), at: first)
    }
  }

  /// Takes `\u` if it comes next; otherwise takes nothing.
  private mutating func isUnitNext() throws(JSONReadingError) -> Bool {
    if index + 1 >= buffer.count {
      // The backslash may be the last byte of its piece.
      let rest = Array(buffer[index...])
      let offset = offset
      guard try refill() else { throw error(.endsTooEarly) }
      buffer.insert(contentsOf: rest, at: 0)
      start = offset
    }
    guard buffer[index + 1] == UInt8(ascii: "u") else { return false }
    index += 2
    return true
  }

  private mutating func unit(from first: Int) throws(JSONReadingError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try next()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw error(.invalid("an invalid escape"), at: first)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// An error in JSON that can't be read.
package struct JSONReadingError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    /// The input ends too early.
    case endsTooEarly

    /// A byte isn't possible in its place. The text names the possible ones.
    case unexpected(UInt8, wanted: String)

    /// A number, an escape or a word is invalid.
    case invalid(String)

    /// Objects and arrays are nested deeper than the maximum.
    case deeper(than: Int)

    /// The system can't provide the bytes.
    case unreadable(String)
  }

  /// The offset of the first wrong byte, counted from 0.
  package let offset: Int
  package let reason: Reason

  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }
}

extension JSONReadingError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .endsTooEarly: "the input ends too early, after \(offset) bytes"
    case .unexpected(let byte, let wanted):
      "at byte \(offset), there is \(JSONReadingError.text(of: byte)) instead of \(wanted)"
    case .invalid(let text): "at byte \(offset), there is \(text)"
    case .deeper(let depth): "at byte \(offset), more than \(depth) objects and arrays are nested"
    case .unreadable(let text): "the bytes after byte \(offset) cannot be read: \(text)"
    }
  }

  private static func text(of byte: UInt8) -> String {
    0x21..<0x7F ~= byte ? "\"\(Character(Unicode.Scalar(byte)))\"" : "the byte \(byte)"
  }
}
