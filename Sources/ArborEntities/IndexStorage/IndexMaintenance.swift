/// The functions that a table uses to keep an index up to date.
///
/// - The indexes make them, because they know the types of their keys. So the compiler specializes the functions that
///   they call for those types.
public struct IndexMaintenance<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The number that identifies the index.
  @usableFromInline let identity: UInt64

  /// The storage of an index of no records.
  @usableFromInline let empty: IndexStorage

  /// Updates the index for a record that was inserted, removed or changed.
  @usableFromInline typealias Change =
    @Sendable (_ storage: inout IndexStorage, _ slot: Int, _ old: Element?, _ new: Element?) -> Void
  @usableFromInline let change: Change

  /// Returns the slot of another record that has the same unique key, and the key; nil if there is no conflict.
  @usableFromInline typealias Conflict =
    @Sendable (_ storage: IndexStorage, _ slot: Int, _ new: Element) -> (slot: Int, key: String)?
  @usableFromInline let conflict: Conflict?

  /// Makes the storage for all records of a table at once; nil if that is no faster than one by one.
  @usableFromInline typealias Build = @Sendable (_ records: SlotTrie<Record<Element>>) -> IndexStorage
  @usableFromInline let build: Build?

  /// The name of a manual order; nil for an index that is computed from the records.
  @usableFromInline let order: String?

  /// Stops the program unless the storage matches the records.
  @usableFromInline typealias Check =
    @Sendable (_ storage: IndexStorage, _ records: SlotTrie<Record<Element>>) -> Void
  @usableFromInline let check: Check

  @inlinable
  init(
    empty: IndexStorage,
    change: @escaping Change,
    conflict: Conflict? = nil,
    build: Build? = nil,
    order: String? = nil,
    check: @escaping Check
  ) {
    identity = ChangeStamp().number
    self.empty = empty
    self.change = change
    self.conflict = conflict
    self.build = build
    self.order = order
    self.check = check
  }
}

/// The storage of a table for one of its indexes, of any kind.
@usableFromInline
class IndexStorage: @unchecked Sendable {  // Changed only by a table that is its single owner.
  @inlinable
  init() {}
}

/// The storage of a specific kind of index.
@usableFromInline
final class IndexBox<Content: Sendable>: IndexStorage, @unchecked Sendable {  // Changed only by its only owner.
  @usableFromInline
  @exclusivity(unchecked)
  var content: Content

  @inlinable
  init(_ content: Content) {
    self.content = content
    super.init()
  }

  @inlinable
  static func content(of storage: IndexStorage) -> Content {
    unsafeDowncast(storage, to: IndexBox.self).content
  }

  /// Changes the content, or a copy of it if there are other owners.
  @inlinable
  static func change<Result>(_ storage: inout IndexStorage, _ body: (inout Content) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&storage) { storage = IndexBox(content(of: storage)) }
    return body(&unsafeDowncast(storage, to: IndexBox.self).content)
  }
}
