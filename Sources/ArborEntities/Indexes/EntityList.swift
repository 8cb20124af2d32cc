internal import Arbor

/// Records of a table in the order of one of its indexes: all of them or some.
///
/// - It is a value that shows the table as it was when you read the list. While you keep it, changes to the table copy
///   the parts that they change.
/// - Finding the record at a position is O(log n); iterating is faster.
public struct EntityList<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline let records: SlotTrie<Record<Element>>
  @usableFromInline let order: any SlotOrder

  /// The positions of the order that are in the list.
  @usableFromInline let range: Range<Int>

  /// Makes a list of the records at some positions of an order. If you pass no range, the list has all positions.
  @inlinable
  init(_ records: SlotTrie<Record<Element>>, in order: any SlotOrder, _ range: Range<Int>? = nil) {
    self.records = records
    self.order = order
    self.range = range ?? 0..<order.count
  }

  /// The ids of the records.
  public var ids: [Element.ID] { map(\.id) }
}

extension EntityList: RandomAccessCollection {
  /// Always zero.
  public var startIndex: Int { 0 }

  /// The position after the last record: the number of records.
  public var endIndex: Int { range.count }

  /// The record at a position, counted from zero.
  ///
  /// - Parameter position: The position. If it is not in the list, the program stops.
  public subscript(position: Int) -> Element {
    if position < 0 || position >= range.count { Misuse.positionOfNoRecord.stop(about: "\(Element.self)") }
    return records.pointer(to: order.slot(at: range.lowerBound + position))!.pointee.element
  }

  /// Returns an iterator over the records, which reads the slots of a whole node at once.
  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// An iterator over the records of a list.
  public struct Iterator: IteratorProtocol {
    private let list: EntityList
    private var position: Int
    private var slots: ArraySlice<Int> = []

    init(_ list: EntityList) {
      self.list = list
      position = list.range.lowerBound
    }

    /// Returns the next record; nil at the end.
    public mutating func next() -> Element? {
      guard position < list.range.upperBound else { return nil }
      if slots.isEmpty { slots = list.order.slots(from: position)[...] }
      position += 1
      return list.records.pointer(to: slots.removeFirst())!.pointee.element
    }
  }
}

extension EntityList: Equatable where Element: Equatable {
  /// `true` if both have equal records in the same order.
  public static func == (left: EntityList, right: EntityList) -> Bool {
    left.elementsEqual(right)
  }
}

extension EntityList: CustomStringConvertible {
  /// The records, formatted like an array.
  public var description: String { Array(self).description }
}

extension EntityList: CustomReflectable {
  /// A mirror that shows a list of the records.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

/// An order of slots, of any kind.
@usableFromInline
protocol SlotOrder: Sendable {
  var count: Int { get }

  /// The object that holds the order; nil if it is empty. If two orders are kept and have the same object, they have
  /// the same slots at the same positions.
  var identity: ObjectIdentifier? { get }

  func slot(at position: Int) -> Int

  /// Some slots from a position on, at least one.
  func slots(from position: Int) -> [Int]
}

extension OrderedTree: SlotOrder {
  @usableFromInline var identity: ObjectIdentifier? { root.map(ObjectIdentifier.init) }

  @usableFromInline
  func slots(from position: Int) -> [Int] {
    let (leaf, offset) = leaf(at: position)
    return leaf.entries[offset...].map(\.slot)
  }

  @usableFromInline
  func slot(at position: Int) -> Int { self[position].slot }
}
