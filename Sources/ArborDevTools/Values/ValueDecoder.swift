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
