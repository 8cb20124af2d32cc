/// Compares two values part by part, and writes down what differs.
struct StateComparison {
  private var limits: StateDiffLimits
  private(set) var changes: [StateChange] = []
  private(set) var isTruncated = false

  /// The pairs of objects that were met.
  private var met: Set<[ObjectIdentifier]> = []

  init(limits: StateDiffLimits) {
    self.limits = limits
  }

  mutating func compare(_ before: Any, _ after: Any, at path: StatePath) {
    guard !isTruncated else { return }
    guard type(of: before) == type(of: after) else { return report(before, after, at: path) }
    if let isEqual = StateComparison.isEqualScalar(before, after) {
      if !isEqual { report(before, after, at: path) }
      return
    }
    guard path.depth < limits.depth else {
      if text(of: before) != text(of: after) { report(before, after, at: path) }
      return
    }
    if type(of: before) is AnyClass {
      let pair = [ObjectIdentifier(before as AnyObject), ObjectIdentifier(after as AnyObject)]
      guard pair[0] != pair[1], met.insert(pair).inserted else { return }
    }
    switch (ValueShape(of: before), ValueShape(of: after)) {
    case (.none, .none): break
    case (.some(let before), .some(let after)):
      compare(before, after, at: path)
    case (.parts(let before), .parts(let after)) where before.map(\.label) == after.map(\.label):
      compare(before, after, at: path)
    case (.enumeration(let name, let before), .enumeration(let other, let after))
    where name == other && before.map(\.label) == after.map(\.label):
      compare(before, after, at: path.member(name))
    case (.list(let before), .list(let after)):
      compare(before, after, at: path)
    case (.table(let before), .table(let after)):
      compare(before, after, at: path)
    case (.bag(let before), .bag(let after)):
      compare(before, after, at: path)
    case (.leaf, .leaf):
      if !isEqualLeaf(before, after) { report(before, after, at: path) }
    default:
      report(before, after, at: path)
    }
  }

  private mutating func compare(_ before: [ValueShape.Part], _ after: [ValueShape.Part], at path: StatePath) {
    for (before, after) in zip(before, after) {
      compare(before.value, after.value, at: before.label.isEmpty ? path : path.member(before.label))
    }
  }

  /// Leaves out what both begin and end with, so that what was put in or taken out is seen as such.
  private mutating func compare(_ before: [Any], _ after: [Any], at path: StatePath) {
    let shorter = min(before.count, after.count)
    var start = 0
    let element = path.element("")
    while start < shorter, isSame(before[start], after[start], at: element) { start += 1 }
    var end = 0
    while end < shorter - start, isSame(before[before.count - 1 - end], after[after.count - 1 - end], at: element) {
      end += 1
    }
    let common = start..<(shorter - end)
    for index in common { compare(before[index], after[index], at: path.element("\(index)")) }
    for index in common.upperBound..<(before.count - end) {
      report(before[index], nil, at: path.element("\(index)"))
    }
    for index in common.upperBound..<(after.count - end) {
      report(nil, after[index], at: path.element("\(index)"))
    }
  }

  private mutating func compare(_ before: [AnyHashable: Any], _ after: [AnyHashable: Any], at path: StatePath) {
    let keys = Set(before.keys).union(after.keys).map { (key: $0, text: text(of: $0.base)) }
    for (key, text) in keys.sorted(by: { $0.text < $1.text }) {
      let path = path.element(text)
      switch (before[key], after[key]) {
      case (let before?, let after?): compare(before, after, at: path)
      case (let before, let after): report(before, after, at: path)
      }
    }
  }

  private mutating func compare(_ before: Set<AnyHashable>, _ after: Set<AnyHashable>, at path: StatePath) {
    func sorted(_ elements: Set<AnyHashable>) -> [Any] {
      elements.map { ($0.base, text(of: $0.base)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
    for element in sorted(before.subtracting(after)) { report(element, nil, at: path) }
    for element in sorted(after.subtracting(before)) { report(nil, element, at: path) }
  }

  private func isSame(_ before: Any, _ after: Any, at path: StatePath) -> Bool {
    if let isEqual = StateComparison.isEqualScalar(before, after) { return isEqual }
    // A copy, which knows the objects that were met on the way here: else a cycle would not end.
    var comparison = self
    comparison.changes = []
    comparison.limits.changes = 0
    comparison.compare(before, after, at: path)
    return !comparison.isTruncated
  }

  private mutating func report(_ before: Any?, _ after: Any?, at path: StatePath) {
    guard changes.count < limits.changes else {
      isTruncated = true
      return
    }
    changes.append(
      StateChange(path: path.text, before: before.map { text(of: $0) }, after: after.map { text(of: $0) })
    )
  }

  private func text(of value: Any) -> String {
    ValueText.of(value, limits: limits)
  }

  /// Whether two values are equal of which most states are made; nil if they are none.
  private static func isEqualScalar(_ before: Any, _ after: Any) -> Bool? {
    switch (before, after) {
    case (let before as Int, let after as Int): before == after
    case (let before as String, let after as String): before == after
    case (let before as Bool, let after as Bool): before == after
    case (let before as Double, let after as Double): before == after || (before.isNaN && after.isNaN)
    default: nil
    }
  }

  /// Leaves that cannot be compared are told apart by their texts.
  private func isEqualLeaf(_ before: Any, _ after: Any) -> Bool {
    guard let before = before as? any Equatable else { return text(of: before) == text(of: after) }
    func isEqual<Leaf: Equatable>(_ before: Leaf) -> Bool {
      guard let after = after as? Leaf else { return false }
      // What is not equal to itself is not a number, and has not changed.
      return before == after || (before != before && after != after)
    }
    return isEqual(before)
  }
}
