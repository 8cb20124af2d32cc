/// The functions that find the elements of a collection in a state, and the elements that have changed.
@usableFromInline
struct ElementAccess<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Returns the value of an element, given the value that was sent last; nil if it does not differ from that value.
  ///
  /// - Never nil if no value was sent before, so that `lastSent` is nil.
  @usableFromInline let value: @Sendable (_ whole: Whole, _ key: Key, _ lastSent: Value?) -> Value?

  /// Returns the keys of the elements that may differ between two versions; nil if the versions are equal.
  @usableFromInline let changes: @Sendable (_ old: Whole, _ new: Whole) -> [Key]?

  @inlinable
  init(
    value: @escaping @Sendable (_ whole: Whole, _ key: Key, _ lastSent: Value?) -> Value?,
    changes: @escaping @Sendable (_ old: Whole, _ new: Whole) -> [Key]?
  ) {
    self.value = value
    self.changes = changes
  }
}

extension ElementAccess {
  /// The records of a table.
  @inlinable
  static func records<Element>() -> ElementAccess
  where Whole == EntityTable<Element>, Key == Element.ID, Value == Element? {
    ElementAccess { table, id, lastSent in
      let element = table[id]
      if let lastSent, table.areEqual(lastSent, element) { return nil }
      return .some(element)
    } changes: { old, new in
      old.stamp == new.stamp ? nil : new.difference(from: old).all
    }
  }

  /// The records of a table, which are kept when they are deleted.
  @inlinable
  static func keptRecords<Element>() -> ElementAccess
  where Whole == EntityTable<Element>, Key == Element.ID, Value == KeptEntity<Element>? {
    ElementAccess { table, id, lastSent in
      let known = lastSent.flatMap(\.self)
      let kept = table[id].map { KeptEntity($0) } ?? known.map { KeptEntity($0.value, isDeleted: true) }
      let isSame = kept?.isDeleted == known?.isDeleted && table.areEqual(known?.value, kept?.value)
      return lastSent != nil && isSame ? nil : .some(kept)
    } changes: { old, new in
      old.stamp == new.stamp ? nil : new.difference(from: old).all
    }
  }
}

extension EntityTable {
  /// `true` if two records are equal, as far as that can be told; of which neither is there they are.
  @inlinable
  func areEqual(_ old: Element?, _ new: Element?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return definition.areEqual?(old, new) == true
  }
}
