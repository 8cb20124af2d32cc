/// The content of a default, with its members in a dictionary.
final class FillingDefault {
  let content: StoredContent
  private(set) lazy var members = content.members

  init(_ content: StoredContent) {
    self.content = content
  }
}

/// The decoder of one value of a ``Filling``.
final class FillingPlace {
  private let filling: Filling
  let content: StoredContent
  private let defaults: [FillingDefault]
  let codingPath: [any CodingKey]

  /// The members of an object, by their keys.
  private(set) lazy var members = content.members

  /// The keys that the value has requested.
  private var asked: Set<String> = []

  /// The keys that were taken from defaults.
  private var filled: Set<String> = []

  init(
    _ filling: Filling,
    _ content: StoredContent,
    _ defaults: [FillingDefault],
    _ path: [any CodingKey]
  ) {
    (self.filling, self.content, self.defaults, codingPath) = (filling, content, defaults, path)
  }

  // MARK: Keys

  /// Returns the stored value of a key; nil if there is none.
  fileprivate func stored(_ key: String) -> StoredContent? {
    asked.insert(key)
    return members[key]
  }

  /// Returns the value of a key, either stored or from a default.
  private func find(_ key: any CodingKey) throws -> (content: StoredContent, defaults: [FillingDefault]) {
    let name = key.stringValue
    if let own = stored(name) {
      return (own, defaults.compactMap { $0.members[name].map(FillingDefault.init) })
    }
    guard let value = defaults.lazy.compactMap({ $0.members[name] }).first else {
      let text = "There is no key \(name.debugDescription), and no default for it."
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
    }
    if filled.isEmpty { filling.note(self) }
    filled.insert(name)
    return (value, [])
  }

  fileprivate func decodeNil(at key: any CodingKey) throws -> Bool {
    guard let content = stored(key.stringValue) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "There is no such key."))
    }
    return content == .null
  }

  /// Returns the place of a key's value.
  fileprivate func part(at key: any CodingKey) throws -> FillingPlace {
    let (content, defaults) = try find(key)
    return FillingPlace(filling, content, defaults, codingPath + [key])
  }

  /// Returns the place of the value that a superclass has encoded.
  fileprivate func superPart(at key: any CodingKey) -> FillingPlace {
    (try? part(at: key)) ?? FillingPlace(filling, .null, [], codingPath + [key])
  }

  // MARK: Elements and the value itself

  fileprivate func element(_ index: Int, _ content: StoredContent) -> FillingPlace {
    FillingPlace(filling, content, [], codingPath + [BinaryKey(index: index)])
  }

  fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try filling.value(type, content, defaults, codingPath)
  }

  fileprivate func mismatch(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "The value is not of the type \(type)."))
  }

  // MARK: The end

  /// The paths of the values that were taken from defaults.
  var filledPaths: [String] {
    let path = codingPath.map { $0.intValue == nil ? $0.stringValue : "*" }
    return filled.map { (path + [$0]).joined(separator: ".") }
  }

  /// Checks that an object with missing properties has no unread fields.
  ///
  /// - Throws: ``StoredValueError/Reason/unreadFields(_:)``, because the property may have been renamed.
  func requireThatAllIsRead() throws {
    let unread = members.filter { !asked.contains($0.key) && $0.value != .null }.keys.sorted()
    guard !unread.isEmpty, let name = filled.min() else { return }
    let path = codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } + [name]
    throw StoredForm.Failure(path: path.joined(separator: "."), reason: .unreadFields(unread))
  }
}

extension FillingPlace: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { filling.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object = content else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(FillingKeyedContainer<Key>(place: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = content else { throw mismatch([Any].self) }
    return FillingUnkeyedContainer(place: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { FillingSingleContainer(place: self) }
}

private struct FillingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: FillingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  var allKeys: [Key] {
    // In their order; each key is recorded as requested.
    place.content.keys.compactMap { name in Key(stringValue: name).flatMap { place.stored(name) == nil ? nil : $0 } }
  }

  func contains(_ key: Key) -> Bool { place.stored(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try place.decodeNil(at: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try place.part(at: key).value(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try place.part(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try place.part(at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { place.superPart(at: BinaryKey.ofSuperclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { place.superPart(at: key) }
}

private struct FillingUnkeyedContainer: UnkeyedDecodingContainer {
  let place: FillingPlace
  let elements: [StoredContent]
  private(set) var currentIndex = 0

  init(place: FillingPlace, elements: [StoredContent]) {
    (self.place, self.elements) = (place, elements)
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  /// Decodes the next element, and moves on to the following one only if that succeeds.
  private mutating func next<Value>(_ type: any Any.Type, _ decode: (FillingPlace) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      let path = codingPath + [BinaryKey(index: currentIndex)]
      let text = "The array has no more elements."
      throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: text))
    }
    let value = try decode(place.element(currentIndex, elements[currentIndex]))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return try next(Never.self) { _ in false } }
    guard elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.value(type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

private struct FillingSingleContainer: SingleValueDecodingContainer {
  let place: FillingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func decodeNil() -> Bool { place.content == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try place.value(type) }
}

extension StoredContent {
  /// `true` unless the content is an array or an object.
  var isSingle: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  fileprivate var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }

  fileprivate var members: [String: StoredContent] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Returns the value of a type that has the same form in each coding; nil if the type or the content is another one.
  func plain<Value>(_ type: Value.Type) -> Value? {
    switch self {
    case .bool(let value): type == Bool.self ? value as? Value : nil
    case .string(let value): type == String.self ? value as? Value : nil
    case .integer(let value):
      switch type {
      case is Int.Type: Int(exactly: value) as? Value
      case is Int64.Type: value as? Value
      default: nil
      }
    case .double(let value): type == Double.self ? value as? Value : nil
    default: nil
    }
  }
}
