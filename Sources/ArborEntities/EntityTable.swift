/// A table of records that are found by their ids: a value, for a state, that stays fast where copies of it are kept.
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
/// - **Order.** It is a collection of its records in the order in which they were put in. A record that is changed, replaced or
///   renamed keeps its place; one that is removed and put in again comes last.
/// - **Nothing is lost in silence.** What cannot be done as it was said throws an ``EntityError`` that says why, and then nothing has
///   changed; so also what changes many records: all or none.
/// - **Cost.** Finding, inserting, changing and removing a record is O(log n) in base 32, also while copies of the table are kept: a
///   copy shares with it all that has not changed since. Copying is O(1). Ids whose hashes are equal are told apart one by one.
/// - **Changes.** Two versions are compared by their ``stamp``, in constant time, and ``difference(from:)`` costs what differs. A change
///   that leaves a record as it was is none.
/// - **Records are values**, as states are. What a class inside of one changes by itself no version, index or stamp knows of.
/// - **Indexes** are declared by the type of the records; see ``IndexedEntity``.
public struct EntityTable<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline var store = RecordStore<Element>()

  /// The storage of each of the indexes, in their order.
  @usableFromInline var indexes: [IndexStorage]

  /// The definition that all tables of these records share.
  @usableFromInline let definition: EntityDefinition<Element>

  /// Another one after each change: of two versions with equal stamps one is a copy of the other, and neither was changed since.
  ///
  /// - All tables that were made empty and never changed have the same. Reading it costs nothing; see ``ChangeStamp``.
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

  /// `true` if there is no record.
  @inlinable
  public var isEmpty: Bool { store.count == 0 }

  /// The record with an id, if there is one; assigned, it is put in its place or at the end, and with nil taken out.
  ///
  /// ```swift
  /// books[3]?.title = "Emma"
  /// let emma = store.scope(atOptional: \.books[3])
  /// ```
  ///
  /// - Records of a ``UniquelyIndexedEntity`` can only be read: call ``update(_:_:)``, ``upsert(_:)`` or ``remove(_:)``.
  /// - If the table refuses the record, because it has another id, or another record has its unique key and the assignment was made
  ///   through a key path, nothing changes, and a line on standard error says so.
  /// - Parameter id: The id of the record.
  @inlinable
  public subscript(id: Element.ID) -> Element? {
    get { store.find(id)?.element }
    set { assign(newValue, to: id) }
  }

  /// The record with an id, if there is one.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func find(_ id: Element.ID) -> Element? { store.find(id)?.element }

  /// The records with some ids, in the order of the ids; those that are not there are left out.
  ///
  /// - Parameter ids: The ids of the records. A record whose id comes twice is returned twice.
  @inlinable
  public func find(in ids: some Sequence<Element.ID>) -> [Element] {
    ids.compactMap { find($0) }
  }

  /// `true` if there is a record with an id.
  ///
  /// - Parameter id: The id to look for.
  @inlinable
  public func contains(id: Element.ID) -> Bool { store.slot(of: id) != nil }

  /// The ids of all records, in the order of the table.
  public var ids: some BidirectionalCollection<Element.ID> { lazy.map(\.id) }

  /// Another one after each change of a record, which tells whether it differs between two versions of the table; nil if there
  /// is no such record.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func stamp(of id: Element.ID) -> ChangeStamp? { store.find(id)?.stamp }
}

extension EntityTable where Element: UniquelyIndexedEntity {
  /// The record with an id, if there is one.
  ///
  /// - It can't be assigned, because a table refuses a record whose unique key another one has: ``update(_:_:)``, ``upsert(_:)`` and
  ///   ``rename(_:by:)`` throw an ``EntityError`` then.
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
  /// - Cost: O(1) if neither was changed since they were one; else what differs is looked at, or all if they were never one.
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
