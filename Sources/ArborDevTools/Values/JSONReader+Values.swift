extension JSONReader {
  /// An object or array whose end has not come yet.
  private struct Open {
    let isObject: Bool
    var key = ""
    var elements: [RecordedValue] = []
    var members: [RecordedObject.Member] = []

    mutating func append(_ value: RecordedValue) {
      if isObject { members.append(.init(key, value)) } else { elements.append(value) }
    }

    var value: RecordedValue { isObject ? .object(RecordedObject(members)) : .array(elements) }
  }

  /// Takes a value. However deep it is, the stack stays as it is.
  package mutating func value() throws(JSONReadingError) -> RecordedValue {
    var open: [Open] = []
    while true {
      guard var value = try leaf(orBegin: &open) else { continue }
      while true {
        guard !open.isEmpty else { return value }
        open[open.count - 1].append(value)
        guard try hasNext(in: &open[open.count - 1]) else {
          value = open.removeLast().value
          continue
        }
        break
      }
    }
  }

  /// Takes what comes behind a value: `true` if that is a comma, with the key behind it; `false` if it is the end.
  private mutating func hasNext(in open: inout Open) throws(JSONReadingError) -> Bool {
    if try takeIfNext(",") {
      if open.isObject { open.key = try key() }
      return true
    }
    guard try takeIfNext(open.isObject ? "}" : "]") else {
      guard let byte = try peek() else { throw error(.endsTooEarly) }
      throw error(.unexpected(byte, wanted: open.isObject ? "\",\" or \"}\"" : "\",\" or \"]\""))
    }
    return false
  }

  /// Takes a key and the colon behind it.
  mutating func key() throws(JSONReadingError) -> String {
    let key = try string()
    try take(":")
    return key
  }

  /// Takes a value that has no parts, or the beginning of one that has: then nil.
  private mutating func leaf(orBegin open: inout [Open]) throws(JSONReadingError) -> RecordedValue? {
    guard let byte = try token() else { throw error(.endsTooEarly) }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSONReader.depth else { throw error(.deeper(than: JSONReader.depth)) }
      _ = try next()
      let isObject = byte == UInt8(ascii: "{")
      if try takeIfNext(isObject ? "}" : "]") { return isObject ? .object(RecordedObject()) : .array([]) }
      open.append(Open(isObject: isObject))
      if isObject { open[open.count - 1].key = try key() }
      return nil
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error(.unexpected(byte, wanted: "a value"))
    }
  }

  private mutating func word(_ word: String, _ value: RecordedValue) throws(JSONReadingError) -> RecordedValue {
    let first = offset
    for wanted in word.utf8 {
      guard try next() == wanted else { throw error(.invalid("a word that is not \(word)"), at: first) }
    }
    return value
  }
}

extension JSONReader {
  /// Takes a number, whose first byte comes next.
  mutating func number() throws(JSONReadingError) -> RecordedValue {
    let first = offset
    var digits = NumberDigits()
    if try peek() == UInt8(ascii: "-") { digits.append(try next()) }
    let isZero = try peek() == UInt8(ascii: "0")
    let count = try takeDigits(into: &digits, from: first)
    guard !isZero || count == 1 else { throw error(.invalid("a number that begins with 0"), at: first) }
    if try peek() == UInt8(ascii: ".") {
      digits.append(try next())
      try takeDigits(into: &digits, from: first)
    }
    if let byte = try peek(), byte | 0x20 == UInt8(ascii: "e") {
      digits.append(try next())
      if let sign = try peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.append(try next()) }
      try takeDigits(into: &digits, from: first)
    }
    return digits.value
  }

  @discardableResult
  private mutating func takeDigits(
    into digits: inout NumberDigits,
    from first: Int
  ) throws(JSONReadingError) -> Int {
    var count = 0
    while let byte = try peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      digits.append(try next())
      count += 1
    }
    guard count > 0 else {
      guard try peek() != nil else { throw error(.endsTooEarly) }
      throw error(.invalid("a number that has no digits where there must be some"), at: first)
    }
    return count
  }
}

/// The characters of a number that is read.
private struct NumberDigits {
  private var text = ""

  /// The number without its sign and its point, as long as it has few digits and no exponent.
  private var whole: UInt64 = 0
  private var isNegative = false
  private var count = 0
  private var decimals: Int?
  private var hasExponent = false

  /// So many digits a double has exactly, and their quotient by such a power of ten is the nearest double.
  private static let exactDigits = 15
  private static let powers: [Double] = (0...15).map { Double("1e\($0)")! }

  mutating func append(_ byte: UInt8) {
    text.unicodeScalars.append(Unicode.Scalar(byte))
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      count += 1
      if count <= NumberDigits.exactDigits { whole = whole * 10 + UInt64(byte - UInt8(ascii: "0")) }
      if let decimals { self.decimals = decimals + 1 }
    case UInt8(ascii: "."): decimals = 0
    case UInt8(ascii: "-") where count == 0: isNegative = true
    default: hasExponent = true
    }
  }

  var value: RecordedValue {
    guard count <= NumberDigits.exactDigits, !hasExponent else { return valueOfText }
    // A negative zero is no whole number.
    if decimals == nil, !isNegative || whole > 0 { return .integer(isNegative ? -Int64(whole) : Int64(whole)) }
    let double = Double(whole) / NumberDigits.powers[decimals ?? 0]
    return .double(isNegative ? -double : double)
  }

  private var valueOfText: RecordedValue {
    if decimals == nil, !hasExponent {
      if let integer = Int64(text) { return .integer(integer) }
      if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    }
    guard let double = Double(text), double.isFinite else { return .number(text) }
    return .double(double)
  }
}
