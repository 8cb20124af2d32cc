/// The meaning of a delivery of a table for a section that shows it.
enum ListChange {
  /// The section is as it was.
  case none

  /// The section is shown for the first time, or by a new subscription.
  case load

  /// Items went, came, moved or changed.
  case update
}

extension Sequence where Element: Hashable {
  /// The elements without those that came before.
  func withoutRepetitions() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
