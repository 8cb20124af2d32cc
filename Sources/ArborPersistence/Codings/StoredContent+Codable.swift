internal import Foundation

extension StoredContent: Codable {
  /// Decodes any content.
  ///
  /// - Throws: `DecodingError` if the decoder doesn't report the kind of a value.
  package init(from decoder: any Decoder) throws {
    if let place = decoder as? BinaryPlace {
      self = try StoredContent(at: place)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let members = try? container.decode([String: StoredContent].self) {
      // Coders that convert the keys of other objects don't convert the keys of dictionaries.
      self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    } else if let elements = try? container.decode([StoredContent].self) {
      self = .array(elements)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = StoredContent(numberIn: container) {
      self = number
    } else if let date = try? container.decode(Date.self) {
      self = .date(date)
    } else {
      self = .bytes(try container.decode(Data.self))
    }
  }

  private init(at place: BinaryPlace) throws {
    var offset = place.start
    self = try LargeStack.run { try StoredContent(place.reader, &offset, depth: 1) }
    place.reader.remember(place.start, endsAt: offset)
  }

  private init?(numberIn container: any SingleValueDecodingContainer) {
    let double = try? container.decode(Double.self)
    // Floating-point numbers have two zeros, integers only one.
    let isNegativeZero = double == 0 && double?.sign == .minus
    if !isNegativeZero, let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if !isNegativeZero, let integer = try? container.decode(UInt64.self) {
      self = .largeInteger(String(integer))
    } else if let double {
      // A decimal number preserves digits that a `Double` rounds. But its range is smaller, so it may be another
      // number.
      let decimal = try? container.decode(Decimal.self)
      let isExact = decimal.map { Double("\($0)") != double || $0 == Decimal(string: "\(double)") } ?? true
      self = isExact ? .double(double) : .decimal(decimal!)
    } else {
      return nil
    }
  }

  /// Encodes the content in the form of the value from which it was read.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members) where encoder is BinaryNode:
      // An object in a keyed container is one level deep; as a dictionary, it would be two.
      var container = encoder.container(keyedBy: BinaryKey.self)
      for member in members { try container.encode(member.value, forKey: BinaryKey(stringValue: member.key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default: try encodeSingle(to: encoder)
    }
  }

  private func encodeSingle(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null, .array: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .largeInteger(let digits): try StoredContent.encode(digits, in: &container)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .bytes(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .object(let members):
      try container.encode(Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }

  private static func encode(_ digits: String, in container: inout any SingleValueEncodingContainer) throws {
    if let integer = UInt64(digits) { return try container.encode(integer) }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      if let integer = Int128(digits) { return try container.encode(integer) }
      if let integer = UInt128(digits) { return try container.encode(integer) }
    }
    try container.encode(Decimal(string: digits))
  }
}

extension StoredContent {
  /// Reads the content from bytes of any coding.
  init(reading bytes: [UInt8], _ coding: any StorageCoding) throws {
    self = try LargeStack.run { try coding.decode(StoredContent.self, from: Data(bytes)) }
  }

  /// Makes the content of a value, as a coding encodes it.
  init(encoding value: some Encodable, _ coding: any StorageCoding) throws {
    // Some coders need an array or an object around a value.
    self = try LargeStack.run { try coding.decode([StoredContent].self, from: coding.encode([value]))[0] }
  }

  /// Returns the bytes of the content in a coding.
  func bytes(_ coding: any StorageCoding) throws -> [UInt8] {
    try LargeStack.run { Array(try coding.encode(self)) }
  }

  /// Returns the value that a coding decodes from the content.
  func decoded<Value: Decodable>(as type: Value.Type, _ coding: any StorageCoding) throws -> Value {
    try LargeStack.run { try coding.decode([Value].self, from: coding.encode([self]))[0] }
  }

  /// The value of a key; nil if the content has no such key or isn't an object.
  subscript(key: String) -> StoredContent? {
    if case .object(let members) = self { members.last { $0.key == key }?.value } else { nil }
  }
}
