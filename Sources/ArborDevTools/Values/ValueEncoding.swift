internal import Foundation

/// The common part of the encoders of one tree.
final class ValueEncoding {
  let depth: Int
  let userInfo: [CodingUserInfoKey: Any]

  /// The treatments that were found, by the types.
  private var treatments: [ObjectIdentifier: ValueTreatment] = [:]

  init(depth: Int, userInfo: [CodingUserInfoKey: Any]) {
    self.depth = depth
    self.userInfo = userInfo
  }

  /// The tree of a value that is encoded by a place's encoder.
  func tree<Value: Encodable>(
    of value: Value,
    in parent: ValueEncoder?,
    at key: @autoclosure () -> (any CodingKey)?
  ) throws -> RecordedValue {
    switch treatment(of: value) {
    case .redacted: return .redacted
    case .leaf(let tree): return tree(value)
    case .data: return .string((value as! Data).base64EncodedString())
    case .address: return .string((value as! URL).absoluteString)
    case .decimal: return .string((value as! Decimal).description)
    case .own: return try ownTree(of: value, ValueEncoder(self, in: parent, at: key()))
    case .unordered(let type):
      var tree = try ownTree(of: value, ValueEncoder(self, in: parent, at: key()))
      type.sort(&tree)
      return tree
    }
  }

  private func ownTree(of value: some Encodable, _ encoder: ValueEncoder) throws -> RecordedValue {
    guard encoder.depth <= depth else { return .omitted("deeper than \(depth) parts") }
    defer { encoder.close() }
    try FreshStack.run(atLevel: encoder.depth) { try value.encode(to: encoder) }
    return try encoder.finish()
  }

  /// A value that is no tree, or the mark in its place if the value is confidential.
  func leaf(_ tree: RecordedValue, of value: Any) -> RecordedValue {
    guard case .redacted = treatment(of: value) else { return tree }
    return .redacted
  }

  private func treatment(of value: Any) -> ValueTreatment {
    let type = ObjectIdentifier(type(of: value))
    if let treatment = treatments[type] { return treatment }
    let treatment = ValueTreatment(of: value)
    // The keys that an empty dictionary may have were not seen yet.
    if let collection = value as? any UnorderedValue, collection.anyKey == nil { return treatment }
    treatments[type] = treatment
    return treatment
  }
}

extension RecordedValue {
  /// Encodes a value.
  ///
  /// - As `JSONEncoder` does by default, but for these: keys come in the order in which they are encoded, those of dictionaries and
  ///   the elements of sets sorted; a `Decimal` is a text, with all of its digits; a number that is not finite is marked.
  /// - A value that encodes nothing is an empty object.
  /// - A value that would encode itself deeper than the limit is omitted, so that no value overflows the stack.
  /// - Parameters:
  ///   - value: The value. A confidential value in it that another one encodes by a call of its own `encode(to:)`, with the
  ///     encoder of that other value, is not seen.
  ///   - depth: The greatest depth, in parts, at which a value encodes itself; 0 for the whole alone.
  /// - Throws: The error of the value, or `EncodingError` if it encodes itself as two kinds of values.
  static func encoding(
    _ value: some Encodable,
    depth: Int = 1000,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> RecordedValue {
    let encoding = ValueEncoding(depth: depth, userInfo: userInfo)
    return try encoding.tree(of: value, in: nil, at: nil)
  }

  /// Encodes a value, without confidential ones.
  package init(encoding value: some Encodable) throws {
    self = try RecordedValue.encoding(value)
  }
}

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
