/// The encoder of one part of a tree, which holds what was encoded so far.
final class ValueEncoder {
  private enum Content {
    case nothing
    case single(RecordedValue)
    case elements([RecordedValue])
    case members([RecordedObject.Member])

    /// A second container of another kind was asked for.
    case contradiction
  }

  let encoding: ValueEncoding

  /// The depth of the part in the tree: 0 for the whole.
  let depth: Int

  private let parent: ValueEncoder?
  private let key: (any CodingKey)?
  private var content = Content.nothing

  /// The parts whose containers were asked for alone, and their places.
  private var open: [(place: Int, encoder: ValueEncoder)] = []

  init(_ encoding: ValueEncoding, in parent: ValueEncoder?, at key: (any CodingKey)?) {
    self.encoding = encoding
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? -1) + 1
  }

  // MARK: The content

  func beginElements() {
    switch content {
    case .nothing: content = .elements([])
    case .elements: break
    default: content = .contradiction
    }
  }

  func beginMembers() {
    switch content {
    case .nothing: content = .members([])
    case .members: break
    default: content = .contradiction
    }
  }

  var count: Int {
    if case .elements(let elements) = content { elements.count } else { 0 }
  }

  /// Sets the only value.
  func set(_ value: RecordedValue) {
    if case .nothing = content { content = .single(value) } else { content = .contradiction }
  }

  func append(_ value: RecordedValue) {
    guard case .elements(var elements) = content else { return }
    content = .nothing
    elements.append(value)
    content = .elements(elements)
  }

  func append(_ value: RecordedValue, at key: any CodingKey) {
    guard case .members(var members) = content else { return }
    content = .nothing
    members.append(.init(RecordedValue.escaped(key.stringValue), value))
    content = .members(members)
  }

  /// Adds a part that is encoded later.
  func appendPart() -> ValueEncoder {
    let key = IndexKey(count)
    open.append((count, ValueEncoder(encoding, in: self, at: key)))
    append(.null)
    return open[open.count - 1].encoder
  }

  /// Adds a part with a key that is encoded later.
  func appendPart(at key: any CodingKey) -> ValueEncoder {
    var place = 0
    if case .members(let members) = content { place = members.count }
    open.append((place, ValueEncoder(encoding, in: self, at: key)))
    append(.null, at: key)
    return open[open.count - 1].encoder
  }

  /// Lets go of the parts whose containers were asked for alone, which know this encoder.
  func close() {
    for part in open { part.encoder.close() }
    open = []
  }

  /// The tree of all that was encoded.
  func finish() throws -> RecordedValue {
    switch content {
    case .nothing: return .object(RecordedObject())
    case .single(let value): return value
    case .elements(var elements):
      for (place, encoder) in open { elements[place] = try encoder.finish() }
      return .array(elements)
    case .members(var members):
      for (place, encoder) in open { members[place].value = try encoder.finish() }
      return .object(RecordedObject(members))
    case .contradiction:
      let context = EncodingError.Context(
        codingPath: codingPath, debugDescription: "It encodes itself as two kinds of values.")
      throw EncodingError.invalidValue(self, context)
    }
  }
}

extension ValueEncoder: Encoder {
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var encoder: ValueEncoder? = self
    while let next = encoder {
      if let key = next.key { path.append(key) }
      encoder = next.parent
    }
    return path.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { encoding.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginMembers()
    return KeyedEncodingContainer(KeyedValueEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginElements()
    return UnkeyedValueEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueEncoding(encoder: self)
  }
}

/// The key of a place in an array.
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
