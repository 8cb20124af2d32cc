/// Finds whether two values are equal but for stand-ins: values that show another value than they are, and say that they are unequal
/// though what they show is not, as stamps do.
package struct StandIns {
  private var partsLeft: Int

  /// Whether two values differ in nothing but stand-ins that show equal values.
  ///
  /// - Where there is no stand-in, `==` decides; of objects without it, identity.
  /// - Bounded as a ``StateDiff``: what is deeper, or too much, counts as different.
  package static func areAllThatDiffers<State>(
    _ left: State,
    _ right: State,
    limits: StateDiffLimits = StateDiffLimits()
  ) -> Bool {
    var standIns = StandIns(partsLeft: limits.parts)
    return standIns.isEqual(left, right, depth: limits.depth)
  }

  private mutating func isEqual(_ left: Any, _ right: Any, depth: Int) -> Bool {
    partsLeft -= 1
    guard depth > 0, partsLeft > 0, type(of: left) == type(of: right) else { return false }
    let verdict = StandIns.areEqual(left, right)
    if verdict == true { return true }
    if !hasStandIn(left, depth: depth) {
      if let verdict { return verdict }
      if type(of: left) is AnyClass { return (left as AnyObject) === (right as AnyObject) }
    }
    return areEqualParts(left, right, depth: depth)
  }

  private mutating func areEqualParts(_ left: Any, _ right: Any, depth: Int) -> Bool {
    switch (ValueShape(of: left), ValueShape(of: right)) {
    case (.none, .none): return true
    case (.some(let left), .some(let right)): return isEqual(left, right, depth: depth - 1)
    case (.parts(let left), .parts(let right)):
      return areEqual(left.map(\.value), right.map(\.value), depth: depth)
    case (.enumeration(let name, let left), .enumeration(let other, let right)):
      return name == other && areEqual(left.map(\.value), right.map(\.value), depth: depth)
    case (.list(let left), .list(let right)):
      return areEqual(left, right, depth: depth)
    case (.table(let left), .table(let right)):
      guard left.count == right.count else { return false }
      for (key, value) in left {
        guard let other = right[key], isEqual(value, other, depth: depth - 1) else { return false }
      }
      return true
    case (.bag(let left), .bag(let right)): return left == right
    // What a stand-in shows that has no parts is known by its whole text alone.
    case (.leaf, .leaf) where StandIns.isStandIn(left): return String(describing: left) == String(describing: right)
    default: return StandIns.areEqual(left, right) ?? false
    }
  }

  private mutating func areEqual(_ left: [Any], _ right: [Any], depth: Int) -> Bool {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
      guard isEqual(left, right, depth: depth - 1) else { return false }
    }
    return true
  }

  /// Whether a value, or a part of it, shows another one.
  private mutating func hasStandIn(_ value: Any, depth: Int) -> Bool {
    partsLeft -= 1
    guard depth > 0, partsLeft > 0 else { return false }
    // What has no parts is told by its type: a mirror of each number would take its time.
    if value is Int || value is String || value is Bool || value is Double { return false }
    if StandIns.isStandIn(value) { return true }
    for part in StandIns.parts(of: value) where hasStandIn(part, depth: depth - 1) { return true }
    return false
  }

  private static func isStandIn(_ value: Any) -> Bool {
    Mirror(reflecting: value).subjectType != type(of: value)
  }

  private static func parts(of value: Any) -> [Any] {
    switch ValueShape(of: value) {
    case .leaf, .none: []
    case .some(let wrapped): [wrapped]
    case .parts(let parts), .enumeration(_, let parts): parts.map(\.value)
    case .list(let elements): elements
    case .table(let table): table.flatMap { [$0.key.base, $0.value] }
    case .bag(let elements): elements.map(\.base)
    }
  }

  /// What `==` says; nil if there is none.
  private static func areEqual(_ left: Any, _ right: Any) -> Bool? {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    return (left as? any Equatable).map { isEqual($0) }
  }
}
