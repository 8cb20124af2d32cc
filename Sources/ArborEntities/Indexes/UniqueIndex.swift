/// A key that only one record of a table may have, such as the ISBN of a book.
///
/// ```swift
/// static let byISBN = UniqueIndex(\Book.isbn)
/// table[Book.byISBN, "978-0-00-000000-0"]  // Book?
/// ```
///
/// - A change that would give a second record the key throws ``EntityError/duplicateKey(_:of:owner:)``, which names
///   both records, and changes nothing. If you change several records at once, keys are checked after all changes, so
///   two records may swap their keys.
/// - Any number of records may have a key that is nil or not equal to itself.
/// - The records must conform to ``UniquelyIndexedEntity``. You cannot set them through the table's subscript, because
///   it could not throw.
public struct UniqueIndex<Element: Identifiable & Sendable, Key: Hashable & Sendable>: EntityIndex
where Element.ID: Sendable {
  /// The functions that a table uses to keep the index up to date.
  public let maintenance: IndexMaintenance<Element>

  /// Makes an index of a key.
  ///
  /// - Parameter key: Returns the key of a record; nil if the record has none.
  @inlinable
  public init(_ key: @escaping @Sendable (_ element: Element) -> Key?) where Element: UniquelyIndexedEntity {
    typealias Content = RecordStore<KeyOwner<Key>>
    // A key that is not equal to itself would never be found again.
    let key: @Sendable (Element) -> Key? = { element in key(element).flatMap { $0 == $0 ? $0 : nil } }
    maintenance = IndexMaintenance(empty: IndexBox(Content())) { storage, slot, old, new in
      let (old, new) = (old.flatMap(key), new.flatMap(key))
      guard old != new else { return }
      IndexBox<Content>.change(&storage) { owners in
        if let old, let owner = owners.slot(of: old), owners[owner].element.slot == slot { owners.remove(owner) }
        if let new {
          owners.append(
            Record(KeyOwner(id: new, slot: slot), stamp: ChangeStamp(unchanged: ())),
            hash: Content.hash(of: new)
          )
        }
      }
    } conflict: { storage, slot, new in
      guard let key = key(new), let owner = IndexBox<Content>.content(of: storage).find(key)?.element,
        owner.slot != slot
      else { return nil }
      return (owner.slot, EntityError<Element>.text(of: key))
    } check: { storage, records in
      let owners = IndexBox<Content>.content(of: storage)
      owners.check()
      var count = 0
      records.visit { slot, record in
        guard let key = key(record.element) else { return }
        count += 1
        precondition(owners.find(key)?.element.slot == slot, "a unique index doesn't match its table")
      }
      precondition(owners.count == count, "a unique index has keys that its table doesn't have")
    }
  }
}

extension EntityTable {
  /// The record with a key; nil if there is none.
  ///
  /// - Parameters:
  ///   - index: The index. If the type of the records does not declare it, the program stops.
  ///   - key: The key to look for.
  public subscript<Key>(index: UniqueIndex<Element, Key>, key: Key) -> Element? {
    content(of: index, RecordStore<KeyOwner<Key>>.self).find(key).map { store[$0.element.slot].element }
  }
}

/// The slot of the record that has a unique key.
@usableFromInline
struct KeyOwner<Key: Hashable & Sendable>: Identifiable, Sendable {
  @usableFromInline let id: Key
  @usableFromInline let slot: Int

  @inlinable
  init(id: Key, slot: Int) {
    self.id = id
    self.slot = slot
  }
}
