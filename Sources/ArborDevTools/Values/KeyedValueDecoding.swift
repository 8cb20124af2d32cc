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
