/// The decoder of a value, with the value's offset and its enclosing value.
///
/// - It stores no coding path, only a link to the enclosing value. A path is made on demand.
final class BinaryPlace {
  let reader: BinaryReader

  /// The depth of the value. 0 for the place around the whole value.
  let depth: Int

  /// The enclosing value, and the index of this value's key or element in it; nil for the whole value or without a key.
  let parent: BinaryPlace?
  private(set) var index: Int?

  /// The offset at which the value begins.
  private(set) var start: Int

  // MARK: The state of an object

  private(set) var shape: ReadShape?

  /// The index of the key that is probably decoded next, and the offset of its value.
  private var next = 0
  private var nextStart = 0

  /// The offsets at which the values begin, for a dictionary or for an object that isn't decoded in order; nil
  /// otherwise.
  private(set) var starts: [Int]?

  init(_ reader: BinaryReader, start: Int, in parent: BinaryPlace?, at index: Int?) {
    self.reader = reader
    self.start = start
    self.parent = parent
    self.index = index
    depth = (parent?.depth ?? -1) + 1
  }

  /// Moves to another value, after the previous one was decoded.
  @inline(__always)
  func move(to start: Int, at index: Int) {
    self.start = start
    self.index = index
    shape = nil
    starts = nil
  }

  // MARK: Objects

  /// Reads the shape of the object, unless it was read already.
  func beginObject() throws {
    guard shape == nil else { return }
    var offset = start
    guard let tag = reader.cursor.tag(at: offset) else { throw error(of: [String: Any].self, at: start) }
    offset += 1
    if tag == BinaryTag.dictionary {
      try beginDictionary(offset)
    } else if let shape = reader.shape(tag, &offset) {
      self.shape = shape
      next = 0
      nextStart = offset
      if shape.keys.isEmpty { reader.remember(start, endsAt: offset) }
    } else {
      throw error(of: [String: Any].self, at: start)
    }
  }

  private func beginDictionary(_ content: Int) throws {
    var offset = content
    guard let count = reader.cursor.count(&offset, ofWidth: 2) else { throw error(of: [String: Any].self, at: start) }
    var keys: ContiguousArray<String> = []
    var starts: [Int] = []
    keys.reserveCapacity(count)
    starts.reserveCapacity(count)
    for _ in 0..<count {
      let keyStart = offset
      guard let key = reader.string(&offset) else { throw error(of: String.self, at: keyStart) }
      keys.append(key)
      starts.append(offset)
      guard let end = reader.end(of: offset) else { throw damage(at: offset) }
      offset = end
    }
    shape = ReadShape(keys, hasRepeats: false)
    self.starts = starts
    next = 0
    reader.remember(start, endsAt: offset)
  }

  /// Returns the index of a key in the object; nil if the object doesn't have the key.
  @inline(__always)
  func place(of key: String) -> Int? {
    shape!.place(of: key, near: next)
  }

  /// Returns the offset at which the value of a key begins.
  @inline(__always)
  func start(ofValue place: Int) throws -> Int {
    if starts == nil, place == next { return nextStart }
    return try searchStart(ofValue: place)
  }

  private func searchStart(ofValue place: Int) throws -> Int {
    if let starts { return starts[place] }
    if place > next {
      while next < place { try skipNext() }
      return nextStart
    }
    var starts: [Int] = []
    starts.reserveCapacity(shape!.keys.count)
    var offset = firstStart
    for _ in shape!.keys {
      starts.append(offset)
      guard let end = reader.end(of: offset) else { throw damage(at: offset) }
      offset = end
    }
    self.starts = starts
    return starts[place]
  }

  /// The offset at which the first value of an object begins.
  var firstStart: Int {
    var offset = start + 1
    if reader.cursor.tag(at: start) == BinaryTag.object { _ = reader.cursor.number(&offset) }
    return offset
  }

  private func skipNext() throws {
    guard let end = reader.end(of: nextStart) else { throw damage(at: nextStart) }
    next += 1
    nextStart = end
  }

  /// Moves on to the key after the one whose value was decoded.
  @inline(__always)
  func finish(_ place: Int, endsAt end: Int) {
    next = place + 1
    nextStart = end
    if next == shape!.keys.count { reader.remember(start, endsAt: end) }
  }
}

extension BinaryPlace: Decoder {
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var place = self
    while let parent = place.parent {
      if let index = place.index { path.append(parent.key(at: index)) }
      place = parent
    }
    return path.reversed()
  }

  func key(at index: Int) -> any CodingKey {
    guard let shape else { return BinaryKey(index: index) }
    return shape.keys.indices.contains(index) ? BinaryKey(stringValue: shape.keys[index]) : BinaryKey.ofSuperclass
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try beginObject()
    return KeyedDecodingContainer(BinaryKeyedDecoding<Key>(place: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try BinaryUnkeyedDecoding(place: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    BinarySingleDecoding(place: self)
  }
}
