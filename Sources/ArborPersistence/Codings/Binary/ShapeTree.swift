/// The sequences of keys of encoded objects, as a tree. A node is a sequence, and its children are the sequences with
/// one more key.
///
/// - The tree is kept from one value to the next. If the type of a value was encoded before, its keys are found and not
///   added.
/// - If an object has the same keys as the previous ones, each key costs a comparison of two strings, which are usually
///   the same literal.
final class ShapeTree {
  private struct Node {
    let key: String
    let name: Int
    let parent: Int

    /// The number of keys.
    let count: Int

    /// The child that was visited last.
    var expected = 0

    /// The number of the shape in a value, and the number of that value.
    var shape = 0
    var value = 0
  }

  private struct Step: Hashable {
    let node: Int
    let name: Int
  }

  static let root = 0
  private static let slots = 256
  private static let limit = 4096

  @exclusivity(unchecked) private var nodes: UnsafeMutablePointer<Node>
  private var capacity = 64
  private var count = 1
  @exclusivity(unchecked) private var names: [String: Int] = [:]
  @exclusivity(unchecked) private var children: [Step: Int] = [:]

  /// Nodes that were visited recently, in slots that depend on the key and the parent.
  private let recent: UnsafeMutablePointer<Int>

  /// The number of the value that is being encoded.
  @exclusivity(unchecked) private var value = 1

  /// The nodes of the shapes of the value that is being encoded.
  @exclusivity(unchecked) private var shapes: [Int] = []

  /// For each name, the last value in which it was written, and its number there.
  @exclusivity(unchecked) private var written: [(value: Int, number: Int)] = []

  init() {
    nodes = .allocate(capacity: capacity)
    nodes.initialize(to: Node(key: "", name: -1, parent: -1, count: 0))
    recent = .allocate(capacity: Self.slots)
    recent.initialize(repeating: 0, count: Self.slots)
  }

  deinit {
    nodes.deinitialize(count: count)
    nodes.deallocate()
    recent.deallocate()
  }

  /// Begins another value. Returns `false` if the tree has grown too large and must be replaced.
  func begin() -> Bool {
    value += 1
    shapes.removeAll(keepingCapacity: true)
    return count <= Self.limit
  }

  /// Returns the node of a sequence with one more key.
  @inline(__always)
  func child(of node: Int, _ key: String) -> Int {
    let expected = nodes[node].expected
    if expected != 0, nodes[expected].key == key { return expected }
    return otherChild(of: node, key)
  }

  @inline(never)
  private func otherChild(of node: Int, _ key: String) -> Int {
    let slot = Self.slot(of: node, key)
    let candidate = recent[slot]
    if candidate != 0, nodes[candidate].parent == node, nodes[candidate].key == key {
      nodes[node].expected = candidate
      return candidate
    }
    let child = lookUpChild(of: node, key)
    recent[slot] = child
    nodes[node].expected = child
    return child
  }

  @inline(__always)
  private static func slot(of node: Int, _ key: String) -> Int {
    // Different literals have different words.
    let mixed = withUnsafeBytes(of: key) { bytes in
      var sum = UInt(truncatingIfNeeded: node)
      for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<UInt>.size) {
        sum = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)) &* 0x9E37_79B1
        sum ^= sum >> 15
      }
      return sum
    }
    return Int(mixed % UInt(slots))
  }

  private func lookUpChild(of node: Int, _ key: String) -> Int {
    let name = names[key] ?? addName(key)
    let step = Step(node: node, name: name)
    if let child = children[step] { return child }
    if count == capacity { grow() }
    (nodes + count).initialize(to: Node(key: key, name: name, parent: node, count: nodes[node].count + 1))
    children[step] = count
    count += 1
    return count - 1
  }

  private func addName(_ key: String) -> Int {
    names[key] = written.count
    written.append((0, 0))
    return written.count - 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: nodes, count: count)
    nodes.deallocate()
    nodes = larger
    capacity *= 2
  }

  /// Returns the number of a shape in the value that is being encoded.
  @inline(__always)
  func shape(of node: Int) -> Int {
    if nodes[node].value == value { return nodes[node].shape }
    nodes[node].value = value
    nodes[node].shape = shapes.count
    shapes.append(node)
    return shapes.count - 1
  }

  /// Returns the last key of a sequence; nil if it is empty.
  func lastKey(of node: Int) -> String? {
    node == Self.root ? nil : nodes[node].key
  }

  /// Writes the table of the value's shapes; writes nothing if there are none.
  func write(to bytes: inout BinaryBuffer) {
    guard !shapes.isEmpty else { return }
    bytes.append(count: shapes.count)
    var numbers = 0
    for shape in shapes {
      bytes.append(count: nodes[shape].count)
      withUnsafeTemporaryAllocation(of: Int.self, capacity: nodes[shape].count) { path in
        var node = shape
        for index in path.indices.reversed() {
          path[index] = node
          node = nodes[node].parent
        }
        for node in path { writeKey(of: node, &numbers, to: &bytes) }
      }
    }
  }

  private func writeKey(of node: Int, _ numbers: inout Int, to bytes: inout BinaryBuffer) {
    let name = nodes[node].name
    if written[name].value == value { return bytes.append(count: written[name].number * 2 + 1) }
    written[name] = (value, numbers)
    numbers += 1
    var key = nodes[node].key
    key.withUTF8 { utf8 in
      bytes.append(count: utf8.count * 2)
      bytes.append(UnsafeRawBufferPointer(utf8))
    }
  }
}
