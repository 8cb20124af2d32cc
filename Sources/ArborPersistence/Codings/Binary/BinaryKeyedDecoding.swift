/// The container of an object that is decoded.
struct BinaryKeyedDecoding<Key: CodingKey> {
  let place: BinaryPlace

  private var reader: BinaryReader { place.reader }

  /// The place of a key among those of the object, and where its value begins.
  @inline(__always)
  private func find(_ key: Key) throws -> (index: Int, start: Int) {
    guard let index = place.place(of: key.stringValue) else { throw missing(key) }
    return (index, try place.start(ofValue: index))
  }

  private func missing(_ key: Key) -> DecodingError {
    let text = "There is no key \(key.stringValue.debugDescription)."
    return .keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
  }

  /// The place of a key whose value is there and not null, and where that begins.
  @inline(__always)
  private func findIfPresent(_ key: Key) throws -> (index: Int, start: Int)? {
    guard let index = place.place(of: key.stringValue) else { return nil }
    let start = try place.start(ofValue: index)
    let tag = reader.cursor.tag(at: start)
    guard tag == BinaryTag.absent || tag == BinaryTag.null else { return (index, start) }
    place.finish(index, endsAt: start + 1)
    return nil
  }

  /// The place of a part that is decoded later.
  private func part(_ key: Key) throws -> BinaryPlace {
    let (index, start) = try find(key)
    guard reader.cursor.tag(at: start) != BinaryTag.absent else { throw missing(key) }
    return try place.part(start, at: index)
  }
}

extension BinaryKeyedDecoding: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { place.codingPath }

  var allKeys: [Key] { place.keysWithValues(as: Key.self) }

  func contains(_ key: Key) -> Bool {
    guard let index = place.place(of: key.stringValue) else { return false }
    guard let start = try? place.start(ofValue: index), let tag = reader.cursor.tag(at: start) else { return false }
    return tag != BinaryTag.absent
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let (_, start) = try find(key)
    let tag = reader.cursor.tag(at: start)
    guard tag != BinaryTag.absent else { throw missing(key) }
    return tag == BinaryTag.null
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(type, key) }

  // For 128 bits the default of the standard library throws, and does not call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }

  @inline(__always)
  private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    let (index, start) = try find(key)
    guard reader.cursor.tag(at: start) != BinaryTag.absent else { throw missing(key) }
    return try decode(type, index, start)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try valueIfPresent(type, key)
  }

  /// Decodes the value of a key that may be missing.
  @inline(__always)
  private func valueIfPresent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    guard let (index, start) = try findIfPresent(key) else { return nil }
    return try decode(type, index, start)
  }

  @inline(__always)
  private func decode<Value: Decodable>(_ type: Value.Type, _ index: Int, _ start: Int) throws -> Value {
    var offset = start
    var spare: BinaryPlace?
    let value = try place.value(type, &offset, at: index, &spare)
    place.finish(index, endsAt: offset)
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try place.superPart(at: BinaryKey.ofSuperclass.stringValue)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try place.superPart(at: key.stringValue)
  }

  // MARK: Values that may be missing. Without these, the standard library looks for such a key three times

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try valueIfPresent(type, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try valueIfPresent(type, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try valueIfPresent(type, key)
  }
}
