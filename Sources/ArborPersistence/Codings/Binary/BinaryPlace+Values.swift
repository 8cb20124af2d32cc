internal import Foundation

extension BinaryPlace {
  /// Decodes any nested value: directly if its type is primitive, otherwise with its own `init(from:)`.
  @inline(__always)
  func value<Value: Decodable>(
    _ type: Value.Type,
    _ offset: inout Int,
    at index: Int?,
    _ spare: inout BinaryPlace?
  ) throws -> Value {
    // When the compiler knows the type, it removes these comparisons.
    if type == String.self { return try plain(type, &offset, index) { $0.string(&$1) } }
    if type == Bool.self { return try plain(type, &offset, index) { $0.bool(&$1) } }
    if type == Double.self { return try plain(type, &offset, index) { $0.double(&$1) } }
    if type == Float.self { return try plain(type, &offset, index) { $0.float(&$1) } }
    if type == Int.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int.self) } }
    if type == Int8.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int8.self) } }
    if type == Int16.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int16.self) } }
    if type == Int32.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int32.self) } }
    if type == Int64.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int64.self) } }
    if type == UInt.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt.self) } }
    if type == UInt8.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt8.self) } }
    if type == UInt16.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt16.self) } }
    if type == UInt32.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt32.self) } }
    if type == UInt64.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt64.self) } }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      if type == Int128.self { return try plain(type, &offset, index) { $0.integer(&$1, as: Int128.self) } }
      if type == UInt128.self { return try plain(type, &offset, index) { $0.integer(&$1, as: UInt128.self) } }
    }
    if type == Date.self {
      return try plain(type, &offset, index) { $0.double(&$1).map { Date(timeIntervalSinceReferenceDate: $0) } }
    }
    if type == Data.self, let bytes = reader.bytes(&offset) { return unsafeBitCast(Data(bytes), to: type) }
    if type == [UInt8].self, let bytes = reader.bytes(&offset) { return unsafeBitCast(Array(bytes), to: type) }
    return try valueItself(type, &offset, at: index, &spare)
  }

  /// Reads a value whose type is known to be the type that `read` returns.
  @inline(__always)
  private func plain<Value, Plain>(
    _ type: Value.Type,
    _ offset: inout Int,
    _ index: Int?,
    _ read: (BinaryReader, inout Int) -> Plain?
  ) throws -> Value {
    let start = offset
    guard let value = read(reader, &offset) else { throw error(of: type, at: start, index: index) }
    return unsafeBitCast(value, to: Value.self)
  }

  private func valueItself<Value: Decodable>(
    _ type: Value.Type,
    _ offset: inout Int,
    at index: Int?,
    _ spare: inout BinaryPlace?
  ) throws -> Value {
    let start = offset
    let place: BinaryPlace
    if let index, isKnownUniquelyReferenced(&spare) {
      place = spare.take()!
      place.move(to: start, at: index)
    } else {
      place = BinaryPlace(reader, start: start, in: self, at: index)
      guard reader.allows(place.depth) else { throw depthError(at: start, index) }
    }
    let value = try type.init(from: place)
    guard let end = reader.end(of: start) else { throw damage(at: start, index: index) }
    offset = end
    spare = place
    return value
  }

  // MARK: Errors

  /// Returns the error of a value that doesn't have the expected type.
  func error(of type: Any.Type, at offset: Int, index: Int? = nil) -> DecodingError {
    guard let tag = reader.cursor.tag(at: offset), reader.end(of: offset) != nil else {
      return damage(at: offset, index: index)
    }
    let path = path(to: index)
    let kind = BinaryTag.kind(of: tag)
    let context = { DecodingError.Context(codingPath: path, debugDescription: $0) }
    switch kind {
    case .null: return .valueNotFound(type, context("There is null instead of \(type)."))
    case .absent:
      return .keyNotFound(path.last ?? BinaryKey(stringValue: ""), context("There is no value for the key."))
    case .unknown: return damage(at: offset, index: index)
    case .number where type is any Numeric.Type:
      return .dataCorrupted(context("The number at byte \(offset) does not fit \(type)."))
    case .string where type == String.self: return damage("The string is not UTF-8.", at: offset, index: index)
    default: return .typeMismatch(type, context("There is \(kind.rawValue) instead of \(type)."))
    }
  }

  /// Returns the error of damaged bytes.
  func damage(
    _ text: String = "The bytes are damaged or incomplete.",
    at offset: Int,
    index: Int? = nil
  ) -> DecodingError {
    reader.damage(text, at: offset, path(to: index))
  }

  func depthError(at offset: Int, _ index: Int?) -> DecodingError {
    damage("The value is more than \(BinaryFormat.depthLimit) levels deep.", at: offset, index: index)
  }

  func path(to index: Int?) -> [any CodingKey] {
    guard let index else { return codingPath }
    return codingPath + [key(at: index)]
  }
}

extension BinaryPlace {
  /// Returns the place of a nested value that is decoded later.
  func part(_ start: Int, at index: Int) throws -> BinaryPlace {
    let part = BinaryPlace(reader, start: start, in: self, at: index)
    guard reader.allows(part.depth) else { throw depthError(at: start, index) }
    return part
  }

  /// Returns the place of a superclass's part; if it is missing, the place of a null, because a superclass may need no
  /// value.
  func superPart(at key: String) throws -> BinaryPlace {
    if let index = place(of: key) {
      let start = try start(ofValue: index)
      if reader.cursor.tag(at: start) != BinaryTag.absent { return try part(start, at: index) }
    }
    var null = BinaryBuffer(capacity: 1)
    null.append(BinaryTag.null)
    return BinaryPlace(BinaryReader(null), start: 0, in: self, at: shape!.keys.count)
  }

  /// The place of the same value as an array; if its elements are written as bytes, the place of a copy with elements.
  var asArray: BinaryPlace {
    var offset = start
    guard let bytes = reader.bytes(&offset) else { return self }
    var array = BinaryBuffer(capacity: bytes.count * 2 + 16)
    array.append(BinaryTag.array)
    array.append(count: bytes.count)
    for byte in bytes {
      if byte < 0x80 { array.append(byte) } else { array.append(BinaryTag.integer, UInt64(byte), width: 1) }
    }
    return BinaryPlace(BinaryReader(array), start: 0, in: parent, at: index)
  }

  /// Returns the keys of a type that have values, in their order.
  func keysWithValues<Key: CodingKey>(as type: Key.Type) -> [Key] {
    let keys = shape!.keys
    var present: [Key]?
    var start = firstStart
    for index in keys.indices {
      if let starts { start = starts[index] }
      if reader.cursor.tag(at: start) == BinaryTag.absent {
        present = present ?? keys[..<index].compactMap { Key(stringValue: $0) }
      } else if present != nil, let key = Key(stringValue: keys[index]) {
        present!.append(key)
      }
      if starts == nil, index + 1 < keys.count {
        guard let end = reader.end(of: start) else { return [] }
        start = end
      }
    }
    return present ?? shape!.keys(as: type)
  }
}
