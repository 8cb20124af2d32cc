/// The effect of a delivery of a table on a section that shows it.
enum ListChange {
  /// The section has not changed.
  case none

  /// The section is shown for the first time, or by a new subscription.
  case load

  /// Items were removed, inserted, moved or changed.
  case update
}

extension Sequence where Element: Hashable {
  /// The elements without duplicates: each first occurrence.
  func withoutRepetitions() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
