internal import Arbor

/// A comparison of two values part by part, which records the differences.
struct StateComparison {
  let limits: StateDiffLimits
  var changes: [StateChange] = []
  var isTruncated = false
  var omissions: [StateOmission] = []

  /// The pairs of objects that were already visited.
  var met: Set<[ObjectIdentifier]> = []

  /// The remaining budget: values that refer to the same parts many times have more paths than there is time for.
  var budget: Budget

  init(limits: StateDiffLimits) {
    self.limits = limits
    budget = Budget(parts: limits.parts)
  }

  /// `true` if nothing was recorded.
  var isEmpty: Bool { changes.isEmpty && omissions.isEmpty && !isTruncated }

  /// `true` if nothing more can be recorded or visited.
  var isOver: Bool { isTruncated || budget.isSpent }

  mutating func compare(_ before: Any, _ after: Any, at path: StatePath) {
    guard !isTruncated else { return }
    budget.spend(Budget.key)
    guard type(of: before) == type(of: after) else { return report(before, after, at: path) }
    if let isEqual = StateComparison.isEqualScalar(before, after) {
      if !isEqual { report(before, after, at: path) }
      return
    }
    guard !BitComparison.isSame(before, after) else { return }
    if let before = before as? JobState, let after = after as? JobState {
      return compare(before, after, at: path)
    }
    guard path.depth < limits.depth else {
      if text(of: before) != text(of: after) { report(before, after, at: path) }
      return
    }
    if type(of: before) is AnyClass {
      let pair = [ObjectIdentifier(before as AnyObject), ObjectIdentifier(after as AnyObject)]
      guard met.insert(pair).inserted else { return }
    }
    budget.spend(Budget.part)
    let written = (changes.count, omissions.count)
    compareParts(before, after, at: path)
    if Confidentiality.hides(before), written != (changes.count, omissions.count) {
      // It is reported as changed, without the part that changed.
      changes.removeSubrange(written.0...)
      omissions.removeSubrange(written.1...)
      return report(before, after, at: path)
    }
    if written == (changes.count, omissions.count), differsHidden(before, after) {
      report(before, after, at: path)
    }
  }

  /// Compares the states of a job as one line, because an attempt changes several properties at once.
  private mutating func compare(_ before: JobState, _ after: JobState, at path: StatePath) {
    guard before != after else { return }
    let (old, new) = (text(of: before), text(of: after))
    let isRestarted = old == new && before.attemptsBegun != after.attemptsBegun
    report(path, before: old, after: isRestarted ? "restarted, \(new)" : old == new ? "another \(new)" : new)
  }

  private mutating func compareParts(_ before: Any, _ after: Any, at path: StatePath) {
    let (left, right) = (ValueShape(of: before, atMost: budget.left), ValueShape(of: after, atMost: budget.left))
    switch (left, right) {
    case (.none, .none): break
    case (.some(let before), .some(let after)), (.wrapper(let before), .wrapper(let after)):
      compare(before, after, at: path.inside)
    case (.parts(let before), .parts(let after)) where before.map(\.label) == after.map(\.label):
      compare(before, after, at: path)
    case (.enumeration(let name, let before), .enumeration(let other, let after))
    where name == other && before.map(\.label) == after.map(\.label):
      compare(before, after, at: path.member(name))
    case (.list(let before), .list(let after)):
      compare(before, after, at: path)
    case (.entries(let before, let isSet, let order), .entries(let after, _, let otherOrder)):
      compare(before, after, areSets: isSet, at: path)
      if let order, let otherOrder { compare(order: order, otherOrder, at: path) }
    case (.table(let before), .table(let after)):
      compare(table: before, after, at: path)
    case (.leaf, .leaf):
      if !isEqualLeaf(before, after) { report(before, after, at: path) }
    default:
      report(before, after, at: path)
    }
  }

  private mutating func compare(_ before: [ValueShape.Part], _ after: [ValueShape.Part], at path: StatePath) {
    for index in before.indices {
      guard !budget.isSpent else { return omit(before.count - index, at: path) }
      budget.spend(Budget.part)
      let label = before[index].label
      compare(before[index].value, after[index].value, at: label.isEmpty ? path.inside : path.member(label))
    }
  }

  /// Returns `true` if a value with its own mirror is unequal to another one, although the mirror shows no difference.
  private func differsHidden(_ before: Any, _ after: Any) -> Bool {
    guard limits.seesHidden, ValueShape.hasOwnMirror(before) else { return false }
    return isEqual(before, after) == false
  }

  // MARK: Writing down

  /// Records that parts aren't visited.
  mutating func omit(_ count: Int?, at path: StatePath) {
    guard !isTruncated, count != 0 else { return }
    omissions.append(StateOmission(path: path.text, count: count))
  }

  mutating func report(_ before: Any?, _ after: Any?, at path: StatePath) {
    let before = before.map { text(of: $0) }
    let after = after.map { text(of: $0) }
    // A type may show all its values with the same text, to hide them.
    report(path, before: before, after: before == nil || before != after ? after : after.map { "another \($0)" })
  }

  mutating func report(_ path: StatePath, before: String?, after: String?) {
    guard changes.count < limits.changes else {
      isTruncated = true
      return
    }
    changes.append(StateChange(path: path.text, before: before, after: after))
  }

  mutating func text(of value: Any) -> String {
    ValueText.of(value, limits: limits, budget: &budget)
  }

  // MARK: Leaves

  /// Returns `true` if two values of the most common types are equal; nil if they have another type.
  static func isEqualScalar(_ before: Any, _ after: Any) -> Bool? {
    switch (before, after) {
    case (let before as Int, let after as Int): before == after
    case (let before as String, let after as String): before == after
    case (let before as Bool, let after as Bool): before == after
    case (let before as Double, let after as Double): before == after || (before.isNaN && after.isNaN)
    default: nil
    }
  }

  /// Returns `true` if two leaves are equal. Leaves that can't be compared, or show another value than they are, are
  /// distinguished by their texts.
  private mutating func isEqualLeaf(_ before: Any, _ after: Any) -> Bool {
    let showsItself = Mirror(reflecting: before).subjectType == type(of: before)
    guard showsItself, let isEqual = isEqual(before, after) else { return text(of: before) == text(of: after) }
    return isEqual
  }

  /// Returns the result of `==`; nil if there is none.
  private func isEqual(_ before: Any, _ after: Any) -> Bool? {
    func isEqual<Leaf: Equatable>(_ before: Leaf) -> Bool {
      guard let after = after as? Leaf else { return false }
      // A value that isn't equal to itself isn't a number. If neither is a number, nothing has changed.
      return before == after || (before != before && after != after)
    }
    return (before as? any Equatable).map { isEqual($0) }
  }
}
