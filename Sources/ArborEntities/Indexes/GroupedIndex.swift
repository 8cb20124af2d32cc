/// The records grouped by a key (one to many), such as the books of each author.
///
/// ```swift
/// static let byAuthor = GroupedIndex(\Book.author)                     // each group in the order of the table
/// static let byAuthorAndTitle = GroupedIndex(\Book.author, sortedBy: \.title)
/// ```
///
/// - `table[Book.byAuthor, author]` is a group; `table.keys(of: Book.byAuthor)` are the keys of all groups. There are
///   no empty groups: a group is removed with its last record.
/// - A record whose key is nil, or not equal to itself, is in no group.
/// - Cost: O(log n) per change to a record's key.
public struct GroupedIndex<Element: Identifiable & Sendable, Key: Hashable & Sendable>: EntityIndex
where Element.ID: Sendable {
  /// The functions that a table uses to keep the index up to date.
  public let maintenance: IndexMaintenance<Element>

  /// Finds a group's slots.
  @usableFromInline let find: @Sendable (_ storage: IndexStorage, _ key: Key) -> any SlotOrder

  /// Returns the keys of all groups, each as stored in the first record of its group. Equal keys may differ in parts
  /// that `==` does not see, and the record that created the group may have left it.
  @usableFromInline let keys: @Sendable (_ storage: IndexStorage, _ records: SlotTrie<Record<Element>>) -> [Key]

  /// Groups by a key, each group in the order of the table.
  ///
  /// - Parameter key: Returns the key of a record; nil if the record is in no group.
  @inlinable
  public init(_ key: @escaping @Sendable (_ element: Element) -> Key?) {
    self.init(key, { _ in }, { _, _ in false })
  }

  /// Groups by a key, and sorts each group by another key.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a record; nil if the record is in no group.
  ///   - order: Returns the value that sorts a record in its group; equal values are in the order of the table.
  @inlinable
  public init<Order: Comparable & Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Key?,
    sortedBy order: @escaping @Sendable (_ element: Element) -> Order
  ) {
    self.init(key, order, { isInOrder($0, $1) })
  }

  /// Groups by a key, and sorts each group by a closure that compares two records.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a record; nil if the record is in no group.
  ///   - areInIncreasingOrder: Returns `true` if the first record comes before the second, in one strict order. The
  ///     index keeps a copy of each record, which may be an earlier version that the closure does not distinguish from
  ///     it.
  @inlinable
  public init(
    _ key: @escaping @Sendable (_ element: Element) -> Key?,
    by areInIncreasingOrder: @escaping @Sendable (_ first: Element, _ second: Element) -> Bool
  ) {
    self.init(key, { $0 }, areInIncreasingOrder)
  }

  @inlinable
  init<Order: Sendable>(
    _ key: @escaping @Sendable (Element) -> Key?,
    _ order: @escaping @Sendable (Element) -> Order,
    _ areInOrder: @escaping @Sendable (Order, Order) -> Bool
  ) {
    typealias Group = IndexGroup<Key, Order>
    // A key that is not equal to itself would never be found again.
    let key: @Sendable (Element) -> Key? = { element in key(element).flatMap { $0 == $0 ? $0 : nil } }
    typealias Content = RecordStore<Group>
    maintenance = IndexMaintenance(empty: IndexBox(Content())) { storage, slot, old, new in
      let before = old.flatMap { element in key(element).map { ($0, order(element)) } }
      let after = new.flatMap { element in key(element).map { ($0, order(element)) } }
      if let before, let after, before.0 == after.0, !areInOrder(before.1, after.1), !areInOrder(after.1, before.1) {
        return
      }
      IndexBox<Content>.change(&storage) { groups in
        if let before { groups.leave(before.0, OrderedEntry(before.1, slot), by: areInOrder) }
        if let after { groups.enter(after.0, OrderedEntry(after.1, slot), by: areInOrder) }
      }
    } check: { storage, records in
      var expected = Content()
      records.visit { slot, record in
        guard let key = key(record.element) else { return }
        expected.enter(key, OrderedEntry(order(record.element), slot), by: areInOrder)
      }
      IndexBox<Content>.content(of: storage).check(expected)
    }
    find = { storage, key in IndexBox<Content>.content(of: storage).find(key)?.element.tree ?? OrderedTree<Order>() }
    keys = { storage, records in
      var groups: [(first: Int, key: Key)] = []
      IndexBox<Content>.content(of: storage).records.visit { _, group in
        groups.append((group.element.tree.firstSlot, group.element.id))
      }
      // A key that contains an object may have changed since the record entered its group.
      return groups.sorted { $0.first < $1.first }.map {
        key(records.pointer(toTaken: $0.first).pointee.element) ?? $0.key
      }
    }
  }
}

extension OrderedTree {
  /// The first slot in the order of the table. The tree must have an entry.
  @usableFromInline var firstSlot: Int {
    if Key.self == Void.self { return self[0].slot }
    var (first, position) = (Int.max, 0)
    while position < count {
      let (leaf, _) = leaf(at: position)
      for entry in leaf.entries { first = min(first, entry.slot) }
      position += leaf.entries.count
    }
    return first
  }
}

extension RecordStore {
  /// Adds an entry to a group, and creates the group if there is none.
  @inlinable
  mutating func enter<Key, Order>(_ key: Key, _ entry: OrderedEntry<Order>, by areInOrder: (Order, Order) -> Bool)
  where Element == IndexGroup<Key, Order> {
    let hash = RecordStore.hash(of: key)
    let slot =
      slot(of: key, hash: hash) ?? append(Record(IndexGroup(key), stamp: ChangeStamp(unchanged: ())), hash: hash)
    records.ownedPointer(to: slot).pointee.element.tree.insert(entry, by: areInOrder)
  }

  /// Removes an entry from its group, and the group if it was the last entry.
  @inlinable
  mutating func leave<Key, Order>(_ key: Key, _ entry: OrderedEntry<Order>, by areInOrder: (Order, Order) -> Bool)
  where Element == IndexGroup<Key, Order> {
    /// Returns `true` if the entry was in the group.
    func leave(_ slot: Int) -> Bool {
      let group = records.ownedPointer(to: slot)
      let isFound = group.pointee.element.tree.remove(entry, by: areInOrder)
      if group.pointee.element.tree.count == 0 { remove(slot) }
      return isFound
    }
    if let slot = slot(of: key), leave(slot) { return }
    // A key that contains an object may have changed: then the entry is in another group.
    for slot in records.slots where leave(slot) { return }
  }

  /// Stops the program unless the groups equal those of another store.
  @usableFromInline
  func check<Key, Order>(_ expected: RecordStore) where Element == IndexGroup<Key, Order> {
    check()
    precondition(count == expected.count, "an index has groups that its table doesn't have")
    records.visit { _, group in
      precondition(group.element.tree.count > 0, "an index has an empty group")
      guard let other = expected.find(group.element.id) else {
        preconditionFailure("an index has a group without a record")
      }
      group.element.tree.check(other.element.tree)
    }
  }
}

extension EntityTable {
  /// The records of a group, in its order; none if there is no such group.
  ///
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - key: The key of the group.
  public subscript<Key>(index: GroupedIndex<Element, Key>, key: Key) -> EntityList<Element> {
    EntityList(store.records, in: index.find(storage(of: index), key))
  }

  /// Returns the keys of all groups, in the order of their first records in the table, each as stored in that record.
  ///
  /// - Cost: O(g log g) for g groups. An index that sorts the records of its groups also visits each record: O(n).
  /// - Parameter index: The index. If the type of the records does not declare it, the program stops.
  public func keys<Key>(of index: GroupedIndex<Element, Key>) -> [Key] {
    index.keys(storage(of: index), store.records)
  }
}

/// The slots of the records that have a key.
@usableFromInline
struct IndexGroup<Key: Hashable & Sendable, Order: Sendable>: Identifiable, Sendable {
  @usableFromInline let id: Key
  @usableFromInline var tree = OrderedTree<Order>()

  @inlinable
  init(_ key: Key) {
    id = key
  }
}
