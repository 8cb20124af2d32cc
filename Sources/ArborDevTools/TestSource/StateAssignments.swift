internal import Arbor
internal import ArborDiff

/// The assignments that turn one state into another. They only assign the parts that differ.
struct StateAssignments {
  /// An assignment, or a call without a value: `$0.drawing.undo()`.
  struct Assignment {
    /// The target of the assignment, such as `$0.rows[2].name`; nil for a call.
    let target: String?

    /// The assigned value, or the call.
    let text: SourceText

    var statement: SourceText.Item { SourceText.Item(label: target.map { "\($0) = " } ?? "", text: text) }
  }

  private(set) var assignments: [Assignment] = []

  var statements: [SourceText.Item] { assignments.map(\.statement) }

  init() {}

  /// Makes the assignment of a whole value.
  init(assigning value: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    assignments = [Assignment(target: place.target, text: try SwiftLiteral.text(of: value, at: place))]
  }

  /// Adds the assignments that turn one value into another.
  mutating func add(from before: Any, to after: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    guard !BitComparison.isSame(before, after) else { return }
    guard type(of: before) == type(of: after) else { return try assign(after, at: place) }
    let isConvertible = !(after is any OptionalValue) && after is any SwiftSourceConvertible
    // The parts of a confidential value are confidential, too.
    if !isConvertible, !Confidentiality.hides(after), place.depth <= SwiftLiteral.depthLimit {
      if let after = after as? any PartwiseWritten {
        if let parts = try after.parts(from: before, at: place) { return add(parts) }
      } else if let parts = try SwiftLiteral.tableAssignments(from: before, to: after, at: place) {
        return add(parts)
      } else if let (before, after) = properties(before, after, at: place) {
        return try addProperties(from: before, to: after, at: place)
      }
    }
    try addWhole(from: before, to: after, at: place)
  }

  /// Adds the assignments that turn one property into another. A property declared as a protocol is assigned as a whole.
  mutating func addProperty(from before: Any, to after: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    if place.isTypeKnown {
      try add(from: before, to: after, at: place)
    } else {
      try addWhole(from: before, to: after, at: place)
    }
  }

  /// Adds the assignment of a whole value if it differs.
  private mutating func addWhole(from before: Any, to after: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    let isSame = try isSame(before, after, at: place)
    if !isSame { try assign(after, at: place) }
  }

  mutating func add(_ other: StateAssignments) {
    assignments += other.assignments
  }

  /// Adds the assignment of a whole value.
  mutating func assign(_ value: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    add(try StateAssignments(assigning: value, at: place))
  }

  /// Adds a call.
  mutating func call(_ call: SourceText) {
    assignments.append(Assignment(target: nil, text: call))
  }

  /// Returns these assignments of a value's parts, or the assignment of the whole value if that is shorter.
  func orShorter(assigning value: Any, at place: LiteralPlace) -> StateAssignments {
    // The whole value may contain parts that can only be written as changes.
    guard assignments.count > 1, let whole = try? StateAssignments(assigning: value, at: place) else { return self }
    return whole.length < length ? whole : self
  }

  private var length: Int { assignments.reduce(0) { $0 + "\($1.statement.label)\($1.text.flat)".unicodeScalars.count } }

  /// Returns `true` if two values are equal and have the same source, if they can be written.
  private func isSame(_ before: Any, _ after: Any, at place: LiteralPlace) throws(SwiftSourceError) -> Bool {
    // Most values can be compared without their sources.
    if let after = after as? String, let before = before as? String { return after.utf8.elementsEqual(before.utf8) }
    if after is any BinaryInteger || after is Bool { return ValueEquality.areEqual(before, after) }
    guard ValueEquality.areEqual(before, after) else {
      return try SwiftLiteral.text(of: after, at: place).flat == (try? SwiftLiteral.text(of: before, at: place))?.flat
    }
    let texts = [before, after].map { value in (try? SwiftLiteral.text(of: value, at: place))?.flat }
    return texts[0] == texts[1]
  }

  // MARK: Structs and tuples

  /// Returns the mirrors of two values whose properties can be assigned; nil if they are assigned as a whole.
  private func properties(_ before: Any, _ after: Any, at place: LiteralPlace) -> (Mirror, Mirror)? {
    let type = type(of: after)
    guard !place.wholeTypes.contains(where: { $0 == type }), !(after is any SwiftWritten) else { return nil }
    guard !(after is any CustomReflectable), !(after is any RawRepresentable) else { return nil }
    if let after = after as? any Identifiable, isOther(after, than: before) { return nil }
    let mirrors = (Mirror(reflecting: before), Mirror(reflecting: after))
    let isTuple = mirrors.1.displayStyle == .tuple
    guard isTuple || mirrors.1.displayStyle == .struct && !SwiftLiteral.isForeign(type) else { return nil }
    return mirrors.1.children.isEmpty ? nil : mirrors
  }

  /// Returns `true` if two values have different ids, so that neither is a changed version of the other.
  private func isOther<Value: Identifiable>(_ value: Value, than other: Any) -> Bool {
    (other as? Value)?.id != value.id
  }

  private mutating func addProperties(
    from before: Mirror,
    to after: Mirror,
    at place: LiteralPlace
  ) throws(SwiftSourceError) {
    for (index, (before, after)) in zip(before.children, after.children).enumerated() {
      let label = after.label ?? ".\(index)"
      let isKnown = Mirror.isDeclared(asTypeOf: after.value)
      if label.hasPrefix(".") {
        let place = place.member("\(label.dropFirst())").with(isTypeKnown: isKnown)
        try addProperty(from: before.value, to: after.value, at: place)
      } else if let old = try? StoredProperty(label, before.value, at: place) {
        let new = try StoredProperty(label, after.value, at: place)
        try addProperty(from: old.value, to: new.value, at: place.member(new.name).with(isTypeKnown: isKnown))
      } else if !ValueEquality.areEqual(before.value, after.value) {
        _ = try StoredProperty(label, after.value, at: place)
      }
    }
  }
}

/// A library value whose parts can be assigned, or that calls can change.
protocol PartwiseWritten {
  /// Returns the assignments and calls that turn another value into this one; nil if it must be compared and assigned as
  /// a whole.
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments?
}

extension PartwiseWritten {
  /// Returns the assignments and calls that turn another value into this one; nil also if the other value has another
  /// type.
  func parts(from before: Any, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    guard let before = before as? Self else { return nil }
    return try assignments(from: before, at: place)
  }
}

/// A stored property, with the name that the memberwise initializer and assignments use.
struct StoredProperty {
  let name: String
  let value: Any

  /// Makes the property of a mirror's child.
  init(_ label: String, _ value: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    if label.hasPrefix("_"), let stamped = value as? any StampedContent {
      name = String(label.dropFirst())
      self.value = stamped.content
      return
    }
    guard !label.hasPrefix("_"), !label.hasPrefix("$") else {
      throw place.member(label).error(
        "it is private or wrapped storage; make its type conform to SwiftSourceConvertible")
    }
    name = label
    self.value = value
  }
}

/// The content of a `Stamped` property.
private protocol StampedContent {
  var content: Any { get }
}

extension Stamped: StampedContent {
  fileprivate var content: Any { wrappedValue }
}
