internal import Foundation

/// The decoder of one part of a tree.
struct ValueDecoder {
  let value: RecordedValue
  let place: DecodingPlace?
  let userInfo: [CodingUserInfoKey: Any]

  func part(_ value: RecordedValue, at key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, place: DecodingPlace(key: key, parent: place), userInfo: userInfo)
  }

  /// The error of a value that is of another kind, or not there any more.
  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = { DecodingError.Context(codingPath: codingPath, debugDescription: $0) }
    switch value.markedText?.mark {
    case "redacted"?: return .dataCorrupted(context("The value was redacted."))
    case "omitted"?: return .dataCorrupted(context("The value was too deep or too large to be recorded."))
    default: break
    }
    if case .null = value { return .valueNotFound(type, context("There is null in the place of \(type).")) }
    return .typeMismatch(type, context("There is \(value.kind) in the place of \(type)."))
  }

  func damage(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }
}

/// The place of a part in a tree that is decoded.
final class DecodingPlace {
  let key: any CodingKey
  let parent: DecodingPlace?

  /// The depth of the part in the tree: 1 for a part of the whole.
  let depth: Int

  init(key: any CodingKey, parent: DecodingPlace?) {
    self.key = key
    self.parent = parent
    depth = (parent?.depth ?? 0) + 1
  }
}

extension ValueDecoder: Decoder {
  var codingPath: [any CodingKey] {
    Array(sequence(first: place, next: { $0?.parent }).prefix { $0 != nil }.compactMap { $0?.key }.reversed())
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value, value.markedText == nil else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(KeyedValueDecoding<Key>(decoder: self, object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self) }
    return UnkeyedValueDecoding(decoder: self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueDecoding(decoder: self)
  }
}

extension RecordedValue {
  /// Decodes a value of what its `Codable` has encoded.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - userInfo: The `userInfo` of the decoder that decodes the value and its parts.
  /// - Throws: `DecodingError`, with the path to what is wrong; so also where a value was redacted or omitted.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> Value {
    try ValueDecoder(value: self, place: nil, userInfo: userInfo).decode(type)
  }

  /// The kind of the value, in words.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .unsigned, .double: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: markedText?.mark == "number" ? "a number" : "an object"
    }
  }
}

extension ValueDecoder {
  /// Decodes any value: those that the encoder treats in a way of their own, and all others by what they decode themselves.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Data.self { return try data() as! Value }
    if type == URL.self { return try address() as! Value }
    if type == Decimal.self { return try decimal() as! Value }
    return try FreshStack.run(atLevel: place?.depth ?? 0) { try type.init(from: self) }
  }

  private func data() throws -> Data {
    guard case .string(let text) = value else { throw mismatch(Data.self) }
    guard let data = Data(base64Encoded: text) else { throw damage("The text is not base64.") }
    return data
  }

  private func address() throws -> URL {
    guard case .string(let text) = value else { throw mismatch(URL.self) }
    guard let address = URL(string: text) else { throw damage("The text is not a URL.") }
    return address
  }

  private func decimal() throws -> Decimal {
    let text: String
    switch value {
    case .string(let digits): text = digits
    case .integer(let number): text = "\(number)"
    case .unsigned(let number): text = "\(number)"
    case .double(let number): text = "\(number)"
    default:
      guard let (mark, digits) = value.markedText, mark == "number" else { throw mismatch(Decimal.self) }
      text = digits
    }
    if text == "NaN" { return .nan }
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      throw damage("The text is not a decimal number.")
    }
    return decimal
  }

  func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch(Bool.self) }
    return value
  }

  func string() throws -> String {
    guard case .string(let value) = value else { throw mismatch(String.self) }
    return value
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let integer: Integer?
    switch value {
    case .integer(let value): integer = Integer(exactly: value)
    case .unsigned(let value): integer = Integer(exactly: value)
    case .double(let value): integer = Integer(exactly: value)
    default:
      guard let (mark, text) = value.markedText, mark == "number" else { throw mismatch(type) }
      integer = Integer(text)
    }
    guard let integer else { throw damage("The number does not fit \(type).") }
    return integer
  }

  func double() throws -> Double {
    switch value {
    case .integer(let value): return Double(value)
    case .unsigned(let value): return Double(value)
    case .double(let value): return value
    default:
      guard let (mark, text) = value.markedText, mark == "number" else { throw mismatch(Double.self) }
      guard let number = Double(text) else { throw damage("The text is not a number.") }
      return number
    }
  }

  func float() throws -> Float {
    let double = try double()
    let float = Float(double)
    guard float.isFinite || !double.isFinite else { throw damage("The number does not fit Float.") }
    return float
  }
}
