/// How much a comparison may still look at.
struct Budget {
  private(set) var left: Int

  /// A pair of parts, or a part whose text is made: its mirror takes time.
  static let part = 8

  /// A number that is compared, or a key that is looked up.
  static let key = 1

  /// How many elements that are compared by their bits cost no more than a key.
  private static let elements = 16

  init(parts: Int) {
    left = min(parts, .max / 1024) * Budget.part
  }

  var isSpent: Bool { left <= 0 }

  mutating func spend(_ cost: Int) {
    left -= cost
  }

  mutating func spend(elements: Int) {
    left -= elements / Budget.elements + Budget.key
  }

  /// How many elements may be compared by their bits, if something is to be left.
  func elements(leaving rest: Int) -> Int {
    max(left - rest, 0) * Budget.elements
  }
}
