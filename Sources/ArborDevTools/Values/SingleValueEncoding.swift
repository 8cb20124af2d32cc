/// The container of a value alone that is encoded.
struct SingleValueEncoding: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {
    encoder.set(.null)
  }

  mutating func encode(_ value: some Encodable) throws {
    encoder.set(try encoder.encoding.tree(of: value, in: encoder, at: nil))
  }

  private func put(_ tree: RecordedValue, of value: Any) {
    encoder.set(encoder.encoding.leaf(tree, of: value))
  }

  // MARK: Values

  mutating func encode(_ value: Bool) throws { put(.bool(value), of: value) }
  mutating func encode(_ value: String) throws { put(.string(value), of: value) }
  mutating func encode(_ value: Double) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Float) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Int) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Int8) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Int16) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Int32) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: Int64) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: UInt) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: UInt8) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: UInt16) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: UInt32) throws { put(RecordedValue(value), of: value) }
  mutating func encode(_ value: UInt64) throws { put(RecordedValue(value), of: value) }
}
