/// The remaining cost that a comparison or a text may spend on visiting parts.
struct Budget {
  /// The rest, which is never below zero.
  private(set) var left: Int

  /// A pair of parts, or a part that is converted to text: its mirror takes time.
  static let part = 8

  /// A number that is compared, or a key that is looked up.
  static let key = 1

  /// The number of elements, compared by their bits, that cost as much as a key.
  private static let elements = 16

  init(parts: Int) {
    left = max(min(parts, .max / 1024), 0) * Budget.part
  }

  var isSpent: Bool { left == 0 }

  mutating func spend(_ cost: Int) {
    left = max(left - cost, 0)
  }

  mutating func spend(elements: Int) {
    spend(elements / Budget.elements + Budget.key)
  }

  /// Returns the number of elements that may be compared by their bits so that a rest of the budget remains.
  func elements(leaving rest: Int) -> Int {
    max(left - rest, 0) * Budget.elements
  }
}
