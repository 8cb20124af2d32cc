/// A check of JSON that copies it onto one line, without the space between its tokens.
///
/// - It copies numbers and texts without changes, except that a control character that JSON allows in a text is
///   escaped.
/// - It never stops the program, for any bytes.
struct JSONCopy {
  private struct Invalid: Error {}

  /// The nesting depth at which readers of JSON refuse it.
  private static let deepest = 500

  private let bytes: [UInt8]
  private var place = 0
  private var copy: [UInt8] = []

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    copy.reserveCapacity(bytes.count)
  }

  /// The bytes of a text on one line; nil if it is not JSON.
  static func bytes(of text: String) -> [UInt8]? {
    var reader = JSONCopy(Array(text.utf8))
    do {
      try reader.value(depth: 0)
      reader.skipSpace()
    } catch {
      return nil
    }
    guard reader.place == reader.bytes.count else { return nil }
    return reader.copy.allSatisfy { $0 < 0x7F } ? reader.copy : escaped(reader.copy)
  }

  /// Escapes control characters, which occur only in texts.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var copy: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.isControl { copy.append(escapeOf: scalar) } else { copy.append(contentsOf: UTF8.encode(scalar)!) }
    }
    return copy
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(Invalid) {
    guard depth < Self.deepest else { throw Invalid() }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"):
      try list(from: "{", to: "}") { reader throws(Invalid) in
        try reader.text()
        reader.skipSpace()
        try reader.take(":")
        try reader.value(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try list(from: "[", to: "]") { reader throws(Invalid) in try reader.value(depth: depth + 1) }
    case UInt8(ascii: "\""): try text()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func list(
    from first: Unicode.Scalar,
    to last: Unicode.Scalar,
    _ element: (inout JSONCopy) throws(Invalid) -> Void
  ) throws(Invalid) {
    try take(first)
    skipSpace()
    if takeIfPresent(last) { return }
    repeat {
      skipSpace()
      try element(&self)
      skipSpace()
    } while takeIfPresent(",")
    try take(last)
  }

  private mutating func word(_ word: StaticString) throws(Invalid) {
    for index in 0..<word.utf8CodeUnitCount { try take(Unicode.Scalar(word.utf8Start[index])) }
  }

  private mutating func number() throws(Invalid) {
    _ = takeIfPresent("-")
    if !takeIfPresent("0") { try digits() }
    if takeIfPresent(".") { try digits() }
    guard takeIfPresent("e") || takeIfPresent("E") else { return }
    if !takeIfPresent("+") { _ = takeIfPresent("-") }
    try digits()
  }

  private mutating func digits() throws(Invalid) {
    let first = place
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    guard place > first else { throw Invalid() }
    copy.append(contentsOf: bytes[first..<place])
  }
}

// MARK: - Texts

extension JSONCopy {
  private mutating func text() throws(Invalid) {
    let first = place
    try skip("\"")
    while let byte = peek {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        copy.append(contentsOf: bytes[first..<place])
        return
      case UInt8(ascii: "\\"): try skipEscape()
      case ..<0x20: throw Invalid()
      default: break
      }
    }
    throw Invalid()
  }

  private mutating func skipEscape() throws(Invalid) {
    guard let byte = peek else { throw Invalid() }
    place += 1
    switch byte {
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      // Half of a pair isn't a character, and some readers refuse it.
      guard UTF16.isLeadSurrogate(unit) || !UTF16.isTrailSurrogate(unit) else { throw Invalid() }
      guard UTF16.isLeadSurrogate(unit) else { return }
      try skip("\\")
      try skip("u")
      guard UTF16.isTrailSurrogate(try codeUnit()) else { throw Invalid() }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      break
    default: throw Invalid()
    }
  }

  private mutating func codeUnit() throws(Invalid) -> UInt16 {
    guard place + 4 <= bytes.count else { throw Invalid() }
    var unit: UInt16 = 0
    for byte in bytes[place..<(place + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw Invalid() }
      unit = unit << 4 | UInt16(digit)
    }
    place += 4
    return unit
  }
}

// MARK: - Bytes

extension JSONCopy {
  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  /// Skips a byte, which is copied together with its neighbors.
  private mutating func skip(_ scalar: Unicode.Scalar) throws(Invalid) {
    guard peek == UInt8(ascii: scalar) else { throw Invalid() }
    place += 1
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws(Invalid) {
    guard takeIfPresent(scalar) else { throw Invalid() }
  }

  private mutating func takeIfPresent(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    copy.append(UInt8(ascii: scalar))
    place += 1
    return true
  }
}
