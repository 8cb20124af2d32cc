/// All records in the order of a key; those with equal keys in the order of the table.
///
/// ```swift
/// static let byTitle = SortedIndex(\Book.title)
/// static let newest = SortedIndex(\Book.year, by: >)
/// static let byShelf = SortedIndex<Book, _>(by: { ($0.room, $0.shelf) < ($1.room, $1.shelf) })
/// ```
///
/// - `table[Book.byTitle]` is the whole list, `.reversed()` the other way round, `table[Book.byTitle, "A"..<"C"]` the part of it
///   with such keys.
/// - Cost: O(log n) a change of a record's key, none for one that leaves it; a copy of the key for each record.
/// - Keys that are not equal to themselves, as numbers that are not a number, come last, and are in no range.
/// - A closure must put records into one strict order. By another one each is in the list once, but where is not said, and a
///   change may cost O(n).
public struct SortedIndex<Element: Identifiable & Sendable, Key: Sendable>: EntityIndex where Element.ID: Sendable {
  /// How a table keeps it up to date.
  public let maintenance: IndexMaintenance<Element>

  /// Sorts by a key.
  @inlinable
  public init(_ key: @escaping @Sendable (_ element: Element) -> Key) where Key: Comparable {
    self.init(key) { isInOrder($0, $1) }
  }

  /// Sorts by a closure that says whether a record comes before another one; it keeps a copy of each record, which may be
  /// that of an earlier version that the closure does not tell from it.
  @inlinable
  public init(by areInIncreasingOrder: @escaping @Sendable (_ first: Element, _ second: Element) -> Bool)
  where Key == Element {
    self.init({ $0 }, areInIncreasingOrder)
  }

  /// Sorts by a key, as a closure says that puts one before another: `SortedIndex(\Book.year, by: >)`.
  @inlinable
  public init(
    _ key: @escaping @Sendable (_ element: Element) -> Key,
    by areInIncreasingOrder: @escaping @Sendable (_ first: Key, _ second: Key) -> Bool
  ) {
    self.init(key, areInIncreasingOrder)
  }

  @inlinable
  init(_ key: @escaping @Sendable (Element) -> Key, _ areInOrder: @escaping @Sendable (Key, Key) -> Bool) {
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
    precondition(entries.map(\.slot) == expected.entries.map(\.slot), "an index does not follow its table")
  }
}

extension EntityTable {
  /// All records in the order of an index.
  public subscript<Key>(index: SortedIndex<Element, Key>) -> EntityList<Element> {
    let tree = content(of: index, OrderedTree<Key>.self)
    return EntityList(store.records, in: tree, 0..<tree.count)
  }

  /// The records whose keys are in a range, in the order of an index.
  ///
  /// - Any range: `"A"..<"C"`, `1990...`, `..<"M"`. Cost: O(log n); of a kind of range that is not the language's own, O(n).
  public subscript<Key: Comparable>(
    index: SortedIndex<Element, Key>,
    keys: some RangeExpression<Key>
  ) -> EntityList<Element> {
    let tree = content(of: index, OrderedTree<Key>.self)
    var range = 0..<0
    if let bounds = KeyBounds(keys) {
      let start = tree.position { bounds.isBelow($0.key) }
      range = start..<Swift.max(start, tree.position { bounds.isInOrBelow($0.key) })
    } else {
      let entries = tree.entries
      if let first = entries.firstIndex(where: { keys.contains($0.key) }) {
        range = first..<(entries.lastIndex { keys.contains($0.key) }! + 1)
      }
    }
    return EntityList(store.records, in: tree, range)
  }
}
