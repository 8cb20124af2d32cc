/// The container of an array that is decoded.
struct BinaryUnkeyedDecoding {
  private let place: BinaryPlace
  private let elements: Int
  private var offset: Int
  private(set) var currentIndex = 0

  /// A place that was made for an element and is used for the next ones.
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

  /// The place of an element that is decoded later.
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

  // For 128 bits the default of the standard library throws, and does not call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }

  /// Decodes the next element, and goes on to the one behind it only if that can be done.
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
