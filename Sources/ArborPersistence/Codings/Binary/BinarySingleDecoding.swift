/// The container of a single value that is decoded.
struct BinarySingleDecoding: SingleValueDecodingContainer {
  let place: BinaryPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func decodeNil() -> Bool {
    guard place.reader.cursor.tag(at: place.start) == BinaryTag.null else { return false }
    place.reader.remember(place.start, endsAt: place.start + 1)
    return true
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

  // For 128 bits the default of the standard library throws, and does not call the generic function.

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
