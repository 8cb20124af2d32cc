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
