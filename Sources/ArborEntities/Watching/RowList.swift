/// A list of records that a screen shows by their ids: an ``EntityTable``, an ``EntityList``, or an array.
///
/// - Ids should be unique: if several records have the same id, one of them is shown in place of all.
public protocol RowList<Row> {
  /// The type of the records.
  associatedtype Row: Identifiable

  /// The ids of the records, in order.
  var rowIDs: [Row.ID] { get }

  /// The record with an id; nil if there is none.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - position: The position in ``rowIDs`` where the record may be, which may save a search; nil if unknown.
  func record(with id: Row.ID, near position: Int?) -> Row?

  /// Returns the differences from an older version of this list.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  func rowChanges(from older: Self) -> RowChanges<Row>

  /// Returns `true` if no record and no position differs from an older version. It may return `false` if finding out
  /// would take long.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  func isUnchanged(from older: Self) -> Bool
}

/// The differences between two versions of a ``RowList``.
public struct RowChanges<Row> {
  /// The records that may have changed, with their new values.
  public var changed: [Row]

  /// `true` if the same ids are at the same positions; `false` if they aren't, or if finding out would take long.
  public var hasSameOrder: Bool

  /// Makes the differences between two versions.
  ///
  /// - Parameters:
  ///   - changed: The records that may have changed, with their new values.
  ///   - hasSameOrder: `true` if the same ids are at the same positions; `false` if they aren't, or if this is unknown.
  public init(changed: [Row] = [], hasSameOrder: Bool) {
    self.changed = changed
    self.hasSameOrder = hasSameOrder
  }
}

extension EntityTable: RowList {
  /// The ids of the records, in order.
  public var rowIDs: [Element.ID] { Array(ids) }

  /// Returns the record with an id; nil if there is none. Cost: O(1).
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: Ignored, because a table finds its records by their ids.
  public func record(with id: Element.ID, near position: Int?) -> Element? { find(id) }

  /// Returns the differences from an older version.
  ///
  /// - Cost: O(d) for d differences; O(n) if neither table originates from the other.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  public func rowChanges(from older: EntityTable) -> RowChanges<Element> {
    stamp == older.stamp ? RowChanges(hasSameOrder: true) : store.records.rowChanges(from: older.store.records)
  }

  /// Returns `true` if the tables have the same stamp.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  public func isUnchanged(from older: EntityTable) -> Bool { stamp == older.stamp }
}

extension EntityList: RowList {
  /// The ids of the records, in order.
  public var rowIDs: [Element.ID] { ids }

  /// Returns the differences from an older version.
  ///
  /// - Cost: O(d) for d differences while the order is the same; O(n) for lists of unrelated tables.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  public func rowChanges(from older: EntityList) -> RowChanges<Element> {
    var changes = records.rowChanges(from: older.records)
    changes.hasSameOrder = changes.hasSameOrder && hasSameSlots(as: older)
    return changes
  }

  /// Returns `true` if the lists are from the same version of a table and have the same order.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  public func isUnchanged(from older: EntityList) -> Bool {
    records.root === older.records.root && hasSameSlots(as: older)
  }

  private func hasSameSlots(as older: EntityList) -> Bool {
    range == older.range && order.identity == older.order.identity
  }
}

extension Array: RowList where Element: Identifiable {
  /// The ids of the elements, in order.
  public var rowIDs: [Element.ID] { map(\.id) }

  /// Returns all elements, or the first of those with the same id, because an array does not record its changes. Cost:
  /// O(n).
  ///
  /// - Parameter older: The older array, which is ignored.
  public func rowChanges(from older: [Element]) -> RowChanges<Element> {
    var seen = Set<Element.ID>(minimumCapacity: count)
    return RowChanges(changed: filter { seen.insert($0.id).inserted }, hasSameOrder: false)
  }

  /// Returns `true` if both share the same storage, or are empty.
  ///
  /// - Parameter older: The version to compare with, usually the one on screen.
  public func isUnchanged(from older: [Element]) -> Bool {
    count == older.count
      && withUnsafeBufferPointer { new in older.withUnsafeBufferPointer { new.baseAddress == $0.baseAddress } }
  }
}

extension RowList where Self: RandomAccessCollection, Element == Row, Index == Int {
  /// Returns the first record with an id; nil if there is none. Cost: O(1) near the right position, otherwise O(n).
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position to check first. If it is nil, or if another record is there, all records are searched.
  public func record(with id: Row.ID, near position: Int?) -> Row? {
    if let position, indices.contains(position), self[position].id == id { return self[position] }
    return first { $0.id == id }
  }
}

extension SlotTrie {
  /// The records that differ from an older trie, and `true` if the ids are in the same slots.
  fileprivate func rowChanges<Element: Identifiable>(from older: SlotTrie) -> RowChanges<Element>
  where Value == Record<Element> {
    var changes = RowChanges<Element>(hasSameOrder: true)
    _ = differences(from: older) { _, old, new in
      // Most slots of a leaf are the same.
      if let old, let new, old.pointee.stamp == new.pointee.stamp { return true }
      SlotTrie.add(old, new, to: &changes)
      return true
    }
    return changes
  }

  /// Adds the change to the record in a slot.
  ///
  /// - It is a separate function, so that only it allocates room for two records, not the loop over the slots of a
  ///   leaf.
  @inline(never)
  private static func add<Element: Identifiable>(
    _ old: UnsafePointer<Value>?,
    _ new: UnsafePointer<Value>?,
    to changes: inout RowChanges<Element>
  ) where Value == Record<Element> {
    if old?.pointee.element.id != new?.pointee.element.id { changes.hasSameOrder = false }
    if let new { changes.changed.append(new.pointee.element) }
  }
}
