/// A table of records with ids: a value to use in a state, which stays fast even while copies of it are kept.
///
/// ```swift
/// struct Library: Sendable {
///   var books = EntityTable<Book>()
///   var authors = EntityTable<Author>()
/// }
/// try state.books.insert(book)
/// try state.books.update(book.id) { $0.title = "Walden" }
/// state.books[book.id]?.title
/// ```
///
/// - **Order.** A table is a collection of its records in the order of insertion. A record that is changed, replaced or
///   renamed keeps its place; one that is removed and inserted again comes last.
/// - **No silent failures.** A change that cannot be made throws an ``EntityError`` that explains why, and the table is
///   unchanged. A change to many records changes all of them or none.
/// - **Cost.** Finding, inserting, changing and removing a record is O(log n) in base 32, even while copies of the
///   table are kept: copies share all unchanged records. Copying is O(1). Ids with equal hashes are compared one by
///   one.
/// - **Changes.** Two versions are compared by their ``stamp``, in constant time, and ``difference(from:)`` takes time
///   only for the differences. An update that leaves a record as it was does not count as a change.
/// - **Records are values**, like states. If a record contains an object, changes inside the object affect no version,
///   index or stamp.
/// - **Indexes** are declared by the type of the records; see ``IndexedEntity``.
public struct EntityTable<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline var store = RecordStore<Element>()

  /// The storage of each index, in the order of the indexes.
  @usableFromInline var indexes: [IndexStorage]

  /// The definition that all tables of these records share.
  @usableFromInline let definition: EntityDefinition<Element>

  /// The stamp of this version of the table, which is different after each change.
  ///
  /// - If two versions have equal stamps, one is a copy of the other, and neither has been changed since.
  ///
  /// - All tables that were created empty and never changed have the same stamp. Reading it costs nothing; see
  ///   ``ChangeStamp``.
  @inlinable
  public var stamp: ChangeStamp { version }

  @usableFromInline var version = ChangeStamp(unchanged: ())

  /// Makes an empty table.
  public init() {
    definition = .shared()
    indexes = definition.empty
  }

  /// The number of records.
  @inlinable
  public var count: Int { store.count }

  /// `true` if there are no records.
  @inlinable
  public var isEmpty: Bool { store.count == 0 }

  /// The record with an id; nil if there is none. Setting it replaces, appends or removes the record.
  ///
  /// - A new value takes the place of the record, or is appended if there is none. Nil removes the record.
  ///
  /// ```swift
  /// books[3]?.title = "Emma"
  /// let emma = store.scope(atOptional: \.books[3])
  /// ```
  ///
  /// - Records of a ``UniquelyIndexedEntity`` can only be read: call ``update(_:_:)``, ``upsert(_:)`` or
  ///   ``remove(_:)``.
  /// - If the table refuses the record, nothing changes, and a line is printed to standard error. It refuses a record
  ///   with a different id and, if you assign through a key path, a record with the unique key of another one.
  /// - Parameter id: The id of the record.
  @inlinable
  public subscript(id: Element.ID) -> Element? {
    get { store.find(id)?.element }
    set { assign(newValue, to: id) }
  }

  /// Returns the record with an id; nil if there is none.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func find(_ id: Element.ID) -> Element? { store.find(id)?.element }

  /// Returns the records with some ids, in the order of the ids. Ids without a record are ignored.
  ///
  /// - Parameter ids: The ids of the records. A record whose id is repeated is returned again.
  @inlinable
  public func find(in ids: some Sequence<Element.ID>) -> [Element] {
    ids.compactMap { find($0) }
  }

  /// Returns `true` if there is a record with an id.
  ///
  /// - Parameter id: The id to look for.
  @inlinable
  public func contains(id: Element.ID) -> Bool { store.slot(of: id) != nil }

  /// The ids of all records, in the order of the table.
  public var ids: some BidirectionalCollection<Element.ID> { lazy.map(\.id) }

  /// Returns the stamp of a record, which is different after each change to the record; nil if there is no such record.
  ///
  /// - Compare it to find out if a record differs between two versions of the table.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func stamp(of id: Element.ID) -> ChangeStamp? { store.find(id)?.stamp }
}

extension EntityTable where Element: UniquelyIndexedEntity {
  /// The record with an id; nil if there is none.
  ///
  /// - You can't set it, because a table refuses a record with the unique key of another one. Use ``update(_:_:)``,
  ///   ``upsert(_:)`` or ``rename(_:by:)``, which throw an ``EntityError`` in that case.
  /// - Parameter id: The id of the record.
  @inlinable
  public subscript(id: Element.ID) -> Element? {
    get { store.find(id)?.element }
    @available(
      *, unavailable,
      message: "another record may have the unique key: use `try table.update(id)`, `upsert` or `remove`"
    )
    set { assign(newValue, to: id) }
  }
}

extension EntityTable: Equatable where Element: Equatable {
  /// `true` if both have equal records in the same order, and the same manual orders.
  ///
  /// - Cost: O(1) if one is an unchanged copy of the other. Otherwise only the differences are compared, or all records
  ///   if neither table originates from the other.
  public static func == (left: EntityTable, right: EntityTable) -> Bool {
    if left.stamp == right.stamp { return true }
    guard left.count == right.count, left.hasEqualRecords(as: right) else { return false }
    return left.definition.indexes.indices.allSatisfy { number in
      left.definition.indexes[number].order == nil || left.indexes[number] === right.indexes[number]
        || left.ids(inOrder: number) == right.ids(inOrder: number)
    }
  }

  private func hasEqualRecords(as other: EntityTable) -> Bool {
    var isAligned = true
    let areEqual = other.store.records.differences(from: store.records) { _, left, right in
      guard let left, let right else {
        isAligned = false
        return false
      }
      return left.pointee.stamp == right.pointee.stamp && left.pointee.element.id == right.pointee.element.id
        || left.pointee.element == right.pointee.element
    }
    return isAligned ? areEqual : elementsEqual(other)
  }
}

extension EntityTable: Hashable where Element: Hashable {
  /// Hashes all records, in their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
