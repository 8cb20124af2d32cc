/// An order of slots, whatever it is made by.
@usableFromInline
protocol SlotOrder: Sendable {
  var count: Int { get }

  /// The object that holds the order; nil if it is empty. Of two orders that are both kept, the same object means the same
  /// slots at the same positions.
  var identity: ObjectIdentifier? { get }

  func slot(at position: Int) -> Int

  /// Some slots from a position on, at least one.
  func slots(from position: Int) -> [Int]
}
