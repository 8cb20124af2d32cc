/// The changes of a table's records from one version to another.
public struct EntityDifference<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The ids of those that came, in the order of the newer version.
  public let inserted: [ID]

  /// The ids of those that went, in the order of the older version.
  public let removed: [ID]

  /// The ids of those that are in both and have changed.
  public let updated: [ID]

  /// Makes one by hand, for tests of what takes it.
  ///
  /// - Parameters:
  ///   - inserted: The ids of the records that came.
  ///   - removed: The ids of the records that went.
  ///   - updated: The ids of the records that are in both versions and have changed.
  @inlinable
  public init(inserted: [ID] = [], removed: [ID] = [], updated: [ID] = []) {
    self.inserted = inserted
    self.removed = removed
    self.updated = updated
  }

  /// The ids of all of them: inserted, removed and updated ones.
  @inlinable
  public var all: [ID] { inserted + removed + updated }

  /// `true` if no record differs.
  public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && updated.isEmpty }
}

extension EntityTable {
  /// The changes of the records since an older version of this table.
  ///
  /// - Cost: O(what differs), times the depth of the trie; of tables that were never one, O(n).
  /// - A record counts as updated if it differs. If the records are not `Equatable`, each one counts that was changed, or removed
  ///   and put in again. Another place, in the table or in a manual order, is a change of the table, but of no record.
  /// - Updated records are in the order of the newer version.
  /// - Parameter older: The older version; any other table of such records can be compared as well.
  @inlinable
  public func difference(from older: EntityTable) -> EntityDifference<Element.ID> {
    guard stamp != older.stamp else { return EntityDifference() }
    var (gone, come, updated): ([Element.ID], [Element.ID], [Element.ID]) = ([], [], [])
    let areEqual = definition.areEqual
    /// Returns `false` if two records with one id are known to be equal.
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
    // A record may have another slot, as in a table whose slots were numbered anew.
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
