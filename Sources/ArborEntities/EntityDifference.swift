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
