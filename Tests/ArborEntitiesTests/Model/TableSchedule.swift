import TestSupport

/// Chooses operations on a table at random, but so that its size stays around a scale and most operations succeed.
struct TableSchedule<Record: ModelRecord>: CustomStringConvertible {
  /// The parameters for playing it again.
  let description: String

  private var random: SplitMix64
  private let scale: Int
  private let kind: HashKind

  /// The maximum number of snapshots that are kept. If there are none, the table is the only owner of its storage.
  private let kept: Int

  init(seed: UInt64, scale: Int, kind: HashKind, kept: Int) {
    description = "\(Record.self), ARBOR_TABLE_SEED=\(seed), scale \(scale), hashes \(kind), \(kept) snapshots"
    random = SplitMix64(seed: seed)
    self.scale = scale
    self.kind = kind
    self.kept = kept
  }

  /// The number of steps after which the indexes are compared: one if the table is small.
  var interval: Int { min(1 + scale / 100, 4) }

  /// Returns an operation, and the checks after it.
  mutating func next(for model: TableModel<Record>, snapshots: Int) -> [TableStep] {
    var steps: [TableStep] = [.perform(operation(for: model)), .find(ids(in: model))]
    if random.once(in: 4) { steps.append(.ask(query())) }
    guard kept > 0 else { return steps }
    if random.once(in: 3) {
      if snapshots == kept { steps.append(.release) }
      steps.append(.keep)
    }
    if snapshots > 0, random.once(in: 3) {
      let number = Int.random(in: 0..<snapshots, using: &random)
      steps.append(.compare(snapshot: number))
      if random.once(in: 4) { steps.append(.goBack(snapshot: number)) }
    }
    return steps
  }

  private mutating func operation(for model: TableModel<Record>) -> TableOperation {
    if model.numbers.count < Int.random(in: 0...scale, using: &random) { return growth(of: model) }
    switch Int.random(in: 0..<(Record.orders.isEmpty ? 16 : 28), using: &random) {
    case 0...3: return .update(id(in: model), change(for: model))
    case 4...5: return .updateSome(ids(in: model), change(for: model))
    case 6...7: return .updateAll(random.once(in: 2) ? .exchangeCodes : change(for: model))
    case 8...9: return .remove(id(in: model))
    case 10: return .removeSome(ids(in: model))
    case 11: return .removeWhere(condition(for: model))
    case 12: return .filter(condition(for: model))
    case 13: return random.once(in: 6) ? .removeAll : .upsert(row(knownTo: model))
    case 14...15: return rename(in: model)
    default: return reordering(of: model)
    }
  }

  /// Ranks, of which the first may come after the last, or just outside the existing ones.
  private mutating func query() -> RangeQuery {
    RangeQuery(first: .random(in: -2..<52, using: &random), last: .random(in: -2..<52, using: &random))
  }

  private mutating func growth(of model: TableModel<Record>) -> TableOperation {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: .insert(newRow(for: model))
    case 4: .insert(random.once(in: 4) ? Row(id: .unequal(kind)) : row(knownTo: model))
    case 5...6: .insertAll(rows(for: model))
    case 7: .upsert(random.once(in: 2) ? newRow(for: model) : row(knownTo: model))
    case 8: .upsertMerging(row(knownTo: model), merge(for: model))
    case 9...10: .upsertAll(rows(for: model) + knownRows(in: model), merge(for: model))
    default: .merge(knownRows(in: model) + rows(for: model, areAllNew: true), merge(for: model))
    }
  }

  private mutating func reordering(of model: TableModel<Record>) -> TableOperation {
    let order = Int.random(in: Record.orders.indices, using: &random)
    let count = model.orders[order].count
    let position = random.once(in: 10) ? [-1, count, count + 1].randomElement(using: &random)! : nil
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1: return .appendToOrder(id(in: model), order: order)
    case 2...4:
      return .insertInOrder(id(in: model), at: position ?? .random(in: 0...count, using: &random), order: order)
    case 5: return .removeFromOrder(id(in: model), order: order)
    default:
      let number = model.orders[order].randomElement(using: &random)
      let id = number.flatMap { random.once(in: 6) ? nil : ModelID($0, kind) } ?? id(in: model)
      return .moveInOrder(id, to: position ?? .random(in: 0..<max(count, 1), using: &random), order: order)
    }
  }

  private mutating func rename(in model: TableModel<Record>) -> TableOperation {
    var old = model.numbers.shuffled(using: &random).prefix(.random(in: 1...max(scale / 10, 4), using: &random))
      .map { ModelID($0, kind) }
    if random.once(in: 8) { old.append(newID(for: model)) }
    guard let first = old.first, let last = old.last else { return .rename([newID(for: model): id(in: model)], .id) }
    // Rename in a circle; or in a chain whose last record gets a new id or a taken one.
    let other = random.once(in: 6) ? .unequal(kind) : newID(for: model)
    let end = random.once(in: 2) ? first : random.once(in: 4) ? id(in: model) : other
    let names = zip(old, old.dropFirst() + [end])
    var renaming = random.once(in: 2) ? RowRenaming.id : .idAndRank
    if random.once(in: 8) { renaming = random.once(in: 2) ? .nothing : .refuse(last) }
    return .rename(Dictionary(uniqueKeysWithValues: names.map { ($0, $1) }), renaming)
  }

  private mutating func change(for model: TableModel<Record>) -> RowChange {
    switch Int.random(in: 0..<16, using: &random) {
    case 0...1: .nothing
    case 2...5: .rank(.random(in: 0..<40, using: &random))
    case 6...8: .group(.random(in: 0..<9, using: &random))
    case 9...10: .title(.random(in: 0..<20, using: &random))
    case 11...12: .code(code())
    case 13: .exchangeCodes
    case 14: .refuse(id(in: model))
    default: .otherID(id(in: model), instead: newID(for: model))
    }
  }

  private mutating func merge(for model: TableModel<Record>) -> RowMerge {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .refuse(id(in: model))
    case 1: .otherID(id(in: model), instead: newID(for: model))
    case 2...5: .keepTitle
    default: .replace
    }
  }

  private mutating func condition(for model: TableModel<Record>) -> RowCondition {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .always
    case 1...2: .never
    case 3...4: .refuse(id(in: model))
    default: .rankBelow(.random(in: 0..<50, using: &random))
    }
  }

  /// The id of a record, and sometimes an id without one.
  private mutating func id(in model: TableModel<Record>) -> ModelID {
    guard let number = model.numbers.randomElement(using: &random), !random.once(in: 12) else {
      return newID(for: model)
    }
    return ModelID(number, kind)
  }

  /// Some ids, of which one may be repeated or may have no record.
  private mutating func ids(in model: TableModel<Record>) -> [ModelID] {
    var ids = model.numbers.shuffled(using: &random).prefix(.random(in: 0...max(scale / 4, 3), using: &random))
      .map { ModelID($0, kind) }
    if random.once(in: 8) { ids.append(id(in: model)) }
    if random.once(in: 12) { ids.append(newID(for: model)) }
    return ids
  }

  private mutating func newID(for model: TableModel<Record>) -> ModelID {
    while true {
      let number = Int.random(in: 0..<(3 * scale + 9), using: &random)
      if model.rows[number] == nil { return ModelID(number, kind) }
    }
  }

  private mutating func newRow(for model: TableModel<Record>) -> Row {
    var row = Row(id: newID(for: model))
    row.rank = Int.random(in: 0..<50, using: &random)
    row.score = Int.random(in: 0..<1_000, using: &random)
    row.group = Int.random(in: -1..<8, using: &random)
    row.code = code()
    row.mark = code()
    row.title = "title \(Int.random(in: 0..<20, using: &random))"
    return row
  }

  /// A row with the id of an existing one, and sometimes equal to it.
  private mutating func row(knownTo model: TableModel<Record>) -> Row {
    guard let known = model.rows[model.numbers.randomElement(using: &random) ?? -1] else { return newRow(for: model) }
    if random.once(in: 5) { return known }
    var row = known
    row.rank = Int.random(in: 0..<50, using: &random)
    if random.once(in: 3) { row.code = code() }
    if random.once(in: 3) { row.mark = -1 }
    return row
  }

  /// Rows with distinct existing ids; their keys may be swapped.
  private mutating func knownRows(in model: TableModel<Record>) -> [Row] {
    let numbers = model.numbers.shuffled(using: &random).prefix(.random(in: 0...max(scale / 8, 3), using: &random))
    var rows = numbers.map { model.rows[$0]! }
    if random.once(in: 2) {
      let codes = rows.map(\.code).shuffled(using: &random)
      for index in rows.indices { rows[index].code = codes[index] }
    }
    if random.once(in: 2) {
      for index in rows.indices { rows[index].group = (rows[index].group + 2) % 8 }
    }
    return rows
  }

  /// New rows; sometimes two with the same id, or one with an existing id.
  private mutating func rows(for model: TableModel<Record>, areAllNew: Bool = false) -> [Row] {
    var taken = Set(model.rows.values.flatMap { [$0.code, $0.mark] })
    var numbers: Set<Int> = []
    var rows: [Row] = []
    for _ in 0..<Int.random(in: 0...max(scale / 3, 3), using: &random) {
      var row = newRow(for: model)
      guard numbers.insert(row.id.number).inserted else { continue }
      if !taken.insert(row.code).inserted { row.code = -1 }
      if !taken.insert(row.mark).inserted { row.mark = -1 }
      rows.append(row)
    }
    guard !areAllNew else { return rows }
    if random.once(in: 8) { rows.append(row(knownTo: model)) }
    if random.once(in: 8), let row = rows.randomElement(using: &random) { rows.append(row) }
    if random.once(in: 8) { rows.append(newRow(for: model)) }
    if random.once(in: 16) { rows.append(Row(id: .unequal(kind))) }
    return rows
  }

  private mutating func code() -> Int {
    random.once(in: 3) ? -1 : Int.random(in: 0..<(8 * scale + 8), using: &random)
  }
}
