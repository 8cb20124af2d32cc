extension EntityTable {
  /// The changes of the records since an older version of this table.
  ///
  /// - Cost: O(what differs), times the depth of the trie; of tables that were never one, O(n).
  /// - A record that was removed and put in again counts as updated, as does one whose change `==` sees. An exchange of places in a
  ///   manual order is a change of the table, but of no record.
  /// - Parameter older: The older version; any other table of such records can be compared as well.
  @inlinable
  public func difference(from older: EntityTable) -> EntityDifference<Element.ID> {
    guard stamp != older.stamp else { return EntityDifference() }
    var (gone, come, updated): ([Element.ID], [Element.ID], [Element.ID]) = ([], [], [])
    _ = store.records.differences(from: older.store.records) { _, old, new in
      if let old, let new, old.pointee.element.id == new.pointee.element.id {
        if old.pointee.stamp != new.pointee.stamp { updated.append(new.pointee.element.id) }
        return true
      }
      if let old { gone.append(old.pointee.element.id) }
      if let new { come.append(new.pointee.element.id) }
      return true
    }
    guard !gone.isEmpty, !come.isEmpty else {
      return EntityDifference(inserted: come, removed: gone, updated: updated)
    }
    // A record with another slot but the same stamp has not changed, as in a table whose slots were numbered anew.
    let (left, entered) = (Set(gone), Set(come))
    return EntityDifference(
      inserted: come.filter { !left.contains($0) },
      removed: gone.filter { !entered.contains($0) },
      updated: updated + come.filter { left.contains($0) && stamp(of: $0) != older.stamp(of: $0) }
    )
  }
}
