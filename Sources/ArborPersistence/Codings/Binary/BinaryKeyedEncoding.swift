/// The container of an object that is encoded.
struct BinaryKeyedEncoding<Key: CodingKey> {
  let encoder: BinaryEncoder

  /// A dictionary's keys differ from one to the next: they are written with the values.
  static var content: BinaryWriter.Level.Content {
    @inline(__always) get {
      ObjectIdentifier(Key.self) == DictionaryKeyType.identifier ? .dictionary : .object
    }
  }

  private var writer: BinaryWriter { encoder.writer }

  @inline(__always)
  private func begin(_ key: Key) throws {
    try encoder.beginValue(at: key.stringValue)
  }

  /// Writes that there is no value, which keeps the keys of all objects of a type the same.
  private func putAbsence(_ key: Key) throws {
    try writer.enter(encoder.level, encoder.serial)
    guard writer.levels[encoder.level].content == .object else { return }
    try begin(key)
    writer.bytes.append(BinaryTag.absent)
  }

  private func openPart(_ content: BinaryWriter.Level.Content, at key: String) -> BinaryEncoder {
    do {
      try encoder.beginValue(at: key)
      return writer.openPart(content)
    } catch {
      writer.fail(error)
      return .thatWritesNothing(writer)
    }
  }
}

extension BinaryKeyedEncoding: KeyedEncodingContainerProtocol {
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try begin(key)
    writer.bytes.append(BinaryTag.null)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try put(value, key) }

  // For 128 bits the default of the standard library throws, and does not call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }

  @inline(__always)
  private func put<Value: Encodable>(_ value: Value, _ key: Key) throws {
    let node = try encoder.beginValue(at: key.stringValue)
    do {
      try writer.putAny(value)
    } catch {
      writer.abandonValue(of: encoder.level, after: node)
      throw error
    }
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let part = openPart(BinaryKeyedEncoding<Nested>.content, at: key.stringValue)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Nested>(encoder: part))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    BinaryUnkeyedEncoding(encoder: openPart(.array, at: key.stringValue))
  }

  mutating func superEncoder() -> any Encoder { openPart(.nothing, at: BinaryKey.ofSuperclass.stringValue) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { openPart(.nothing, at: key.stringValue) }

  // MARK: Values that may be missing. Without these, the standard library omits such a key

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try putAbsence(key) }
  }
}

/// The type of the keys that a `Dictionary` encodes itself with, if its own are strings or integers.
///
/// - It has no public name, so a dictionary is asked for it.
enum DictionaryKeyType {
  static let identifier: ObjectIdentifier? = {
    let probe = Probe()
    try? [String: Int]().encode(to: probe)
    return probe.identifier
  }()

  private final class Probe: Encoder {
    var identifier: ObjectIdentifier?
    private let encoder = BinaryEncoder.thatWritesNothing(BinaryWriter())

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      identifier = ObjectIdentifier(type)
      return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(encoder: encoder))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      BinaryUnkeyedEncoding(encoder: encoder)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
      BinarySingleEncoding(encoder: encoder)
    }
  }
}
