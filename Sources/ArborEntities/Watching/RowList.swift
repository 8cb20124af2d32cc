/// A list of records that a screen shows by their ids: an ``EntityTable``, an ``EntityList``, or an array.
///
/// - Ids should be unique: of records with the same id, one is shown for all.
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

  /// The differences from an older version of this list.
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  func rowChanges(from older: Self) -> RowChanges<Row>

  /// `true` if no record and no position differs from an older version; `false` also if it would take long to find out.
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  func isUnchanged(from older: Self) -> Bool
}

/// The differences between two versions of a ``RowList``.
public struct RowChanges<Row> {
  /// The records that may have another value now, as they are now.
  public var changed: [Row]

  /// `true` if the same ids are at the same positions; `false` also if it would take long to find out.
  public var hasSameOrder: Bool

  /// Makes the differences between two versions.
  ///
  /// - Parameters:
  ///   - changed: The records that may have another value now, as they are now.
  ///   - hasSameOrder: `true` if the same ids are at the same positions; `false` also if that is not known.
  public init(changed: [Row] = [], hasSameOrder: Bool) {
    self.changed = changed
    self.hasSameOrder = hasSameOrder
  }
}

extension EntityTable: RowList {
  /// The ids of the records, in order.
  public var rowIDs: [Element.ID] { Array(ids) }

  /// The record with an id; nil if there is none. Cost: O(1).
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: Not used, because a table finds its records by their ids.
  public func record(with id: Element.ID, near position: Int?) -> Element? { find(id) }

  /// The differences from an older version. Cost: O(what differs); of tables that were never one, O(n).
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  public func rowChanges(from older: EntityTable) -> RowChanges<Element> {
    stamp == older.stamp ? RowChanges(hasSameOrder: true) : store.records.rowChanges(from: older.store.records)
  }

  /// `true` if the tables have the same stamp.
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  public func isUnchanged(from older: EntityTable) -> Bool { stamp == older.stamp }
}

extension EntityList: RowList {
  /// The ids of the records, in order.
  public var rowIDs: [Element.ID] { ids }

  /// The differences from an older version. Cost: O(what differs) while the order is the same; of lists that were never of
  /// one table, O(n).
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  public func rowChanges(from older: EntityList) -> RowChanges<Element> {
    var changes = records.rowChanges(from: older.records)
    changes.hasSameOrder = changes.hasSameOrder && hasSameSlots(as: older)
    return changes
  }

  /// `true` if the lists are of the same version of a table, and have the same order.
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
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

  /// All elements, of those with the same id the first: whether one has changed is not known. Cost: O(n).
  ///
  /// - Parameter older: Not used.
  public func rowChanges(from older: [Element]) -> RowChanges<Element> {
    var seen = Set<Element.ID>(minimumCapacity: count)
    return RowChanges(changed: filter { seen.insert($0.id).inserted }, hasSameOrder: false)
  }

  /// `true` if both are the same array, or empty.
  ///
  /// - Parameter older: The version to compare with, usually the one that is shown.
  public func isUnchanged(from older: [Element]) -> Bool {
    count == older.count
      && withUnsafeBufferPointer { new in older.withUnsafeBufferPointer { new.baseAddress == $0.baseAddress } }
  }
}

extension RowList where Self: RandomAccessCollection, Element == Row, Index == Int {
  /// The first record with an id; nil if there is none. Cost: O(1) near the right position, else O(n).
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position that is checked first. If it is nil, or another record is there, all records are searched.
  public func record(with id: Row.ID, near position: Int?) -> Row? {
    if let position, indices.contains(position), self[position].id == id { return self[position] }
    return first { $0.id == id }
  }
}

extension SlotTrie {
  /// The records that differ from those of an older trie, and whether the ids are in the same slots.
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

  /// Adds what has become of the record in a slot.
  ///
  /// - A function of its own: room for two records is made here alone, and not for each slot of a leaf.
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
