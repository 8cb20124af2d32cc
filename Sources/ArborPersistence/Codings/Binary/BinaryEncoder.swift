/// The encoder of a value: its level in a writer.
struct BinaryEncoder {
  let writer: BinaryWriter
  let level: Int
  let serial: Int

  static func thatWritesNothing(_ writer: BinaryWriter) -> BinaryEncoder {
    BinaryEncoder(writer: writer, level: 0, serial: -1)
  }

  /// Begins a container of the value, or goes on with the one it has.
  @inline(__always)
  private func begin(_ content: BinaryWriter.Level.Content) {
    do {
      try writer.enter(level, serial)
      if writer.levels[level].content == .nothing {
        writer.levels[level].content = content
        writer.begin(content)
      } else if !writer.levels[level].content.isKind(of: content) {
        throw contradiction
      }
    } catch {
      writer.fail(error)
    }
  }

  private var contradiction: EncodingError {
    writer.error(self, "It encodes itself as two kinds of values.", at: level)
  }

  /// Begins the only value.
  @inline(__always)
  func beginSingle() throws {
    try writer.enter(level, serial)
    guard writer.levels[level].content == .nothing else { throw writer.fail(contradiction) }
    writer.levels[level].content = .single
    writer.levels[level].count = 1
  }

  /// Begins the next element.
  @inline(__always)
  func beginElement() throws {
    try writer.enter(level, serial)
    writer.levels[level].count += 1
  }

  /// Begins the value of a key. Returns the keys before it.
  @inline(__always)
  @discardableResult
  func beginValue(at key: String) throws -> Int {
    try writer.enter(level, serial)
    let node = writer.levels[level].node
    if writer.levels[level].content == .object {
      writer.levels[level].node = writer.shapes.child(of: node, key)
    } else {
      writer.beginEntry(key, of: level)
    }
    return node
  }
}

extension BinaryEncoder: Encoder {
  var codingPath: [any CodingKey] { writer.path(to: level) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(BinaryKeyedEncoding<Key>.content)
    return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return BinaryUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    BinarySingleEncoding(encoder: self)
  }
}
