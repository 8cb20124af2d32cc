internal import Arbor
internal import ArborDiff

/// A walk through a value of any type that makes a tree of the value's parts.
struct ValueReflection {
  private let limits: RecordedValueLimits

  /// The number of parts that the tree may still have.
  private var left: Int

  /// The objects that contain the current part.
  private var objects: Set<ObjectIdentifier> = []

  init(limits: RecordedValueLimits) {
    self.limits = limits
    left = limits.parts
  }

  mutating func tree(of value: Any, depth: Int = 0) -> RecordedValue {
    guard left > 0 else { return .omitted("more than \(limits.parts) parts") }
    guard depth <= limits.depth else { return .omitted("deeper than \(limits.depth) parts") }
    left -= 1
    if Confidentiality.hides(value) { return .redacted }
    if let leaf = RecordedValue(leaf: value) { return bounded(leaf) }
    switch ValueShape(of: value, atMost: left + 1) {
    case .leaf: return bounded(.string(text(of: value)))
    case .none: return .null
    case .some(let wrapped): return tree(ofWrapped: wrapped, depth: depth)
    case .wrapper(let content): return tree(of: content, depth: depth)
    case .parts(let parts): return tree(of: parts, of: value, depth: depth)
    case .enumeration(let name, let payload):
      // The form that an enum's synthesized `Codable` has.
      return .object(RecordedObject([.init(RecordedValue.escaped(name), object(of: payload, depth: depth + 1))]))
    case .list(let elements): return .array(list(elements, depth: depth))
    case .entries(let entries, let isSet, _): return tree(of: entries, isSet: isSet, depth: depth)
    case .table(let table): return tree(of: table, depth: depth)
    }
  }

  private func bounded(_ leaf: RecordedValue) -> RecordedValue {
    guard case .string(let text) = leaf, text.utf8.count > limits.bytes else { return leaf }
    return .omitted("a string of \(text.utf8.count) bytes")
  }

  /// Returns the text of a key, or of a value whose parts aren't shown.
  private func text(of value: Any) -> String {
    if let text = value as? String { return text }
    return ValueText.of(value, limits: StateDiffLimits(characters: 10_000, parts: 1000))
  }

  private mutating func tree(ofWrapped wrapped: Any, depth: Int) -> RecordedValue {
    // An optional that wraps nil differs from nil.
    guard case .none = ValueShape(of: wrapped, atMost: 1) else { return tree(of: wrapped, depth: depth) }
    return .object(RecordedObject([.init("some", .null)]))
  }

  private mutating func tree(of parts: [ValueShape.Part], of value: Any, depth: Int) -> RecordedValue {
    guard type(of: value) is AnyClass else {
      let isArray = !parts.isEmpty && parts.allSatisfy { Int($0.label) != nil }
      return isArray ? .array(parts.map { tree(of: $0.value, depth: depth + 1) }) : object(of: parts, depth: depth)
    }
    let object = ObjectIdentifier(value as AnyObject)
    guard objects.insert(object).inserted else { return .omitted("an object inside itself") }
    defer { objects.remove(object) }
    return self.object(of: parts, depth: depth)
  }

  private mutating func object(of parts: [ValueShape.Part], depth: Int) -> RecordedValue {
    .object(
      RecordedObject(
        parts.enumerated().map { index, part in
          .init(ValueReflection.key(of: part.label, at: index), tree(of: part.value, depth: depth + 1))
        }))
  }

  private static func key(of label: String, at index: Int) -> String {
    if label.isEmpty || Int(label) != nil { return "_\(index)" }
    // The storage of a property wrapper has the property's name with an underscore.
    return RecordedValue.escaped(label.hasPrefix("_") ? String(label.dropFirst()) : label)
  }

  private mutating func list(_ elements: ElementList, depth: Int) -> [RecordedValue] {
    var trees: [RecordedValue] = []
    while trees.count < elements.count, left > 0 { trees.append(tree(of: elements[trees.count], depth: depth + 1)) }
    let count = elements.count - trees.count
    if elements.hasMore {
      trees.append(.omitted("more elements"))
    } else if count > 0 {
      trees.append(.omitted("\(count) more elements"))
    }
    return trees
  }

  private mutating func tree(of collection: any KeyedEntries, isSet: Bool, depth: Int) -> RecordedValue {
    // Sorting requires all entries.
    guard collection.count <= left else { return .omitted("\(collection.count) entries") }
    let entries = collection.entries
    if isSet {
      var tree = RecordedValue.array(entries.map { self.tree(of: $0.key, depth: depth + 1) })
      Set<Int>.sort(&tree)
      return tree
    }
    guard !entries.contains(where: { Confidentiality.hides($0.key) }) else { return .redacted }
    var members = entries.map { entry in
      RecordedObject.Member(RecordedValue.escaped(text(of: entry.key)), tree(of: entry.value as Any, depth: depth + 1))
    }
    members.sort { $0.key < $1.key }
    return .object(RecordedObject(members))
  }

  /// Returns the records of a table by their ids, in their order.
  private mutating func tree<Table: VersionedTable>(of table: Table, depth: Int) -> RecordedValue {
    var members: [RecordedObject.Member] = []
    var isHidden = false
    let isComplete = table.visitDifferences(from: Table(), atMost: left, listing: 0) { difference in
      guard case .record(let id, _, let record?) = difference else { return true }
      isHidden = isHidden || Confidentiality.hides(id)
      members.append(.init(RecordedValue.escaped(text(of: id)), tree(of: record, depth: depth + 1)))
      return left > 0
    }
    guard !isHidden else { return .redacted }
    if !isComplete { members.append(.init("…", .omitted("more records"))) }
    return .object(RecordedObject(members))
  }
}

extension RecordedValue {
  /// Makes a tree of the parts of a value of any type. It is only for inspection, and can't be decoded.
  ///
  /// - An enum case without a payload is a text. A case with a payload is an object, like in an enum's synthesized
  ///   `Codable`.
  /// - The entries of dictionaries are sorted by the texts of their keys, and the elements of sets by their texts.
  /// - An object inside itself is omitted there, and so are all parts beyond the limits.
  package init(reflecting value: Any, limits: RecordedValueLimits = RecordedValueLimits()) {
    var reflection = ValueReflection(limits: limits)
    self = reflection.tree(of: value)
  }

  /// Makes the tree of a value of one of the types that trees consist of; nil for any other type.
  init?(leaf value: Any) {
    switch value {
    case is any OptionalValue: return nil
    case let value as Bool: self = .bool(value)
    case let value as String: self = .string(value)
    case let value as Double: self.init(value)
    case let value as Float: self.init(value)
    case let value as any BinaryInteger: self.init(value)
    case let value as Character: self = .string(String(value))
    case let value as Substring: self = .string(String(value))
    default: return nil
    }
  }
}

/// An optional of any type. It must be checked first, because a cast of an optional checks its content.
protocol OptionalValue {}

extension Optional: OptionalValue {}

/// The limits of a recorded tree. Parts of a value beyond them appear in it as omitted.
package struct RecordedValueLimits: Sendable {
  /// The maximum depth of the tree, in parts.
  package var depth: Int

  /// The maximum number of parts of the tree.
  package var parts: Int

  /// The maximum number of bytes of a text, in UTF-8.
  package var bytes: Int

  package init(depth: Int = 100, parts: Int = 10_000, bytes: Int = 1_048_576) {
    self.depth = depth
    self.parts = parts
    self.bytes = bytes
  }
}
