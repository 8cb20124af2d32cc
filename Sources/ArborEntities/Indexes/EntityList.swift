internal import Arbor

/// Records of a table in the order of one of its indexes, all of them or some.
///
/// - A value: it shows the table as it was when it was asked for. While it is kept, changing the table copies what changes.
/// - The record at a position is found in O(log n); walking from one to the next is faster.
public struct EntityList<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline let records: SlotTrie<Record<Element>>
  @usableFromInline let order: any SlotOrder

  /// The positions in the order that are in.
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

  /// The position behind the last record: the number of records.
  public var endIndex: Int { range.count }

  /// The record at a position, counted from zero.
  ///
  /// - Parameter position: The position; one that is not in the list stops the program.
  public subscript(position: Int) -> Element {
    if !indices.contains(position) { Misuse.positionOfNoRecord.stop(about: "\(Element.self)") }
    return records.pointer(to: order.slot(at: range.lowerBound + position))!.pointee.element
  }

  /// Walks through the records; takes the slots of a whole node at once.
  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// Gives one record after the other.
  public struct Iterator: IteratorProtocol {
    private let list: EntityList
    private var position: Int
    private var slots: ArraySlice<Int> = []

    init(_ list: EntityList) {
      self.list = list
      position = list.range.lowerBound
    }

    /// The next record, if there is one.
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
  /// The records, as those of an array.
  public var description: String { Array(self).description }
}

extension EntityList: CustomReflectable {
  /// Shown as a list of its records.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

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
