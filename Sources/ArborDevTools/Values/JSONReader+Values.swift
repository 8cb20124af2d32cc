extension JSONReader {
  /// Takes a value. The stack suffices for any depth.
  package mutating func value() throws(JSONReadingError) -> RecordedValue {
    try value(atLevel: 0)
  }

  private mutating func value(atLevel level: Int) throws(JSONReadingError) -> RecordedValue {
    guard let byte = try token() else { throw error(.endsTooEarly) }
    switch byte {
    case UInt8(ascii: "{"):
      var members: [RecordedObject.Member] = []
      try takeParts(until: "}", atLevel: level) { (json) throws(JSONReadingError) in
        members.append(.init(try json.key(), try json.value(atLevel: level + 1)))
      }
      return .object(RecordedObject(members))
    case UInt8(ascii: "["):
      var elements: [RecordedValue] = []
      try takeParts(until: "]", atLevel: level) { (json) throws(JSONReadingError) in
        elements.append(try json.value(atLevel: level + 1))
      }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error(.unexpected(byte, wanted: "a value"))
    }
  }

  /// Takes an object or an array, one part at a time.
  private mutating func takeParts(
    until end: Unicode.Scalar,
    atLevel level: Int,
    _ takePart: (inout JSONReader) throws(JSONReadingError) -> Void
  ) throws(JSONReadingError) {
    guard level < JSONReader.depth else { throw error(.deeper(than: JSONReader.depth)) }
    _ = try next()
    guard try !takeIfNext(end) else { return }
    try FreshStack.run(atLevel: level) { () throws(JSONReadingError) in
      repeat { try takePart(&self) } while try takeIfNext(",")
    }
    try take(end, wanted: "\",\" or \"\(end)\"")
  }

  /// Takes a key and the colon after it.
  mutating func key() throws(JSONReadingError) -> String {
    let key = try string()
    try take(":")
    return key
  }

  private mutating func word(_ word: String, _ value: RecordedValue) throws(JSONReadingError) -> RecordedValue {
    let first = offset
    for wanted in word.utf8 {
      guard try next() == wanted else { throw error(.invalid("a word other than \(word)"), at: first) }
    }
    return value
  }

  /// Takes a number. Its first byte must be the next one.
  private mutating func number() throws(JSONReadingError) -> RecordedValue {
    let first = offset
    var digits: [UInt8] = []
    digits.reserveCapacity(24)
    _ = try takeIfNext(in: "-", into: &digits)
    let (isZero, begin) = (try peek() == UInt8(ascii: "0"), digits.count)
    try takeDigits(into: &digits, from: first)
    guard !isZero || digits.count == begin + 1 else {
      throw error(.invalid("a number that begins with 0"), at: first)
    }
    var isWhole = true
    if try takeIfNext(in: ".", into: &digits) {
      isWhole = false
      try takeDigits(into: &digits, from: first)
    }
    if try takeIfNext(in: "eE", into: &digits) {
      isWhole = false
      _ = try takeIfNext(in: "-+", into: &digits)
      try takeDigits(into: &digits, from: first)
    }
    let text = String(decoding: digits, as: UTF8.self)
    // A negative zero can't be an integer.
    if isWhole, text != "-0" {
      if let integer = Int64(text) { return .integer(integer) }
      if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    }
    guard let double = Double(text), double.isFinite else { return .number(text) }
    return .double(double)
  }

  private mutating func takeDigits(into digits: inout [UInt8], from first: Int) throws(JSONReadingError) {
    let count = digits.count
    while let byte = try peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { digits.append(try next()) }
    guard digits.count == count else { return }
    guard try peek() != nil else { throw error(.endsTooEarly) }
    throw error(.invalid("a number with missing digits"), at: first)
  }

  /// Takes the next byte if it is one of the given ones.
  private mutating func takeIfNext(in bytes: String, into text: inout [UInt8]) throws(JSONReadingError) -> Bool {
    guard let byte = try peek(), bytes.utf8.contains(byte) else { return false }
    text.append(try next())
    return true
  }
}
