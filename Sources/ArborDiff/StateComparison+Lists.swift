extension StateComparison {
  /// Compares lists without their common beginning and end, so that inserted and removed elements are recognized.
  mutating func compare(_ before: ElementList, _ after: ElementList, at path: StatePath) {
    let shorter = min(before.count, after.count)
    var (start, end) = (0, 0)
    var first: StateComparison?
    // Half of the budget remains for reporting the differences that are found.
    var rest = budget.left / 2
    while first == nil {
      start += skipSame(before, after, from: (start, start), by: 1, atMost: shorter - start, leaving: rest)
      guard start < shorter, budget.left > rest else { break }
      first = difference(before[start], after[start], at: path.element("\(start)"))
      if first == nil { start += 1 }
    }
    let unseen = first == nil ? shorter - start : 0
    // If both lists have the same length, the first pair that differs isn't part of a common end. If the end of a list
    // is unknown, there is no common end.
    let hasEnd = unseen == 0 && !before.hasMore && !after.hasMore
    let room = hasEnd ? shorter - start - (before.count == after.count && first != nil ? 1 : 0) : 0
    rest = budget.left / 2
    while end < room, budget.left > rest {
      let (last, other) = (before.count - 1 - end, after.count - 1 - end)
      end += skipSame(before, after, from: (last, other), by: -1, atMost: room - end, leaving: rest)
      guard end < room, budget.left > rest else { break }
      let path = path.element("\(before.count - 1 - end)")
      guard difference(before[before.count - 1 - end], after[after.count - 1 - end], at: path) == nil else { break }
      end += 1
    }
    if let first, start < shorter - end { adopt(first) }
    compareMiddle(before, after, from: start + (first == nil ? unseen : 1), to: shorter - end, at: path)
    omit(unseen, at: path)
    report(before, from: shorter - end, to: before.count - end, areGone: true, at: path)
    report(after, from: shorter - end, to: after.count - end, areGone: false, at: path)
    if before.hasMore || after.hasMore { omit(nil, at: path) }
  }

  private mutating func compareMiddle(
    _ before: ElementList,
    _ after: ElementList,
    from start: Int,
    to end: Int,
    at path: StatePath
  ) {
    var index = start
    while !isTruncated {
      if index < end { index += skipSame(before, after, from: (index, index), by: 1, atMost: end - index) }
      guard index < end else { return }
      guard !budget.isSpent else { return omit(end - index, at: path) }
      compare(before[index], after[index], at: path.element("\(index)"))
      index += 1
    }
  }

  private mutating func report(
    _ elements: ElementList,
    from start: Int,
    to end: Int,
    areGone: Bool,
    at path: StatePath
  ) {
    for index in start..<max(start, end) {
      guard !isTruncated else { return }
      guard !budget.isSpent else { return omit(end - index, at: path) }
      report(areGone ? elements[index] : nil, areGone ? nil : elements[index], at: path.element("\(index)"))
    }
  }

  /// Counts the pairs with the same bits, from two places up to the first that differs, and spends their cost.
  private mutating func skipSame(
    _ before: ElementList,
    _ after: ElementList,
    from places: (Int, Int),
    by step: Int,
    atMost limit: Int,
    leaving rest: Int = 0
  ) -> Int {
    let limit = min(limit, budget.elements(leaving: rest))
    let count = before.countSame(as: after, from: places, by: step, atMost: limit)
    budget.spend(elements: count)
    return count
  }

  /// Returns the result of comparing two values; nil if they are the same.
  private mutating func difference(_ before: Any, _ after: Any, at path: StatePath) -> StateComparison? {
    budget.spend(Budget.key)
    if let isEqual = StateComparison.isEqualScalar(before, after), isEqual { return nil }
    // It knows the objects that were visited on the way here. Otherwise a cycle wouldn't end.
    var comparison = self
    comparison.changes = []
    comparison.omissions = []
    comparison.compare(before, after, at: path)
    budget = comparison.budget
    guard comparison.isEmpty else { return comparison }
    met = comparison.met
    return nil
  }

  /// Adopts the results of a comparison that was made in advance.
  private mutating func adopt(_ comparison: StateComparison) {
    met.formUnion(comparison.met)
    let room = limits.changes - changes.count
    changes += comparison.changes.prefix(room)
    omissions += comparison.omissions
    isTruncated = comparison.isTruncated || comparison.changes.count > room
  }
}
