/// Compares two values part by part, and writes down what differs.
struct StateComparison {
  private let limits: StateDiffLimits
  private(set) var changes: [StateChange] = []
  private(set) var isTruncated = false

  /// The pairs of objects that were met.
  private var met: Set<[ObjectIdentifier]> = []

  /// How many pairs of parts may still be looked at.
  private var partsLeft: Int

  init(limits: StateDiffLimits) {
    self.limits = limits
    partsLeft = limits.parts
  }

  mutating func compare(_ before: Any, _ after: Any, at path: StatePath) {
    guard !isTruncated else { return }
    partsLeft -= 1
    guard partsLeft >= 0 else {
      isTruncated = true
      return
    }
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
      compare(before, after, at: path.inside)
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
      compare(before.value, after.value, at: before.label.isEmpty ? path.inside : path.member(before.label))
    }
  }

  /// Leaves out what both begin and end with, so that what was put in or taken out is seen as such.
  private mutating func compare(_ before: [Any], _ after: [Any], at path: StatePath) {
    let shorter = min(before.count, after.count)
    var start = 0
    var first: StateComparison?
    while start < shorter, first == nil {
      first = difference(before[start], after[start], at: path.element("\(start)"))
      if first == nil { start += 1 }
    }
    // Of lists of one length the first pair that differs is no end that both have.
    let room = shorter - start - (before.count == after.count && first != nil ? 1 : 0)
    var end = 0
    while end < room {
      let (last, other) = (before.count - 1 - end, after.count - 1 - end)
      guard difference(before[last], after[other], at: path.element("\(last)")) == nil else { break }
      end += 1
    }
    let common = start..<(shorter - end)
    for index in common {
      if index == start, let first {
        adopt(first)
      } else {
        compare(before[index], after[index], at: path.element("\(index)"))
      }
    }
    for index in common.upperBound..<(before.count - end) {
      report(before[index], nil, at: path.element("\(index)"))
    }
    for index in common.upperBound..<(after.count - end) {
      report(nil, after[index], at: path.element("\(index)"))
    }
  }

  /// What this would become by comparing two values; nil if they are the same.
  private mutating func difference(_ before: Any, _ after: Any, at path: StatePath) -> StateComparison? {
    if let isEqual = StateComparison.isEqualScalar(before, after), isEqual { return nil }
    // It knows the objects that were met on the way here: else a cycle would not end.
    var comparison = self
    comparison.changes = []
    comparison.compare(before, after, at: path)
    partsLeft = comparison.partsLeft
    guard comparison.changes.isEmpty, !comparison.isTruncated else { return comparison }
    met = comparison.met
    return nil
  }

  /// Takes over what was found ahead.
  private mutating func adopt(_ comparison: StateComparison) {
    met.formUnion(comparison.met)
    let room = limits.changes - changes.count
    changes += comparison.changes.prefix(room)
    isTruncated = comparison.isTruncated || comparison.changes.count > room
  }

  private mutating func compare(_ before: [AnyHashable: Any], _ after: [AnyHashable: Any], at path: StatePath) {
    typealias Entry = (text: String, before: Any?, after: Any?)
    var entries: [Entry] = Set(before.keys).union(after.keys).filter { $0 == $0 }
      .map { key in (text(of: key.base), before[key], after[key]) }
    // Keys that are not equal to themselves are known by their texts.
    func strange(_ table: [AnyHashable: Any]) -> [(text: String, value: Any)] {
      table.filter { $0.key != $0.key }.map { (text(of: $0.key.base), $0.value) }.sorted { $0.text < $1.text }
    }
    let (left, right) = (strange(before), strange(after))
    for index in 0..<max(left.count, right.count) {
      let pair = (index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
      entries.append((pair.0?.text ?? pair.1?.text ?? "", pair.0?.value, pair.1?.value))
    }
    func rest(_ entry: Entry) -> String {
      "\(entry.before.map { text(of: $0) } ?? "") \(entry.after.map { text(of: $0) } ?? "")"
    }
    for entry in entries.sorted(by: { $0.text == $1.text ? rest($0) < rest($1) : $0.text < $1.text }) {
      let path = path.element(entry.text)
      if let before = entry.before, let after = entry.after {
        compare(before, after, at: path)
      } else {
        report(entry.before, entry.after, at: path)
      }
    }
  }

  private mutating func compare(_ before: Set<AnyHashable>, _ after: Set<AnyHashable>, at path: StatePath) {
    func texts(_ elements: Set<AnyHashable>) -> [String] { elements.map { text(of: $0.base) }.sorted() }
    var (removed, added) = (texts(before.subtracting(after)), texts(after.subtracting(before)))
    // Elements that are not equal to themselves are in both of them.
    for strange in texts(before.filter { $0 != $0 }) {
      guard let left = removed.firstIndex(of: strange), let right = added.firstIndex(of: strange) else { continue }
      removed.remove(at: left)
      added.remove(at: right)
    }
    for text in removed { report(path, before: text, after: nil) }
    for text in added { report(path, before: nil, after: text) }
  }

  private mutating func report(_ before: Any?, _ after: Any?, at path: StatePath) {
    report(path, before: before.map { text(of: $0) }, after: after.map { text(of: $0) })
  }

  private mutating func report(_ path: StatePath, before: String?, after: String?) {
    guard changes.count < limits.changes else {
      isTruncated = true
      return
    }
    changes.append(StateChange(path: path.text, before: before, after: after))
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

  /// Leaves that cannot be compared, or show another value than they are, are told apart by their texts.
  private func isEqualLeaf(_ before: Any, _ after: Any) -> Bool {
    let showsItself = Mirror(reflecting: before).subjectType == type(of: before)
    guard showsItself, let before = before as? any Equatable else { return text(of: before) == text(of: after) }
    func isEqual<Leaf: Equatable>(_ before: Leaf) -> Bool {
      guard let after = after as? Leaf else { return false }
      // What is not equal to itself is not a number, and has not changed.
      return before == after || (before != before && after != after)
    }
    return isEqual(before)
  }
}
