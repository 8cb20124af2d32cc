import ArborEntities
import TestSupport
import Testing

/// Changes a table at random, and recreates each version from older ones by differences.
struct DifferenceTrial<Record: ModelRecord> {
  private var schedule: TableSchedule<Record>
  private var random: SplitMix64
  private var table = EntityTable<Record>()
  private var model = TableModel<Record>()
  private var versions: [(table: EntityTable<Record>, model: TableModel<Record>)] = []

  /// The number of performed operations.
  private var count = 0

  /// The number of versions that were recreated from the previous one.
  private(set) var made = 0

  init(seed: UInt64, scale: Int, kind: HashKind) {
    schedule = TableSchedule(seed: seed, scale: scale, kind: kind, kept: 0)
    random = SplitMix64(seed: seed ^ 0x5EED)
  }

  /// Makes another version, and compares it with the result of differences from older ones.
  mutating func play() throws {
    let before = table
    for _ in 0..<[1, 1, 2, 4].randomElement(using: &random)! { try change() }
    if let difference = try table.recodedDifference(from: before) {
      made += 1
      try check(difference, on: before)
      // A difference that does not fit is refused, or gives a consistent table.
      if let other = versions.randomElement(using: &random)?.table { try force(difference, on: other) }
    }
    if let older = versions.randomElement(using: &random)?.table {
      if let difference = try table.recodedDifference(from: older) { try check(difference, on: older) }
      // Also go back in time, as for undoing changes.
      if let difference = try older.recodedDifference(from: table) {
        try compare(try applied(difference, to: table), with: older)
      }
    }
    versions.append((table, model))
    if versions.count > 6 { versions.remove(at: .random(in: 0..<6, using: &random)) }
    if random.once(in: 9) { (table, model) = versions.randomElement(using: &random)! }
  }

  private mutating func change() throws {
    if random.once(in: 5), let row = model.content.randomElement(using: &random) {
      try perform(.remove(row.id))
      try perform(.insert(row))
    }
    for case .perform(let operation) in schedule.next(for: model, snapshots: 0) { try perform(operation) }
  }

  private mutating func perform(_ operation: TableOperation) throws {
    count += 1
    let before = model.version
    try? model.perform(operation, at: count)
    try? table.perform(operation)
    try Difference.unless(before == model.version || table.map(\.row) == model.content, "the records")
  }

  private func check(_ difference: CodableEntityDifference<Record>, on older: EntityTable<Record>) throws {
    for start in [older, try older.recoded()] {
      let made = try applied(difference, to: start)
      try compare(made, with: table)
      let index = Record.wrongIndex(of: made, by: model)
      try Difference.unless(index == nil, "the index \(index!)")
    }
  }

  private func applied(
    _ difference: CodableEntityDifference<Record>,
    to table: EntityTable<Record>
  ) throws -> EntityTable<Record> {
    var table = table
    try table.apply(difference)
    table.checkInvariants()
    return table
  }

  private func compare(_ made: EntityTable<Record>, with table: EntityTable<Record>) throws {
    try Difference.unless(made.map(\.row) == table.map(\.row), "the records")
    for order in Record.orders {
      try Difference.unless(made[order].ids == table[order].ids, "the order \(order.name)")
    }
    try Difference.unless(Record.areEqual(made, table) != false, "==")
  }

  private func force(_ difference: CodableEntityDifference<Record>, on other: EntityTable<Record>) throws {
    var forced = other
    do {
      try forced.apply(difference)
    } catch DecodingError.dataCorrupted {
      try Difference.unless(forced.stamp == other.stamp, "the stamp after a refusal")
      try compare(forced, with: other)
    }
    forced.checkInvariants()
    other.checkInvariants()
  }
}
