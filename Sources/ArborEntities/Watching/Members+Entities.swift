internal import Arbor

extension Members {
  /// The records of a table.
  static func records<Element>() -> Members
  where Whole == EntityTable<Element>, Key == Element.ID, Value == Element? {
    Members { table, id, _ in
      table[id]
    } areEqual: { old, new in
      Whole.areEqual(old, new)
    } changes: { old, new in
      new.difference(from: old).all
    }
  }

  /// The records of a table, which are kept when they are deleted.
  static func keptRecords<Element>() -> Members
  where Whole == EntityTable<Element>, Key == Element.ID, Value == KeptEntity<Element>? {
    Members { table, id, kept in
      if let element = table[id] { return KeptEntity(element) }
      return kept?.map { KeptEntity($0.value, isDeleted: true) }
    } areEqual: { old, new in
      old?.isDeleted == new?.isDeleted && Whole.areEqual(old?.value, new?.value)
    } changes: { old, new in
      new.difference(from: old).all
    }
  }
}

extension EntityTable {
  /// Whether two records are equal, as far as that can be told; of which neither is there they are.
  fileprivate static func areEqual(_ old: Element?, _ new: Element?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return EntityDefinition<Element>.shared().areEqual?(old, new) == true
  }
}
