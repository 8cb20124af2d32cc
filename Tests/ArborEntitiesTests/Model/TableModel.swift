import ArborEntities

/// A model of a table, with plain arrays and dictionaries.
struct TableModel<Record: ModelRecord> {
  /// The numbers of the ids, in the order of the table.
  private(set) var numbers: [Int] = []
  private(set) var rows: [Int: Row] = [:]

  /// The numbers of the ids in each of the manual orders.
  private(set) var orders: [[Int]] = Record.orders.map { _ in [] }

  /// The time of each record's last change.
  private(set) var changes: [Int: Int] = [:]

  /// The time of the table's last change; zero if there was none.
  private(set) var version = 0

  /// The rows in the order of the table.
  var content: [Row] { numbers.map { rows[$0]! } }

  /// The rows with each key.
  func groups(by key: (Row) -> Int?) -> [Int: [Row]] {
    var groups: [Int: [Row]] = [:]
    for row in content {
      if let key = key(row) { groups[key, default: []].append(row) }
    }
    return groups
  }

  /// Performs the whole operation, or throws and does nothing.
  mutating func perform(_ operation: TableOperation, at time: Int) throws {
    var next = self
    let isChanged = try next.apply(operation, at: time)
    if isChanged { next.version = time }
    self = next
  }

  /// - Returns: `true` if anything has changed.
  private mutating func apply(_ operation: TableOperation, at time: Int) throws -> Bool {
    switch operation {
    case .insert(let row):
      try insert(row, at: time)
      try judge(row.id)
      return true
    case .insertAll(let rows):
      for row in rows { try insert(row, at: time) }
      try judge()
      return !rows.isEmpty
    case .upsert(let row):
      return try upsert([row], .replace, at: time)
    case .upsertMerging(let row, let merge):
      return try upsert([row], merge, at: time)
    case .upsertAll(let rows, let merge), .merge(let rows, let merge):
      return try upsert(rows, merge, at: time)
    case .update(let id, let change):
      return try update([id], change, at: time)
    case .updateSome(let ids, let change):
      return try update(ids, change, at: time)
    case .updateAll(let change):
      return try update(content.map(\.id), change, at: time)
    case .remove(let id):
      return remove([id])
    case .removeSome(let ids):
      return remove(ids)
    case .removeWhere(let condition):
      return remove(try content.filter { try condition.holds(for: $0) }.map(\.id))
    case .filter(let condition):
      return remove(try content.filter { try !condition.holds(for: $0) }.map(\.id))
    case .removeAll:
      return remove(content.map(\.id))
    case .rename(let names, let renaming):
      return try rename(names, renaming, at: time)
    case .insertInOrder(let id, let position, let order):
      try insert(id, at: position, order: order)
      return true
    case .appendToOrder(let id, let order):
      try insert(id, at: orders[order].count, order: order)
      return true
    case .moveInOrder(let id, let position, let order):
      return try move(id, to: position, order: order)
    case .removeFromOrder(let id, let order):
      let count = orders[order].count
      orders[order].removeAll { $0 == id.number }
      return orders[order].count < count
    }
  }

  private mutating func insert(_ row: Row, at time: Int) throws {
    guard rows[row.id.number] == nil else { throw EntityError<Record>.exists(row.id) }
    guard row.id == row.id else { throw EntityError<Record>.notEqualToItself("\(row.id)") }
    numbers.append(row.id.number)
    rows[row.id.number] = row
    changes[row.id.number] = time
  }

  private mutating func upsert(_ new: [Row], _ merge: RowMerge, at time: Int) throws -> Bool {
    var isChanged = false
    for row in new {
      if rows[row.id.number] == nil {
        try insert(row, at: time)
        isChanged = true
      } else if try change(row.id, at: time, { try merge.apply(to: &$0, row) }) {
        isChanged = true
      }
    }
    if new.count == 1 { try judge(new[0].id) } else { try judge() }
    return isChanged
  }

  private mutating func update(_ ids: [ModelID], _ change: RowChange, at time: Int) throws -> Bool {
    if let missing = ids.first(where: { rows[$0.number] == nil }) { throw EntityError<Record>.missing(missing) }
    var isChanged = false
    for id in ids where try self.change(id, at: time, { try change.apply(to: &$0) }) { isChanged = true }
    if ids.count == 1 { try judge(ids[0]) } else { try judge() }
    return isChanged
  }

  private mutating func change(_ id: ModelID, at time: Int, _ body: (inout Row) throws -> Void) throws -> Bool {
    var row = rows[id.number]!
    try body(&row)
    guard row.id == id else { throw EntityError<Record>.changedID(from: id, to: row.id) }
    guard row != rows[id.number] else { return false }
    rows[id.number] = row
    changes[id.number] = time
    return true
  }

  private mutating func remove(_ ids: [ModelID]) -> Bool {
    let gone = Set(ids.map(\.number)).intersection(rows.keys)
    guard !gone.isEmpty else { return false }
    numbers.removeAll { gone.contains($0) }
    for number in gone { (rows[number], changes[number]) = (nil, nil) }
    for order in orders.indices { orders[order].removeAll { gone.contains($0) } }
    return true
  }

  private mutating func rename(_ names: [ModelID: ModelID], _ renaming: RowRenaming, at time: Int) throws -> Bool {
    for old in names.keys where rows[old.number] == nil { throw EntityError<Record>.missing(old) }
    for new in names.values where new != new { throw EntityError<Record>.notEqualToItself("\(new)") }
    let names = names.filter { $0.key != $0.value }
    var renamed: [Row] = []
    for (old, new) in names {
      var row = rows[old.number]!
      try renaming.apply(to: &row, new)
      guard row.id == new else { throw EntityError<Record>.notRenamed(old, to: new) }
      renamed.append(row)
    }
    for old in names.keys { (rows[old.number], changes[old.number]) = (nil, nil) }
    for row in renamed {
      guard rows[row.id.number] == nil else { throw EntityError<Record>.exists(row.id) }
      (rows[row.id.number], changes[row.id.number]) = (row, time)
    }
    let newNumbers = Dictionary(uniqueKeysWithValues: names.map { ($0.key.number, $0.value.number) })
    numbers = numbers.map { newNumbers[$0] ?? $0 }
    orders = orders.map { $0.map { newNumbers[$0] ?? $0 } }
    return !names.isEmpty
  }

  private mutating func insert(_ id: ModelID, at position: Int, order: Int) throws {
    guard rows[id.number] != nil else { throw EntityError<Record>.missing(id) }
    guard !orders[order].contains(id.number) else { throw EntityError<Record>.alreadyInOrder(id) }
    let count = orders[order].count
    guard 0...count ~= position else { throw EntityError<Record>.noPosition(position, count: count) }
    orders[order].insert(id.number, at: position)
  }

  private mutating func move(_ id: ModelID, to position: Int, order: Int) throws -> Bool {
    guard rows[id.number] != nil else { throw EntityError<Record>.missing(id) }
    guard let old = orders[order].firstIndex(of: id.number) else { throw EntityError<Record>.notInOrder(id) }
    let count = orders[order].count
    guard 0..<count ~= position else { throw EntityError<Record>.noPosition(position, count: count) }
    orders[order].insert(orders[order].remove(at: old), at: position)
    return old != position
  }

  /// Throws if another record has a unique key of this one.
  private func judge(_ id: ModelID) throws {
    guard Record.hasUniqueKeys, let row = rows[id.number] else { return }
    for key in [\Row.codeKey, \Row.markKey] {
      guard let value = row[keyPath: key],
        let owner = rows.values.first(where: { $0.id != id && $0[keyPath: key] == value })
      else { continue }
      throw EntityError<Record>.duplicateKey("\(value)", of: id, owner: owner.id)
    }
  }

  /// Throws if two records have the same unique key.
  private func judge() throws {
    guard Record.hasUniqueKeys else { return }
    for key in [\Row.codeKey, \Row.markKey] {
      var owners: [Int: ModelID] = [:]
      for row in rows.values {
        guard let value = row[keyPath: key] else { continue }
        if let owner = owners.updateValue(row.id, forKey: value) {
          throw EntityError<Record>.duplicateKey("\(value)", of: row.id, owner: owner)
        }
      }
    }
  }
}
