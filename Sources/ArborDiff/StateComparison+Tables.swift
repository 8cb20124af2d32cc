internal import Arbor

extension StateComparison {
  /// Compares two versions of a table.
  mutating func compare<Table: VersionedTable>(table before: Table, _ after: any VersionedTable, at path: StatePath) {
    guard let after = after as? Table else { return }
    let isComplete = after.visitDifferences(
      from: before,
      atMost: budget.left / 2,
      listing: limits.changes + 1
    ) { difference in
      guard !isOver else { return false }
      budget.spend(Budget.key)
      switch difference {
      case .record(let id, let before?, let after?):
        compare(before, after, at: path.element(text(of: id)))
      case .record(let id, let before, let after):
        report(before, after, at: path.element(text(of: id)))
      case .order(let before, let after):
        report(order: before, after, at: path)
      case .manualOrder(let name, let position, let before, let after):
        report(before, after, from: position, at: path.order(name))
      }
      return true
    }
    if !isComplete { omit(nil, at: path) }
  }

  /// Reports the elements in the places of an order, starting at a position.
  private mutating func report(_ before: [Any], _ after: [Any], from position: Int, at path: StatePath) {
    let count = max(before.count, after.count)
    guard count > 1, !before.isEmpty, !after.isEmpty else {
      for index in 0..<count where !isOver {
        let path = path.element("\(position + index)")
        report(before.isEmpty ? nil : before[index], after.isEmpty ? nil : after[index], at: path)
      }
      return
    }
    report(before as Any, after as Any, at: path.element("\(position)..<\(position + count)"))
  }
}
