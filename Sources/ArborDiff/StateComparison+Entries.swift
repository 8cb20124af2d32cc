extension StateComparison {
  /// Compares dictionaries, or sets.
  mutating func compare(_ before: any KeyedEntries, _ after: any KeyedEntries, areSets: Bool, at path: StatePath) {
    // Half of the budget remains for reporting the differences that are found.
    let found = after.differences(from: before, atMost: budget.left / 2)
    budget.spend(found.looked * Budget.key)
    let first = found.entries.prefix(budget.left / Budget.part)
    let left = found.left + found.entries.count - first.count
    let entries = ordered(first, areSets: areSets)
    for (index, entry) in entries.enumerated() {
      guard !isTruncated else { return }
      guard !budget.isSpent else { return omit(entries.count - index + left, at: path) }
      switch (entry.before, entry.after) {
      case (let before?, let after?):
        if !areSets { compare(before, after, at: path.element(entry.text)) }
      case (let before, let after):
        report(before, after, at: areSets ? path : path.element(entry.text))
      }
    }
    omit(left, at: path)
  }

  /// Compares the order of the elements that both have.
  mutating func compare(order before: [AnyHashable], _ after: [AnyHashable], at path: StatePath) {
    let (keys, otherKeys) = (Set(before), Set(after))
    let (left, right) = (before.filter(otherKeys.contains), after.filter(keys.contains))
    let start = zip(left, right).prefix { $0 == $1 }.count
    let end = zip(left.dropFirst(start).reversed(), right.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    guard start < max(left.count, right.count) - end else { return }
    report(
      order: left.dropFirst(start).dropLast(end).map(\.base),
      right.dropFirst(start).dropLast(end).map(\.base),
      at: path
    )
  }

  mutating func report(order before: [Any], _ after: [Any], at path: StatePath) {
    report(before as Any, after as Any, at: path.order())
  }

  private typealias Entry = (text: String, before: Any?, after: Any?)

  /// Returns the entries in the order of their texts; for sets, the removed ones first.
  private mutating func ordered(_ found: ArraySlice<EntryDifferences.Entry>, areSets: Bool) -> [Entry] {
    var entries: [Entry] = []
    var strange: [String: (before: [Any], after: [Any])] = [:]
    for entry in found {
      let key = text(of: entry.key)
      if !entry.isStrange {
        entries.append((key, entry.before, entry.after))
      } else if let before = entry.before {
        strange[key, default: ([], [])].before.append(before)
      } else if let after = entry.after {
        strange[key, default: ([], [])].after.append(after)
      }
    }
    // Keys that aren't equal to themselves are identified by their texts.
    for (key, (before, after)) in strange {
      for index in 0..<max(before.count, after.count) {
        entries.append((key, index < before.count ? before[index] : nil, index < after.count ? after[index] : nil))
      }
    }
    return entries.sorted { left, right in
      if areSets, (left.after == nil) != (right.after == nil) { return left.after == nil }
      return left.text == right.text ? values(of: left) < values(of: right) : left.text < right.text
    }
  }

  private mutating func values(of entry: Entry) -> String {
    "\(entry.before.map { text(of: $0) } ?? "") \(entry.after.map { text(of: $0) } ?? "")"
  }
}
