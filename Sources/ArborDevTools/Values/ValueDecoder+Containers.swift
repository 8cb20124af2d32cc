/// The container of an object that is decoded.
struct KeyedValueDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let object: RecordedObject

  /// The places of the keys; nil where these are few.
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
      let context = DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "There is no key \(key.stringValue.debugDescription)."
      )
      throw DecodingError.keyNotFound(key, context)
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

  func superDecoder() throws -> any Decoder {
    let key = SuperKey()
    return decoder.part(place(of: key).map { object.members[$0].value } ?? .null, at: key)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.part(place(of: key).map { object.members[$0].value } ?? .null, at: key)
  }

  // MARK: Values

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try part(at: key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try part(at: key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try part(at: key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try part(at: key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try part(at: key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try part(at: key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try part(at: key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try part(at: key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try part(at: key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try part(at: key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try part(at: key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try part(at: key).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try part(at: key).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try part(at: key).integer(type) }
}

/// The container of an array that is decoded.
struct UnkeyedValueDecoding: UnkeyedDecodingContainer {
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

  /// Decodes the next element, and goes on to the one behind it only if that can be done.
  private mutating func next<Value>(_ type: Any.Type, _ decode: (ValueDecoder) throws -> Value) throws -> Value {
    let key = IndexKey(currentIndex)
    guard !isAtEnd else {
      let context = DecodingError.Context(
        codingPath: codingPath + [key], debugDescription: "The array has no more elements.")
      throw DecodingError.valueNotFound(type, context)
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

  // MARK: Values

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer(type) } }
}

/// The container of a value alone that is decoded.
struct SingleValueDecoding: SingleValueDecodingContainer {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    if case .null = decoder.value { true } else { false }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.decode(type)
  }

  // MARK: Values

  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float() }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
}
