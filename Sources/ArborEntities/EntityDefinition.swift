internal import Arbor

/// The definition that all tables of a type of records share.
@usableFromInline
final class EntityDefinition<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The indexes that the type declares.
  @usableFromInline let indexes: [IndexMaintenance<Element>]

  /// The `==` of the records, if their type is `Equatable`.
  @usableFromInline nonisolated(unsafe) let areEqual: ((Element, Element) -> Bool)?  // It captures only a type.

  /// The storage of an empty table for its indexes.
  let empty: [IndexStorage]

  /// `true` once a refusal has been reported.
  private let hasReported = AtomicFlag(false)

  /// Reports that a table has refused a record where no error can be thrown, once for each type of records.
  @usableFromInline
  func reportRefusal() {
    if !hasReported.exchange(true) { Misuse.refusedRecord.report(about: "\(Element.self)") }
  }

  private init() {
    indexes = (Element.self as? any IndexedEntity.Type).map { EntityDefinition.declared(by: $0) } ?? []
    let orders = indexes.compactMap(\.order)
    guard Set(indexes.map(\.identity)).count == indexes.count, Set(orders).count == orders.count else {
      Misuse.ambiguousIndexes.stop(about: "\(Element.self)")
    }
    areEqual = (Element.self as? any Equatable.Type).map { EntityDefinition.equality(of: $0) }
    empty = indexes.map(\.empty)
  }

  /// Returns the definition for the type of records.
  static func shared() -> EntityDefinition {
    let key = ObjectIdentifier(Element.self)
    if let known = definitions.withLock({ $0[key] }) { return unsafeDowncast(known, to: EntityDefinition.self) }
    // User code, the type's `indexes`, is called outside the lock. If two threads make a definition, the first one
    // wins.
    let made = EntityDefinition()
    let first = definitions.withLock { definitions in
      if definitions[key] == nil { definitions[key] = made }
      return definitions[key]!
    }
    return unsafeDowncast(first, to: EntityDefinition.self)
  }

  private static func declared<Entity: IndexedEntity>(by type: Entity.Type) -> [IndexMaintenance<Element>] {
    func maintenance(of index: some EntityIndex<Entity>) -> IndexMaintenance<Element> {
      index.maintenance as! IndexMaintenance<Element>  // Both are the same type of records.
    }
    return type.indexes.map { maintenance(of: $0) }
  }

  private static func equality<Value: Equatable>(of type: Value.Type) -> (Element, Element) -> Bool {
    { left, right in left as! Value == right as! Value }  // Both are the same type.
  }
}

/// The definitions requested so far, by the type of their records.
private let definitions = Protected<[ObjectIdentifier: any AnyObject & Sendable]>([:])
