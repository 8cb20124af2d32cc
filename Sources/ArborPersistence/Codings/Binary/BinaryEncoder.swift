/// The encoder of a value: its level in a writer.
struct BinaryEncoder {
  let writer: BinaryWriter
  let level: Int
  let serial: Int

  static func thatWritesNothing(_ writer: BinaryWriter) -> BinaryEncoder {
    BinaryEncoder(writer: writer, level: 0, serial: -1)
  }

  /// Begins a container of the value, or goes on with the one it has.
  @inline(__always)
  private func begin(_ content: BinaryWriter.Level.Content) {
    do {
      try writer.enter(level, serial)
      if writer.levels[level].content == .nothing {
        writer.levels[level].content = content
        writer.begin(content)
      } else if !writer.levels[level].content.isKind(of: content) {
        throw contradiction
      }
    } catch {
      writer.fail(error)
    }
  }

  private var contradiction: EncodingError {
    writer.error(self, "It encodes itself as two kinds of values.", at: level)
  }

  /// Begins the only value.
  @inline(__always)
  func beginSingle() throws {
    try writer.enter(level, serial)
    guard writer.levels[level].content == .nothing else { throw writer.fail(contradiction) }
    writer.levels[level].content = .single
    writer.levels[level].count = 1
  }

  /// Begins the next element.
  @inline(__always)
  func beginElement() throws {
    try writer.enter(level, serial)
    writer.levels[level].count += 1
  }

  /// Begins the value of a key. Returns the keys before it.
  @inline(__always)
  @discardableResult
  func beginValue(at key: String) throws -> Int {
    try writer.enter(level, serial)
    let node = writer.levels[level].node
    if writer.levels[level].content == .object {
      writer.levels[level].node = writer.shapes.child(of: node, key)
    } else {
      writer.beginEntry(key, of: level)
    }
    return node
  }
}

extension BinaryEncoder: Encoder {
  var codingPath: [any CodingKey] { writer.path(to: level) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(BinaryKeyedEncoding<Key>.content)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return BinaryUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    BinarySingleEncoding(encoder: self)
  }
}

/// The container of a single value that is encoded.
struct BinarySingleEncoding: SingleValueEncodingContainer {
  let encoder: BinaryEncoder

  private var writer: BinaryWriter { encoder.writer }

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {
    try encoder.beginSingle()
    writer.bytes.append(BinaryTag.null)
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try put(value) }

  // For 128 bits the default of the standard library throws, and does not call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try put(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try put(value) }

  @inline(__always)
  private func put<Value: Encodable>(_ value: Value) throws {
    try encoder.beginSingle()
    do {
      try writer.putAny(value)
    } catch {
      writer.abandonValue(of: encoder.level)
      throw error
    }
  }
}

/// The container of an array that is encoded.
struct BinaryUnkeyedEncoding {
  let encoder: BinaryEncoder

  private var writer: BinaryWriter { encoder.writer }

  private func openPart(_ content: BinaryWriter.Level.Content) -> BinaryEncoder {
    do {
      try encoder.beginElement()
      return writer.openPart(content)
    } catch {
      writer.fail(error)
      return .thatWritesNothing(writer)
    }
  }
}

extension BinaryUnkeyedEncoding: UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { writer.count(of: encoder) }

  mutating func encodeNil() throws {
    try encoder.beginElement()
    writer.bytes.append(BinaryTag.null)
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try put(value) }

  // For 128 bits the default of the standard library throws, and does not call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try put(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try put(value) }

  @inline(__always)
  private func put<Value: Encodable>(_ value: Value) throws {
    try encoder.beginElement()
    do {
      try writer.putAny(value)
    } catch {
      writer.abandonValue(of: encoder.level)
      throw error
    }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let part = openPart(BinaryKeyedEncoding<Nested>.content)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Nested>(encoder: part))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    BinaryUnkeyedEncoding(encoder: openPart(.array))
  }

  mutating func superEncoder() -> any Encoder { openPart(.nothing) }
}
