/// The tables of tasks.
extension Model {
  /// The tasks of a node, or of the features of a part.
  func table(of target: Target) -> Table {
    guard let part = target.part else { return target.node.table }
    if let table = target.node.partTables[part] { return table }
    let table = Table(in: target.node.tree, around: target.node.table)
    target.node.partTables[part] = table
    return table
  }

  /// The tasks of the features of a part of a store's state, or the tasks known to the store.
  func table(of store: Store, at part: StatePart?) -> Table {
    part == nil ? table(of: store) : table(of: Target(node: store.node, part: part))
  }

  /// The tasks known to a store.
  ///
  /// - Scopes by key paths share the tasks of their place.
  func table(of store: Store) -> Table {
    var table = store.node.table
    var place: [Projection] = []
    for (index, embedding) in store.embeddings.enumerated() {
      let around = table
      let make = { Table(in: store.node.tree, around: around) }
      guard store.node.tree.isOfCommits else {
        table = tables[embedding.scope] ?? make()
        tables[embedding.scope] = table
        continue
      }
      place.append(embedding.projection)
      // Nested scopes have one place, but no place leads out of an optional part.
      guard index == store.embeddings.count - 1 || embedding.projection.isOptional else { continue }
      table = around.placed[place] ?? make()
      around.placed[place] = table
      place = []
    }
    return table
  }

  /// The requirements of tasks started through a store; nil if there are none.
  func presence(of store: Store) -> Presence? {
    guard let embedding = store.embeddings.last, !embedding.watches.isEmpty else { return nil }
    let presence = presences[embedding.scope] ?? Presence(embedding.watches, in: table(of: store))
    presences[embedding.scope] = presence
    return presence
  }
}
