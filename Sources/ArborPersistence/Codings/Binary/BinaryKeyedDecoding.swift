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

  private func error(of type: Any.Type, at start: Int, _ index: Int, _ key: Key) -> DecodingError {
    reader.cursor.tag(at: start) == BinaryTag.absent ? missing(key) : place.error(of: type, at: start, index: index)
  }

  /// Decodes the value of a key.
  @inline(__always)
  func value<Value>(
    _ type: Value.Type,
    _ key: Key,
    _ read: (BinaryReader, inout Int) -> Value?
  ) throws -> Value {
    let (index, start) = try find(key)
    var offset = start
    guard let value = read(reader, &offset) else { throw error(of: type, at: start, index, key) }
    place.finish(index, endsAt: offset)
    return value
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

  /// Decodes the value of a key that may be missing.
  @inline(__always)
  func valueIfPresent<Value>(
    _ type: Value.Type,
    _ key: Key,
    _ read: (BinaryReader, inout Int) -> Value?
  ) throws -> Value? {
    guard let (index, start) = try findIfPresent(key) else { return nil }
    var offset = start
    guard let value = read(reader, &offset) else { throw error(of: type, at: start, index, key) }
    place.finish(index, endsAt: offset)
    return value
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

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let (index, start) = try find(key)
    guard reader.cursor.tag(at: start) != BinaryTag.absent else { throw missing(key) }
    return try decode(type, index, start)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let (index, start) = try findIfPresent(key) else { return nil }
    return try decode(type, index, start)
  }

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
}
