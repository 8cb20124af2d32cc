internal import Foundation

/// A value or container that is being encoded: its bytes, and the nested containers that can still be written to.
///
/// - The bytes of a value are added to the enclosing container when the value is encoded. A nested container can be
///   written to until the enclosing value is encoded, so code can write to several containers in turn.
// Used by one thread at a time: the pool hands out each node once.
final class BinaryNode: @unchecked Sendable {
  enum Content {
    case nothing
    case single
    case object
    case dictionary
    case array
  }

  /// The place of a value in the enclosing one.
  enum Place {
    /// The single value as which the enclosing value encodes itself.
    case itself
    case index(Int)
    case key(String)
  }

  let writer: BinaryWriter

  /// The enclosing value, the place in it, and the number of enclosing values.
  // Sound: nil once this node has ended, and each value ends before the enclosing one is gone.
  @exclusivity(unchecked) private unowned(unsafe) var parent: BinaryNode?
  @exclusivity(unchecked) private var place = Place.itself
  @exclusivity(unchecked) private var depth = 0

  @exclusivity(unchecked) private var content = Content.nothing

  /// The bytes of the nested values, except for those in `parts`.
  @exclusivity(unchecked) var bytes = BinaryBuffer()

  /// The nested containers that can still be written to, each with its offset in `bytes`.
  @exclusivity(unchecked) private var parts: [(offset: Int, node: BinaryNode)] = []

  /// The node of the object's keys so far, and the number of its shape once it is encoded.
  @exclusivity(unchecked) private var shape = ShapeTree.root
  @exclusivity(unchecked) private var shapeNumber = 0

  /// The number of elements of an array, or of entries of a dictionary.
  @exclusivity(unchecked) private(set) var count = 0

  /// The entries of a dictionary: the offset at which each begins, and the number of parts before it.
  @exclusivity(unchecked) private var entries: [(start: Int, parts: Int)] = []

  /// `true` once the bytes were added to the enclosing value.
  @exclusivity(unchecked) private var isEnded = false

  /// `true` while a nested value encodes itself; its bytes will follow the present ones.
  @exclusivity(unchecked) private var isWaiting = false

  /// A node that was used for a nested value and can be reused for the next one.
  @exclusivity(unchecked) private var spare: BinaryNode?

  init(_ writer: BinaryWriter) {
    self.writer = writer
  }

  deinit { bytes.free() }

  /// Resets the node, so that it can encode another value.
  func reset() {
    (content, isEnded) = (.nothing, false)
    forget(after: 0, parts: 0, count: 0, shape: ShapeTree.root)
    bytes.reset()
  }

  // MARK: Writing

  /// Checks that the node can be written to as a kind of content.
  @inline(__always)
  func begin(_ content: Content) throws {
    if self.content != content || isEnded || isWaiting { try beginAnew(content) }
  }

  @inline(never)
  private func beginAnew(_ content: Content) throws {
    if isEnded { throw error("A container was written to after its value was encoded.") }
    if isWaiting { throw writer.fail(error("A container was written to while a value inside it was encoded.")) }
    switch (self.content, content) {
    case (.nothing, _): self.content = content
    // A dictionary may be written into the enclosing object, and an object into the enclosing dictionary.
    case (.object, .dictionary), (.dictionary, .object): break
    default: throw writer.fail(error("It encodes itself as two kinds of values."))
    }
  }

  /// Begins the value at a place.
  @inline(__always)
  private func begin(_ place: Place) throws {
    switch place {
    case .itself:
      guard content != .single else { throw writer.fail(error("It encodes itself as two kinds of values.")) }
      try begin(.single)
    case .index:
      try begin(.array)
      count += 1
    case .key(let key):
      try begin(content == .dictionary ? .dictionary : .object)
      if content == .object {
        shape = writer.shapes.child(of: shape, key)
      } else {
        entries.append((bytes.count, parts.count))
        count += 1
        bytes.put(key)
      }
    }
  }

  /// Encodes a value. If the value throws an error, everything it has written is removed.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value, _ place: Place) throws {
    let before = (content: content, end: bytes.count, parts: parts.count, count: count, shape: shape)
    try begin(place)
    if bytes.putPlain(value) != nil { return }
    do {
      try encodeItself(value, place)
    } catch {
      if before.content == .nothing { content = .nothing }
      forget(after: before.end, parts: before.parts, count: before.count, shape: before.shape)
      throw error
    }
  }

  private func encodeItself<Value: Encodable>(_ value: Value, _ place: Place) throws {
    var inner = child(at: place)
    if let failure = writer.failure { throw failure }
    isWaiting = true
    defer { isWaiting = false }
    try inner.run(value)
    guard isKnownUniquelyReferenced(&inner) else { return parts.append((bytes.count, inner)) }
    inner.endShapes()
    inner.write(to: &bytes)
    reuse(inner)
  }

  /// Lets a value encode itself.
  // Not inlined, so that afterward only containers that are still in use have a reference to this node.
  @inline(never)
  private func run<Value: Encodable>(_ value: Value) throws {
    do {
      try value.encode(to: self)
      if let failure = writer.failure { throw failure }
    } catch {
      abandon()
      throw error
    }
  }

  /// Encodes a null or a missing value at a place.
  func encode(tag: UInt8, _ place: Place) throws {
    try begin(place)
    bytes.append(tag)
  }

  /// Encodes that a key has no value, so that all objects of a type have the same keys.
  func encodeAbsence(_ key: String) throws {
    if content == .object { try encode(tag: BinaryTag.absent, .key(key)) }
  }

  /// Begins a nested container, or an encoder for a superclass.
  func part(_ content: Content, at place: Place) -> BinaryNode {
    let part = child(at: place)
    do {
      // Otherwise, containers could be nested without limit.
      if let failure = writer.failure { throw failure }
      try begin(place)
      try part.begin(content)
      parts.append((bytes.count, part))
    } catch {
      writer.fail(error)
      part.abandon()
    }
    return part
  }

  private func child(at place: Place) -> BinaryNode {
    let child = spare.take() ?? BinaryNode(writer)
    (child.parent, child.place, child.depth) = (self, place, depth + 1)
    if child.depth > writer.depthLimit { writer.fail(TooDeep(path: child.codingPath)) }
    return child
  }

  /// The keys and indexes that lead to the value; empty once it has ended.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var node = self
    while let parent = node.parent {
      switch node.place {
      case .itself: break
      case .index(let index): path.append(BinaryKey(index: index))
      case .key(let key): path.append(BinaryKey(stringValue: key))
      }
      node = parent
    }
    return path.reversed()
  }

  // MARK: The end

  /// Removes everything written after an offset, and all parts except the first ones.
  private func forget(after end: Int, parts kept: Int, count: Int, shape: Int) {
    bytes.truncate(to: end)
    while let entry = entries.last, entry.start >= end { entries.removeLast() }
    while parts.count > kept { parts.removeLast().node.abandon() }
    (self.count, self.shape) = (count, shape)
  }

  /// Ends this node and its parts, and discards their bytes.
  private func abandon() {
    (isEnded, parent) = (true, nil)
    if parts.isEmpty { return }
    for part in parts { part.node.abandon() }
    parts = []
  }

  /// Numbers the shapes of all objects, nested ones first.
  func endShapes() {
    (isEnded, parent) = (true, nil)
    if !parts.isEmpty { for part in parts { part.node.endShapes() } }
    if content == .nothing || content == .object { shapeNumber = writer.shapes.shape(of: shape) }
  }

  /// Appends the bytes to others, and ends the parts.
  func write(to target: inout BinaryBuffer) {
    switch content {
    case .single: break
    case .nothing, .object: target.put(shape: shapeNumber)
    case .array:
      target.append(BinaryTag.array)
      target.append(count: count)
    case .dictionary:
      target.append(BinaryTag.dictionary)
      target.append(count: count)
      return writeEntries(to: &target)
    }
    if parts.isEmpty { return target.append(bytes[0..<bytes.count]) }
    write(0..<bytes.count, parts.indices, to: &target)
    // A part without other references can be reused.
    var last = parts.removeLast().node
    parts.removeAll(keepingCapacity: true)
    if isKnownUniquelyReferenced(&last) { reuse(last) }
  }

  /// Writes a range of the bytes, with the parts in it.
  private func write(_ range: Range<Int>, _ inside: Range<Int>, to target: inout BinaryBuffer) {
    var place = range.lowerBound
    for (offset, node) in parts[inside] {
      target.append(bytes[place..<offset])
      node.write(to: &target)
      place = offset
    }
    target.append(bytes[place..<range.upperBound])
  }

  /// Writes the entries of a dictionary in the order of their keys.
  private func writeEntries(to target: inout BinaryBuffer) {
    let ends = entries.dropFirst() + [(bytes.count, parts.count)]
    let sorted = zip(entries, ends)
      .map { (key: key(at: $0.start), bytes: $0.start..<$1.start, parts: $0.parts..<$1.parts) }
      .sorted { Self.isKey($0.key, before: $1.key) }
    for entry in sorted { write(entry.bytes, entry.parts, to: &target) }
    parts = []
  }

  /// Keeps a node without other references for the next value.
  private func reuse(_ node: BinaryNode) {
    node.reset()
    spare = node
  }

  private static func isKey(_ left: UnsafeRawBufferPointer, before right: UnsafeRawBufferPointer) -> Bool {
    let order = memcmp(left.baseAddress!, right.baseAddress!, min(left.count, right.count))
    return order == 0 ? left.count < right.count : order < 0
  }

  /// The UTF-8 of the key of the entry at an offset.
  private func key(at start: Int) -> UnsafeRawBufferPointer {
    let cursor = BinaryCursor(start: bytes.start, end: bytes.count)
    var offset = start + 1
    let tag = cursor.byte(at: start)
    let count = tag == BinaryTag.string ? cursor.number(&offset)! : Int(tag - BinaryTag.shortString)
    return cursor.bytes(offset..<offset + count)
  }

  private func error(_ text: String) -> EncodingError {
    // The value isn't this node, because the error would then hold the node, and the node's writer holds the error.
    .invalidValue(content, .init(codingPath: codingPath, debugDescription: text))
  }
}

/// The error of a value that is nested too deeply.
struct TooDeep: Error {
  let path: [any CodingKey]
}
