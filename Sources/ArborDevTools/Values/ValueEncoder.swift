/// The encoder of one part of a tree, which holds everything encoded so far.
final class ValueEncoder {
  private enum Kind {
    case single
    case array
    case object
  }

  let encoding: ValueEncoding

  /// The depth of the part in the tree: 0 for the whole value.
  let depth: Int

  private let parent: ValueEncoder?
  private let key: (any CodingKey)?

  /// The kind of the requested containers; nil until one is requested.
  private var kind: Kind?
  private var isContradiction = false

  /// The parts in their order; the parts of an array have no keys.
  private var parts: [RecordedObject.Member] = []

  /// The parts whose containers were requested separately, with their places.
  private var open: [(place: Int, encoder: ValueEncoder)] = []

  init(_ encoding: ValueEncoding, in parent: ValueEncoder?, at key: (any CodingKey)?) {
    self.encoding = encoding
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? -1) + 1
  }

  // MARK: The content

  private func begin(_ kind: Kind) {
    if let begun = self.kind, begun != kind || kind == .single { isContradiction = true }
    self.kind = kind
  }

  fileprivate var count: Int { parts.count }

  fileprivate func append(_ value: RecordedValue) {
    parts.append(.init("", value))
  }

  fileprivate func append(_ value: RecordedValue, at key: some CodingKey) {
    parts.append(.init(RecordedValue.escaped(key.stringValue), value))
  }

  /// Adds a part that is encoded later.
  ///
  /// - Parameter key: The part's key; nil in an array.
  fileprivate func appendPart(at key: (any CodingKey)? = nil) -> ValueEncoder {
    let part = ValueEncoder(encoding, in: self, at: key ?? IndexKey(count))
    open.append((count, part))
    if let key { append(.null, at: key) } else { append(.null) }
    return part
  }

  /// Releases the parts whose containers were requested separately, because they retain this encoder.
  func close() {
    for part in open { part.encoder.close() }
    open = []
  }

  /// Returns the tree of everything that was encoded.
  func finish() throws -> RecordedValue {
    guard !isContradiction else {
      let context = EncodingError.Context(
        codingPath: codingPath, debugDescription: "It encodes itself as two kinds of values.")
      throw EncodingError.invalidValue(self, context)
    }
    for (place, encoder) in open { parts[place].value = try encoder.finish() }
    return switch kind {
    case .single: parts[0].value
    case .array: .array(parts.map(\.value))
    case .object, nil: .object(RecordedObject(parts))
    }
  }
}

extension ValueEncoder: Encoder {
  var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }

  var userInfo: [CodingUserInfoKey: Any] { encoding.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(KeyedValueEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return UnkeyedValueEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

// Each container encodes values of all types with its one generic function: `ValueTreatment` handles numbers and texts.

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() {
    begin(.single)
    append(.null)
  }

  func encode(_ value: some Encodable) throws {
    let tree = try encoding.tree(of: value, in: self, at: nil)
    begin(.single)
    append(tree)
  }
}

/// The container of an object that is being encoded.
private struct KeyedValueEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) {
    encoder.append(.null, at: key)
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.append(try encoder.encoding.tree(of: value, in: encoder, at: key), at: key)
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
}

/// The container of an array that is being encoded.
private struct UnkeyedValueEncoding: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.count }

  mutating func encodeNil() {
    encoder.append(.null)
  }

  mutating func encode(_ value: some Encodable) throws {
    encoder.append(try encoder.encoding.tree(of: value, in: encoder, at: IndexKey(count)))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.appendPart().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.appendPart().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { encoder.appendPart() }
}

/// The key of an index in an array.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) {
    self.index = index
  }

  init?(stringValue: String) { nil }

  init?(intValue: Int) {
    index = intValue
  }

  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }
}

/// The key of the part that a superclass encodes.
struct SuperKey: CodingKey {
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }

  var stringValue: String { "super" }
  var intValue: Int? { nil }
}
