/// The container of a single value that is decoded.
struct BinarySingleDecoding: SingleValueDecodingContainer {
  let place: BinaryPlace

  var codingPath: [any CodingKey] { place.codingPath }

  @inline(__always)
  private func value<Value>(_ type: Any.Type, _ read: (BinaryReader, inout Int) -> Value?) throws -> Value {
    var offset = place.start
    guard let value = read(place.reader, &offset) else { throw place.error(of: type, at: place.start) }
    place.reader.remember(place.start, endsAt: offset)
    return value
  }

  func decodeNil() -> Bool {
    guard place.reader.cursor.tag(at: place.start) == BinaryTag.null else { return false }
    place.reader.remember(place.start, endsAt: place.start + 1)
    return true
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var offset = place.start
    var spare: BinaryPlace?
    let value = try place.value(type, &offset, at: nil, &spare)
    place.reader.remember(place.start, endsAt: offset)
    return value
  }

  // MARK: Values

  func decode(_ type: Bool.Type) throws -> Bool {
    try value(type) { $0.bool(&$1) }
  }

  func decode(_ type: String.Type) throws -> String {
    try value(type) { $0.string(&$1) }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try value(type) { $0.double(&$1) }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try value(type) { $0.float(&$1) }
  }

  func decode(_ type: Int.Type) throws -> Int {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int8.Type) throws -> Int8 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int16.Type) throws -> Int16 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int32.Type) throws -> Int32 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt.Type) throws -> UInt {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt8.Type) throws -> UInt8 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt16.Type) throws -> UInt16 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt32.Type) throws -> UInt32 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt64.Type) throws -> UInt64 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 {
    try value(type) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try value(type) { $0.integer(&$1, as: type) }
  }
}
