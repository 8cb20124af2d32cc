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
