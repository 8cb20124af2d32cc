/// The container of an array that is encoded.
struct UnkeyedValueEncoding: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.count }

  mutating func encodeNil() throws {
    encoder.append(.null)
  }

  mutating func encode(_ value: some Encodable) throws {
    encoder.append(try encoder.encoding.tree(of: value, in: encoder, at: IndexKey(count)))
  }

  private func put(_ tree: RecordedValue, of value: Any) {
    encoder.append(encoder.encoding.leaf(tree, of: value))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.appendPart().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.appendPart().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.appendPart() }

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
