import ArborEntities

extension EntityTable where Element: ModelRecord {
  /// Performs the same operation as a ``TableModel``.
  mutating func perform(_ operation: TableOperation) throws {
    switch operation {
    case .insert(let row): try insert(Element(row: row))
    case .insertAll(let rows): try insert(contentsOf: rows.map(Element.init))
    case .upsert(let row): try upsert(Element(row: row))
    case .upsertMerging(let row, let merge): try upsert(Element(row: row)) { try merge.apply(to: &$0.row, $1.row) }
    case .upsertAll(let rows, .replace): try upsert(contentsOf: rows.map(Element.init))
    case .upsertAll(let rows, let merge):
      try upsert(contentsOf: rows.map(Element.init)) { try merge.apply(to: &$0.row, $1.row) }
    case .merge(let rows, .replace): try self.merge(EntityTable(rows.map(Element.init)))
    case .merge(let rows, let merge):
      try self.merge(EntityTable(rows.map(Element.init))) { try merge.apply(to: &$0.row, $1.row) }
    case .update(let id, let change): try update(id) { try change.apply(to: &$0.row) }
    case .updateSome(let ids, let change): try update(ids: ids) { try change.apply(to: &$0.row) }
    case .updateAll(let change): try updateAll { try change.apply(to: &$0.row) }
    case .remove(let id): remove(id)
    case .removeSome(let ids): remove(ids: ids)
    case .removeWhere(let condition): try removeAll { try condition.holds(for: $0.row) }
    case .removeAll: removeAll()
    case .filter(let condition): self = try filter { try condition.holds(for: $0.row) }
    case .rename(let names, let renaming): try rename(names) { try renaming.apply(to: &$0.row, $1) }
    case .insertInOrder(let id, let position, let order): try insert(id, at: position, in: Element.orders[order])
    case .appendToOrder(let id, let order): try append(id, to: Element.orders[order])
    case .moveInOrder(let id, let position, let order): try move(id, to: position, in: Element.orders[order])
    case .removeFromOrder(let id, let order): remove(id, from: Element.orders[order])
    }
  }
}
