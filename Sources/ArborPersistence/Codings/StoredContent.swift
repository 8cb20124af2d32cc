package import Foundation

/// The content of a stored value, read from its bytes without knowing its type.
package enum StoredContent: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)

  /// An integer that is too large for `integer`, in decimal digits.
  case largeInteger(String)

  case float(Float)
  case double(Double)
  case string(String)
  case bytes(Data)

  /// A JSON number with more digits than a `Double` preserves.
  case decimal(Decimal)

  /// A date of a coding that has a form for dates.
  case date(Date)
  case array([StoredContent])

  /// An object or a dictionary, in the order of its keys. Keys without a value are omitted.
  case object([Member])

  /// A key of an object and its value.
  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: StoredContent

    package init(_ key: String, _ value: StoredContent) {
      self.key = key
      self.value = value
    }
  }
}

extension StoredContent {
  /// Reads a value from bytes of ``BinaryCoding``.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the bytes aren't a value.
  package init(reading data: Data) throws {
    let reader = BinaryReader()
    self = try data.withUnsafeBytes { bytes in
      try LargeStack.run {
        var offset = try reader.begin(bytes, depthLimit: BinaryFormat.depthLimit)
        let value = try StoredContent(reader, &offset, depth: 1)
        guard offset == bytes.count else { throw reader.damage("There are extra bytes after the value.", at: offset) }
        return value
      }
    }
  }

  init(_ reader: BinaryReader, _ offset: inout Int, depth: Int) throws {
    let start = offset
    guard depth <= BinaryFormat.depthLimit else {
      throw reader.damage("The value is more than \(BinaryFormat.depthLimit) levels deep.", at: start)
    }
    guard let value = try StoredContent.read(reader, &offset, depth) else {
      throw reader.damage("The bytes are damaged or incomplete.", at: start)
    }
    self = value
  }

  private static func read(_ reader: BinaryReader, _ offset: inout Int, _ depth: Int) throws -> StoredContent? {
    guard let tag = reader.cursor.tag(at: offset) else { return nil }
    switch BinaryTag.kind(of: tag) {
    case .null: return reader.isTag(BinaryTag.null, &offset) ? .null : nil
    case .absent, .unknown: return nil
    case .bool: return reader.bool(&offset).map { .bool($0) }
    case .number: return number(reader, tag, &offset)
    case .string: return reader.string(&offset).map { .string($0) }
    case .bytes: return reader.bytes(&offset).map { .bytes(Data($0)) }
    case .array: return try array(reader, &offset, depth)
    case .object: return try object(reader, tag, &offset, depth)
    }
  }

  private static func number(_ reader: BinaryReader, _ tag: UInt8, _ offset: inout Int) -> StoredContent? {
    if tag == BinaryTag.float { return reader.float(&offset).map { .float($0) } }
    if tag == BinaryTag.double { return reader.double(&offset).map { .double($0) } }
    guard let bits = reader.integerBits(&offset) else { return nil }
    return bits.integer(Int64.self).map { .integer($0) } ?? .largeInteger(bits.digits)
  }

  private static func array(_ reader: BinaryReader, _ offset: inout Int, _ depth: Int) throws -> StoredContent? {
    offset += 1
    guard let count = reader.cursor.count(&offset) else { return nil }
    var elements: [StoredContent] = []
    for _ in 0..<count { elements.append(try StoredContent(reader, &offset, depth: depth + 1)) }
    return .array(elements)
  }

  private static func object(
    _ reader: BinaryReader,
    _ tag: UInt8,
    _ offset: inout Int,
    _ depth: Int
  ) throws -> StoredContent? {
    offset += 1
    var members: [Member] = []
    if tag == BinaryTag.dictionary {
      guard let count = reader.cursor.count(&offset, ofWidth: 2) else { return nil }
      for _ in 0..<count {
        guard let key = reader.string(&offset) else { return nil }
        members.append(Member(key, try StoredContent(reader, &offset, depth: depth + 1)))
      }
    } else {
      guard let shape = reader.shape(tag, &offset) else { return nil }
      for key in shape.keys where !reader.isTag(BinaryTag.absent, &offset) {
        members.append(Member(key, try StoredContent(reader, &offset, depth: depth + 1)))
      }
    }
    return .object(members)
  }
}

extension BinaryIntegerBits {
  /// The decimal digits of the integer, with its sign.
  fileprivate var digits: String {
    // A negative integer is stored as its complement, which is one less than its magnitude.
    let sum = low.addingReportingOverflow(isNegative ? 1 : 0)
    var low = sum.partialValue
    var high = high &+ (sum.overflow ? 1 : 0)
    var digits: [Character] = []
    repeat {
      let (quotient, rest) = high.quotientAndRemainder(dividingBy: 10)
      high = quotient
      let lower = (10 as UInt64).dividingFullWidth((rest, low))
      low = lower.quotient
      digits.append(Character(String(lower.remainder)))
    } while low > 0 || high > 0
    return (isNegative ? "-" : "") + String(digits.reversed())
  }
}

extension StoredContent {
  /// The value as JSON, in one line.
  ///
  /// - Infinities, NaN and bytes are strings: `"inf"`, `"nan"`, and the bytes in Base64.
  package var text: String {
    LargeStack.run {
      var text = ""
      write(to: &text)
      return text
    }
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .largeInteger(let digits): text += digits
    case .float(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
    case .double(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
    case .string(let value): StoredContent.write(value, to: &text)
    case .bytes(let data): StoredContent.write(data.base64EncodedString(), to: &text)
    case .decimal(let value): text += "\(value)"
    case .date(let value): text += "\(value.timeIntervalSinceReferenceDate)"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        StoredContent.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Writes a string as JSON.
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
