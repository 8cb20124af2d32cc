/// The keyed container of an object that is being decoded.
struct BinaryKeyedDecoding<Key: CodingKey> {
  let place: BinaryPlace

  private var reader: BinaryReader { place.reader }

  /// Returns the index of a key in the object, and the offset at which its value begins.
  @inline(__always)
  private func find(_ key: Key) throws -> (index: Int, start: Int) {
    guard let index = place.place(of: key.stringValue) else { throw missing(key) }
    return (index, try place.start(ofValue: index))
  }

  private func missing(_ key: Key) -> DecodingError {
    let text = "There is no key \(key.stringValue.debugDescription)."
    return .keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
  }

  /// Returns the index of a key and the offset of its value; nil if the value is missing or null.
  @inline(__always)
  private func findIfPresent(_ key: Key) throws -> (index: Int, start: Int)? {
    guard let index = place.place(of: key.stringValue) else { return nil }
    let start = try place.start(ofValue: index)
    let tag = reader.cursor.tag(at: start)
    guard tag == BinaryTag.absent || tag == BinaryTag.null else { return (index, start) }
    place.finish(index, endsAt: start + 1)
    return nil
  }

  /// Returns the place of a nested value that is decoded later.
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

  // For 128-bit integers, the standard library's default implementation throws and doesn't call the generic function.

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

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try valueIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try valueIfPresent(type, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try valueIfPresent(type, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try valueIfPresent(type, key) }
}

/// The unkeyed container of an array that is being decoded.
struct BinaryUnkeyedDecoding {
  private let place: BinaryPlace
  private let elements: Int
  private var offset: Int
  private(set) var currentIndex = 0

  /// A place that was made for one element and is reused for the next ones.
  private var spare: BinaryPlace?

  init(place: BinaryPlace) throws {
    let place = place.asArray
    var offset = place.start
    guard place.reader.isTag(BinaryTag.array, &offset), let count = place.reader.cursor.count(&offset) else {
      throw place.error(of: [Any].self, at: place.start)
    }
    self.place = place
    self.offset = offset
    elements = count
    if count == 0 { place.reader.remember(place.start, endsAt: offset) }
  }

  @inline(__always)
  private mutating func finish(_ end: Int) {
    offset = end
    currentIndex += 1
    if currentIndex == elements { place.reader.remember(place.start, endsAt: end) }
  }

  private func end(_ type: Any.Type) -> DecodingError {
    let path = place.path(to: currentIndex)
    return .valueNotFound(type, .init(codingPath: path, debugDescription: "The array has no more elements."))
  }

  /// Returns the place of a nested value that is decoded later.
  private mutating func part(_ type: Any.Type) throws -> BinaryPlace {
    guard currentIndex < elements else { throw end(type) }
    let part = try place.part(offset, at: currentIndex)
    guard let end = place.reader.end(of: offset) else { throw place.damage(at: offset, index: currentIndex) }
    finish(end)
    return part
  }
}

extension BinaryUnkeyedDecoding: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { elements }
  var isAtEnd: Bool { currentIndex == elements }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < elements else { throw end(Never.self) }
    guard place.reader.cursor.tag(at: offset) == BinaryTag.null else { return false }
    finish(offset + 1)
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) }

  // For 128-bit integers, the standard library's default implementation throws and doesn't call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }

  /// Decodes the next element, and moves on to the following one only if that succeeds.
  @inline(__always)
  private mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard currentIndex < elements else { throw end(type) }
    var end = offset
    let value = try place.value(type, &end, at: currentIndex, &spare)
    finish(end)
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let before = self
    do { return try part([String: Any].self).container(keyedBy: type) } catch {
      self = before
      throw error
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let before = self
    do { return try part([Any].self).unkeyedContainer() } catch {
      self = before
      throw error
    }
  }

  mutating func superDecoder() throws -> any Decoder { try part((any Decoder).self) }
}

/// The container of a single value that is being decoded.
struct BinarySingleDecoding: SingleValueDecodingContainer {
  let place: BinaryPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func decodeNil() -> Bool {
    guard place.reader.cursor.tag(at: place.start) == BinaryTag.null else { return false }
    place.reader.remember(place.start, endsAt: place.start + 1)
    return true
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

  // For 128-bit integers, the standard library's default implementation throws and doesn't call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }

  @inline(__always)
  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var offset = place.start
    var spare: BinaryPlace?
    let value = try place.value(type, &offset, at: nil, &spare)
    place.reader.remember(place.start, endsAt: offset)
    return value
  }
}
