/// All records sorted by a key. Records with equal keys are in the order of the table.
///
/// ```swift
/// static let byTitle = SortedIndex(\Book.title)
/// static let newest = SortedIndex(\Book.year, by: >)
/// static let byShelf = SortedIndex<Book, _>(by: { ($0.room, $0.shelf) < ($1.room, $1.shelf) })
/// ```
///
/// - `table[Book.byTitle]` is the whole list; call `.reversed()` to reverse it. `table[Book.byTitle, "A"..<"C"]` is the
///   part with keys in that range. If a closure defines the order, specify a part in that order:
///   `table[Book.newest, from: 2000, through: 1990]`.
/// - Cost: O(log n) per change to a record's key, no cost for a change that keeps the key, and a copy of the key for
///   each record.
/// - Keys that are not equal to themselves, such as NaN, come last, and are in no range.
/// - A closure must define one strict order. Otherwise each record is still in the list once, but its position and the
///   content of ranges are unspecified, and a change may take O(n).
public struct SortedIndex<Element: Identifiable & Sendable, Key: Sendable>: EntityIndex where Element.ID: Sendable {
  /// The functions that a table uses to keep the index up to date.
  public let maintenance: IndexMaintenance<Element>

  /// Returns the key of a record.
  @usableFromInline let key: @Sendable (_ element: Element) -> Key

  /// The order: `true` if the first key comes before the second.
  @usableFromInline let areInOrder: @Sendable (_ first: Key, _ second: Key) -> Bool

  /// Returns `false` for a key that is not equal to itself: it has no place in the order, and comes last.
  @usableFromInline let isOrdered: @Sendable (_ key: Key) -> Bool

  /// Sorts by a key.
  ///
  /// - Parameter key: Returns the key of a record.
  @inlinable
  public init(_ key: @escaping @Sendable (_ element: Element) -> Key) where Key: Comparable {
    self.init(key, { isInOrder($0, $1) }, isOrdered: { $0 == $0 })
  }

  /// Sorts by a closure that compares two records.
  ///
  /// - The index keeps a copy of each record, which may be an earlier version that the closure does not distinguish
  ///   from it.
  ///
  /// - Parameter areInIncreasingOrder: Returns `true` if the first record comes before the second.
  @inlinable
  public init(by areInIncreasingOrder: @escaping @Sendable (_ first: Element, _ second: Element) -> Bool)
  where Key == CustomOrder<Element> {
    self.init({ $0 }, by: areInIncreasingOrder, isOrdered: { _ in true })
  }

  /// Sorts by a key with a closure that compares two keys: `SortedIndex(\Book.year, by: >)`.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a record.
  ///   - areInIncreasingOrder: Returns `true` if the first key comes before the second. Not called with a key that is
  ///     not equal to itself.
  @inlinable
  public init<Value: Equatable & Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Value,
    by areInIncreasingOrder: @escaping @Sendable (_ first: Value, _ second: Value) -> Bool
  ) where Key == CustomOrder<Value> {
    self.init(key, by: { isInOrder($0, $1, by: areInIncreasingOrder) }, isOrdered: { $0 == $0 })
  }

  /// Sorts by a key without `==`, such as a tuple, with a closure that compares two keys.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a record.
  ///   - areInIncreasingOrder: Returns `true` if the first key comes before the second.
  @inlinable
  public init<Value: Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Value,
    by areInIncreasingOrder: @escaping @Sendable (_ first: Value, _ second: Value) -> Bool
  ) where Key == CustomOrder<Value> {
    self.init(key, by: areInIncreasingOrder, isOrdered: { _ in true })
  }

  @inlinable
  init<Value: Sendable>(
    _ key: @escaping @Sendable (Element) -> Value,
    by areInOrder: @escaping @Sendable (Value, Value) -> Bool,
    isOrdered: @escaping @Sendable (Value) -> Bool
  ) where Key == CustomOrder<Value> {
    self.init({ CustomOrder(key($0)) }, { areInOrder($0.key, $1.key) }, isOrdered: { isOrdered($0.key) })
  }

  @inlinable
  init(
    _ key: @escaping @Sendable (Element) -> Key,
    _ areInOrder: @escaping @Sendable (Key, Key) -> Bool,
    isOrdered: @escaping @Sendable (Key) -> Bool
  ) {
    self.key = key
    self.areInOrder = areInOrder
    self.isOrdered = isOrdered
    typealias Content = OrderedTree<Key>
    maintenance = IndexMaintenance(empty: IndexBox(Content())) { storage, slot, old, new in
      let (old, new) = (old.map(key), new.map(key))
      if let old, let new, !areInOrder(old, new), !areInOrder(new, old) { return }
      IndexBox<Content>.change(&storage) { tree in
        if let old { tree.remove(OrderedEntry(old, slot), by: areInOrder) }
        if let new { tree.insert(OrderedEntry(new, slot), by: areInOrder) }
      }
    } build: { records in
      IndexBox(Content(of: records, key, by: areInOrder))
    } check: { storage, records in
      IndexBox<Content>.content(of: storage).check(Content(of: records, key, by: areInOrder))
    }
  }
}

extension OrderedTree {
  /// The tree of all records of a table.
  @inlinable
  init<Element>(
    of records: SlotTrie<Record<Element>>,
    _ key: (Element) -> Key,
    by areInOrder: (Key, Key) -> Bool
  ) {
    var entries: [Entry] = []
    entries.reserveCapacity(records.count)
    records.visit { slot, record in entries.append(Entry(key(record.element), slot)) }
    entries.sort { $0.isBefore($1, by: areInOrder) }
    self.init(sorted: entries)
  }

  /// Stops the program unless the slots are those of another tree, in the same order.
  @usableFromInline
  func check(_ expected: OrderedTree) {
    root?.check()
    precondition(entries.map(\.slot) == expected.entries.map(\.slot), "an index doesn't match its table")
  }
}

extension EntityTable {
  /// All records, in the order of an index.
  ///
  /// - Parameter index: The index. If the type of the records does not declare it, the program stops.
  public subscript<Key>(index: SortedIndex<Element, Key>) -> EntityList<Element> {
    EntityList(store.records, in: content(of: index, OrderedTree<Key>.self))
  }

  /// The records whose keys are in a range, in the order of an index.
  ///
  /// - You can use any kind of range: `"A"..<"C"`, `1990...`, `..<"M"`.
  /// - Cost: O(log n) for Swift's own kinds of ranges, O(n) for others.
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - keys: The range of keys. If it is empty, the list is empty.
  public subscript<Key: Comparable>(
    index: SortedIndex<Element, Key>,
    keys: some RangeExpression<Key>
  ) -> EntityList<Element> {
    switch keys {
    case let keys as Range<Key>: return list(of: index, from: keys.lowerBound, upTo: keys.upperBound)
    case let keys as ClosedRange<Key>: return list(of: index, from: keys.lowerBound, through: keys.upperBound)
    case let keys as PartialRangeFrom<Key>: return list(of: index, from: keys.lowerBound)
    case let keys as PartialRangeUpTo<Key>: return list(of: index, upTo: keys.upperBound)
    case let keys as PartialRangeThrough<Key>: return list(of: index, through: keys.upperBound)
    default: break
    }
    // The tree may hold an earlier version's key, which is equal, but may not be in the same ranges.
    let entries = content(of: index, OrderedTree<Key>.self).entries.map { entry in
      OrderedEntry(index.key(store[entry.slot].element), entry.slot)
    }
    let inRange = entries.filter { index.isOrdered($0.key) && keys.contains($0.key) }
    return EntityList(store.records, in: OrderedTree(sorted: inRange))
  }

  /// The records from one key through another, in the custom order of an index; none if the first key comes after the
  /// last.
  ///
  /// - Specify the keys in the order of the index: `table[Book.newest, from: 2000, through: 1990]`.
  /// - Keys that the order does not distinguish are included: in an order by `abs`, `from: -1, through: 2` gives 1, -1,
  ///   2 and -2.
  /// - Cost: O(log n).
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - first: The key where the list begins; records with this key are included.
  ///   - last: The key where the list ends; records with this key are included.
  public subscript<Key>(
    index: SortedIndex<Element, CustomOrder<Key>>,
    from first: Key,
    through last: Key
  ) -> EntityList<Element> {
    list(of: index, from: CustomOrder(first), through: CustomOrder(last))
  }

  /// The records from a key to the end, in the custom order of an index.
  ///
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - first: The key where the list begins; records with this key are included.
  public subscript<Key>(index: SortedIndex<Element, CustomOrder<Key>>, from first: Key) -> EntityList<Element> {
    list(of: index, from: CustomOrder(first))
  }

  /// The records from the beginning through a key, in the custom order of an index.
  ///
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - last: The key where the list ends; records with this key are included.
  public subscript<Key>(index: SortedIndex<Element, CustomOrder<Key>>, through last: Key) -> EntityList<Element> {
    list(of: index, through: CustomOrder(last))
  }

  /// The records whose keys are between two bounds. Without an upper bound, the list ends before the keys that are not
  /// equal to themselves.
  private func list<Key>(
    of index: SortedIndex<Element, Key>,
    from first: Key? = nil,
    upTo end: Key? = nil,
    through last: Key? = nil
  ) -> EntityList<Element> {
    let tree = content(of: index, OrderedTree<Key>.self)
    let lower = first.map { first in tree.position { index.areInOrder($0.key, first) } } ?? 0
    let upper = tree.position { entry in
      guard index.isOrdered(entry.key) else { return false }
      if let end { return index.areInOrder(entry.key, end) }
      return last.map { !index.areInOrder($0, entry.key) } ?? true
    }
    return EntityList(store.records, in: tree, lower..<Swift.max(lower, upper))
  }
}

/// A key sorted by a closure instead of `<`: the key of a ``SortedIndex`` with a custom order.
///
/// - `SortedIndex(\Book.year, by: >)` is a `SortedIndex<Book, CustomOrder<Int>>`; you only need to name it in the type
///   of the index.
/// - It is not `Comparable`, even if the key is. Swift's ranges ascend by `<`, so they don't compile for such an index.
public struct CustomOrder<Key: Sendable>: Sendable {
  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key) {
    self.key = key
  }
}
