/// An order of slots, whatever it is made by.
@usableFromInline
protocol SlotOrder: Sendable {
  var count: Int { get }

  func slot(at position: Int) -> Int

  /// Some slots from a position on, at least one.
  func slots(from position: Int) -> [Int]
}
