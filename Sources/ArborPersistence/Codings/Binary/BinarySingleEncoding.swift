/// The container of a single value that is encoded.
struct BinarySingleEncoding: SingleValueEncodingContainer {
  let encoder: BinaryEncoder

  private var writer: BinaryWriter { encoder.writer }

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {
    try encoder.beginSingle()
    writer.bytes.append(BinaryTag.null)
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.beginSingle()
    do {
      try writer.putAny(value)
    } catch {
      writer.abandonValue(of: encoder.level)
      throw error
    }
  }

  // MARK: Values

  mutating func encode(_ value: Bool) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: String) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Double) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Float) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Int) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Int8) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Int16) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Int32) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: Int64) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: UInt) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: UInt8) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: UInt16) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: UInt32) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  mutating func encode(_ value: UInt64) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws {
    try encoder.beginSingle()
    writer.put(value)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws {
    try encoder.beginSingle()
    writer.put(value)
  }
}
