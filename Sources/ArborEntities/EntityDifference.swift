/// The changes of a table's records from one version to another.
public struct EntityDifference<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The ids of the inserted records, in the order of the newer version.
  public let inserted: [ID]

  /// The ids of the removed records, in the order of the older version.
  public let removed: [ID]

  /// The ids of the records that are in both versions and have changed.
  public let updated: [ID]

  /// Makes a difference from lists of ids, for tests of code that takes one.
  ///
  /// - Parameters:
  ///   - inserted: The ids of the inserted records.
  ///   - removed: The ids of the removed records.
  ///   - updated: The ids of the records that are in both versions and have changed.
  @inlinable
  public init(inserted: [ID] = [], removed: [ID] = [], updated: [ID] = []) {
    self.inserted = inserted
    self.removed = removed
    self.updated = updated
  }

  /// All ids: the inserted, then the removed, then the updated ones.
  @inlinable
  public var all: [ID] { inserted + removed + updated }

  /// `true` if no record differs.
  public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && updated.isEmpty }
}

extension EntityTable {
  /// Returns the changes to the records since an older version of this table.
  ///
  /// - Cost: O(d) for d differences, times the depth of the trie. O(n) if neither table originates from the other.
  /// - A record counts as updated if it differs. If the records are not `Equatable`, every record counts that was
  ///   changed, or was removed and inserted again. A different position, in the table or in a manual order, changes the
  ///   table but no record.
  /// - Updated records are in the order of the newer version.
  /// - Parameter older: The older version. You can also pass any other table of the same type of records.
  @inlinable
  public func difference(from older: EntityTable) -> EntityDifference<Element.ID> {
    guard stamp != older.stamp else { return EntityDifference() }
    var (gone, come, updated): ([Element.ID], [Element.ID], [Element.ID]) = ([], [], [])
    let areEqual = definition.areEqual
    /// Returns `false` if two records with the same id are known to be equal.
    func differ(_ old: Record<Element>, _ new: Record<Element>) -> Bool {
      old.stamp != new.stamp && areEqual?(old.element, new.element) != true
    }
    _ = store.records.differences(from: older.store.records) { _, old, new in
      if let old, let new, old.pointee.element.id == new.pointee.element.id {
        if differ(old.pointee, new.pointee) { updated.append(new.pointee.element.id) }
        return true
      }
      if let old { gone.append(old.pointee.element.id) }
      if let new { come.append(new.pointee.element.id) }
      return true
    }
    guard !gone.isEmpty, !come.isEmpty else {
      return EntityDifference(inserted: come, removed: gone, updated: updated)
    }
    // A record may have another slot, as in a table whose slots were renumbered.
    let (left, entered) = (Set(gone), Set(come))
    let moved = come.filter { id in
      guard left.contains(id), let old = older.store.find(id), let new = store.find(id) else { return false }
      return differ(old, new)
    }
    if !moved.isEmpty {
      updated = (updated + moved).map { (slot: store.slot(of: $0)!, id: $0) }.sorted { $0.slot < $1.slot }.map(\.id)
    }
    return EntityDifference(
      inserted: come.filter { !left.contains($0) },
      removed: gone.filter { !entered.contains($0) },
      updated: updated
    )
  }
}
