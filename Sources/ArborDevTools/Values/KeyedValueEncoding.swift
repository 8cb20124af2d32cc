/// The container of an object that is encoded.
struct KeyedValueEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    encoder.append(.null, at: key)
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.append(try encoder.encoding.tree(of: value, in: encoder, at: key), at: key)
  }

  private func put(_ tree: RecordedValue, of value: Any, at key: Key) {
    encoder.append(encoder.encoding.leaf(tree, of: value), at: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.appendPart(at: key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.appendPart(at: key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.appendPart(at: SuperKey()) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.appendPart(at: key) }

  // MARK: Values

  mutating func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), of: value, at: key) }
  mutating func encode(_ value: String, forKey key: Key) throws { put(.string(value), of: value, at: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Float, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { put(RecordedValue(value), of: value, at: key) }
}

/// The key of the part that a superclass encodes.
struct SuperKey: CodingKey {
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }

  var stringValue: String { "super" }
  var intValue: Int? { nil }
}
