extension BinaryPlace {
  /// The place of a value inside this one that is decoded later.
  func part(_ start: Int, at index: Int) throws -> BinaryPlace {
    let part = BinaryPlace(reader, start: start, in: self, at: index)
    guard reader.allows(part.depth) else { throw depthError(at: start, index) }
    return part
  }

  /// The place of the part of a superclass; that of null if there is none, as a superclass may need nothing.
  func superPart(at key: String) throws -> BinaryPlace {
    if let index = place(of: key) {
      let start = try start(ofValue: index)
      if reader.cursor.tag(at: start) != BinaryTag.absent { return try part(start, at: index) }
    }
    var null = BinaryBuffer(capacity: 1)
    null.append(BinaryTag.null)
    return BinaryPlace(BinaryReader(null), start: 0, in: self, at: shape!.keys.count)
  }

  /// The place of the same value as an array: that of its elements, if they are written as bytes.
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

  /// The keys of a type that have values, in their order.
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
