internal import Foundation

/// A decoder for one part of a tree.
struct ValueDecoder {
  let value: RecordedValue
  let place: DecodingPlace?
  let userInfo: [CodingUserInfoKey: Any]

  func part(_ value: RecordedValue, at key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, place: DecodingPlace(key: key, parent: place), userInfo: userInfo)
  }

  /// Returns the error for a value that is of another kind, redacted or omitted.
  func mismatch(_ type: Any.Type) -> DecodingError {
    switch value.markedText?.mark {
    case "redacted"?: return .dataCorrupted(context("The value was redacted."))
    case "omitted"?: return .dataCorrupted(context("The value was too deep or too large to be recorded."))
    default: break
    }
    if case .null = value { return .valueNotFound(type, context("There is null instead of \(type).")) }
    return .typeMismatch(type, context("There is \(value.kind) instead of \(type)."))
  }

  func damage(_ text: String) -> DecodingError {
    .dataCorrupted(context(text))
  }

  func context(_ text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: text)
  }
}

/// The place of a part in a tree that is being decoded.
final class DecodingPlace {
  let key: any CodingKey
  let parent: DecodingPlace?

  /// The depth of the part in the tree: 1 for a direct part of the whole value.
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

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension RecordedValue {
  /// Decodes a value that was encoded by its `Codable` conformance.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - userInfo: The `userInfo` of the decoder that decodes the value and its parts.
  /// - Throws: `DecodingError`, with the path of the wrong part, or if a value was redacted or omitted.
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
    case .bool: "a Boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: markedText?.mark == "number" ? "a number" : "an object"
    }
  }
}

// Each container decodes values of all types with its one generic function.

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  /// Decodes any value: with special rules for the types that the encoder treats specially, and otherwise by its
  /// `Decodable`.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value: Any
    switch type {
    case is Bool.Type: value = try bool()
    case is String.Type: value = try string()
    case is Double.Type: value = try double()
    case is Float.Type: value = try float()
    case is Int.Type: value = try integer(Int.self)
    case is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is UInt.Type, is UInt8.Type, is UInt16.Type,
      is UInt32.Type, is UInt64.Type:
      let type = type as! any FixedWidthInteger.Type
      value = try integer(type)
    case is Data.Type: value = try data()
    case is URL.Type: value = try address()
    case is Decimal.Type: value = try decimal()
    default: return try FreshStack.run(atLevel: place?.depth ?? 0) { try type.init(from: self) }
    }
    return value as! Value
  }

  private func data() throws -> Data {
    guard case .string(let text) = value else { throw mismatch(Data.self) }
    guard let data = Data(base64Encoded: text) else { throw damage("The string is not base64.") }
    return data
  }

  private func address() throws -> URL {
    guard case .string(let text) = value else { throw mismatch(URL.self) }
    guard let address = URL(string: text) else { throw damage("The string is not a URL.") }
    return address
  }

  private func decimal() throws -> Decimal {
    let text =
      switch value {
      case .string(let digits): digits
      case .integer, .unsigned, .double: value.description
      default: try digitsOfMark(Decimal.self)
      }
    if text == "NaN" { return .nan }
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      throw damage("The string is not a decimal number.")
    }
    return decimal
  }

  private func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch(Bool.self) }
    return value
  }

  private func string() throws -> String {
    guard case .string(let value) = value else { throw mismatch(String.self) }
    return value
  }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let integer: Integer? =
      switch value {
      case .integer(let value): Integer(exactly: value)
      case .unsigned(let value): Integer(exactly: value)
      case .double(let value): Integer(exactly: value)
      default: Integer(try digitsOfMark(type))
      }
    guard let integer else { throw damage("The number does not fit \(type).") }
    return integer
  }

  private func double() throws -> Double {
    if let number = value.number { return number }
    guard let number = Double(try digitsOfMark(Double.self)) else { throw damage("The string is not a number.") }
    return number
  }

  /// Returns the text of a marked number.
  private func digitsOfMark(_ type: Any.Type) throws -> String {
    guard let (mark, digits) = value.markedText, mark == "number" else { throw mismatch(type) }
    return digits
  }

  private func float() throws -> Float {
    let double = try double()
    let float = Float(double)
    guard float.isFinite || !double.isFinite else { throw damage("The number does not fit Float.") }
    return float
  }
}

/// The container of an object that is being decoded.
private struct KeyedValueDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let object: RecordedObject

  /// The places of the keys; nil if there are only a few.
  private let places: [ExactText: Int]?

  init(decoder: ValueDecoder, object: RecordedObject) {
    self.decoder = decoder
    self.object = object
    places = object.count > 16 ? object.places() : nil
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { object.members.compactMap { Key(stringValue: RecordedValue.unescaped($0.key)) } }

  func contains(_ key: Key) -> Bool { place(of: key) != nil }

  private func place(of key: any CodingKey) -> Int? {
    let key = RecordedValue.escaped(key.stringValue)
    return if let places { places[ExactText(key)] } else { object.place(of: key) }
  }

  private func part(at key: Key) throws -> ValueDecoder {
    guard let place = place(of: key) else {
      throw DecodingError.keyNotFound(key, decoder.context("There is no key \(key.stringValue.debugDescription)."))
    }
    return decoder.part(object.members[place].value, at: key)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try part(at: key).value { true } else { false }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try part(at: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(at: SuperKey()) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(at: key) }

  private func superDecoder(at key: any CodingKey) -> any Decoder {
    decoder.part(place(of: key).map { object.members[$0].value } ?? .null, at: key)
  }
}

/// The container of an array that is being decoded.
private struct UnkeyedValueDecoding: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let elements: [RecordedValue]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, elements: [RecordedValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  /// Decodes the next element, and advances only if that succeeds.
  private mutating func next<Value>(_ type: Any.Type, _ decode: (ValueDecoder) throws -> Value) throws -> Value {
    let key = IndexKey(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(type, decoder.part(.null, at: key).context("The array has no more elements."))
    }
    let value = try decode(decoder.part(elements[currentIndex], at: key))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return try next(Never.self) { _ in false } }
    guard case .null = elements[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }
}
