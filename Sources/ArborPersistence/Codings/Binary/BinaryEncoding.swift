extension BinaryNode: Encoder {
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Begins the content in a function that can't throw.
  private func attempt(_ content: Content) {
    do { try begin(content) } catch { writer.fail(error) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    attempt(BinaryKeyedEncoding<Key>.content)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    attempt(.array)
    return BinaryElementEncoding(node: self, isSingle: false)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { BinaryElementEncoding(node: self, isSingle: true) }
}

/// The keyed container of an object that is being encoded.
struct BinaryKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: BinaryNode

  /// The kind of content for this type of keys. The keys of dictionaries differ, so they are written with the values.
  static var content: BinaryNode.Content {
    @inline(__always) get {
      ObjectIdentifier(Key.self) == DictionaryKeyType.identifier ? .dictionary : .object
    }
  }

  var codingPath: [any CodingKey] { node.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try node.encode(tag: BinaryTag.null, .key(key.stringValue)) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try put(value, key) }

  @inline(__always)
  private func put(_ value: some Encodable, _ key: Key) throws { try node.encode(value, .key(key.stringValue)) }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try putIfPresent(value, key)
  }

  @inline(__always)
  private func putIfPresent(_ value: (some Encodable)?, _ key: Key) throws {
    if let value { try put(value, key) } else { try node.encodeAbsence(key.stringValue) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let part = node.part(BinaryKeyedEncoding<Nested>.content, at: .key(key.stringValue))
    return KeyedEncodingContainer(BinaryKeyedEncoding<Nested>(node: part))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    BinaryElementEncoding(node: node.part(.array, at: .key(key.stringValue)), isSingle: false)
  }

  mutating func superEncoder() -> any Encoder { node.part(.nothing, at: .key(BinaryKey.ofSuperclass.stringValue)) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { node.part(.nothing, at: .key(key.stringValue)) }

  // MARK: Values that may be missing. Without these, the standard library omits such a key

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try putIfPresent(value, key) }
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try putIfPresent(value, key) }

  // For 128-bit integers, the standard library's default implementations throw and don't call the generic functions.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try putIfPresent(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try putIfPresent(value, key) }
}

/// The container of an array or of a single value that is being encoded.
struct BinaryElementEncoding: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let node: BinaryNode
  let isSingle: Bool

  private var place: BinaryNode.Place {
    @inline(__always) get { isSingle ? .itself : .index(node.count) }
  }

  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.count }

  mutating func encodeNil() throws { try node.encode(tag: BinaryTag.null, place) }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value, place) }

  // For 128-bit integers, the standard library's default implementation throws and doesn't call the generic function.

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try node.encode(value, place) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try node.encode(value, place) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let part = node.part(BinaryKeyedEncoding<Nested>.content, at: place)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Nested>(node: part))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    BinaryElementEncoding(node: node.part(.array, at: place), isSingle: false)
  }

  mutating func superEncoder() -> any Encoder { node.part(.nothing, at: place) }
}

/// The type of the keys with which a `Dictionary` encodes itself, if its own keys are strings or integers.
///
/// - The type has no public name, so it is found by encoding a dictionary.
enum DictionaryKeyType {
  static let identifier: ObjectIdentifier? = {
    let probe = Probe()
    try? [String: Int]().encode(to: probe)
    return probe.identifier
  }()

  private final class Probe: Encoder {
    var identifier: ObjectIdentifier?
    private let node = BinaryNode(BinaryWriter())

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      identifier = ObjectIdentifier(type)
      return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { node.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { node.singleValueContainer() }
  }
}
