import ArborEntities
import Testing

/// Plays a random schedule on a table and on the model of one, and compares the two after each operation.
struct TableTrial<Record: ModelRecord> {
  private let name: String
  private var schedule: TableSchedule<Record>
  private var table = EntityTable<Record>()
  private var model = TableModel<Record>()
  private var snapshots: [TableSnapshot<Record>] = []

  /// How many snapshots are kept at most: where there are none, the table is the single owner of all that it has.
  private let kept: Int

  /// After how many operations the indexes are compared: after each, where the table is small.
  private let interval: Int

  init(seed: UInt64, scale: Int, kind: HashKind, kept: Int) {
    name = "\(Record.self), ARBOR_TABLE_SEED=\(seed), scale \(scale), hashes \(kind), \(kept) snapshots"
    schedule = TableSchedule(seed: seed, scale: scale, kind: kind)
    self.kept = kept
    interval = min(1 + scale / 100, 4)
  }

  mutating func run(_ count: Int) throws {
    for step in 1...count {
      let operation = schedule.next(for: model)
      try perform(operation, at: step, "\(name), step \(step)")
      if kept > 0 { try snapshot("\(name), step \(step)") }
    }
    for snapshot in snapshots { try snapshot.check("\(name), at the end") }
  }

  private mutating func perform(_ operation: TableOperation, at step: Int, _ place: String) throws {
    let (stamp, version) = (table.stamp, model.version)
    let expected = Self.error { try model.perform(operation, at: step) }
    let error = Self.error { try table.perform(operation) }
    func details() -> Comment { "\(place), \(String("\(operation)".prefix(2_000)))" }
    if operation.isSingle, let expected = expected as? EntityError<Record> {
      try #require(error as? EntityError<Record> == expected, details())
    } else {
      try #require((error == nil) == (expected == nil), details())
      try #require((error is Refusal) == (expected is Refusal), details())
    }
    try #require((table.stamp == stamp) == (model.version == version), details())
    try #require(table.count == model.numbers.count, details())
    try #require(table.map(\.row) == model.content, details())
    let found = schedule.ids(in: model)
    try #require(table.find(in: found).map(\.row) == found.compactMap { model.rows[$0.number] }, details())
    guard step.isMultiple(of: interval) else { return }
    try #require(Record.wrongIndex(of: table, by: model) == nil, details())
    table.checkInvariants()
  }

  /// Takes a snapshot now and then, checks one that was taken, or goes on with one instead of the table.
  private mutating func snapshot(_ place: String) throws {
    if schedule.once(in: 3) {
      if snapshots.count == kept { try snapshots.removeFirst().check(place) }
      snapshots.append(TableSnapshot(table, model))
    }
    guard schedule.once(in: 3), let snapshot = schedule.element(of: snapshots) else { return }
    try snapshot.compare(table, model, place)
    if schedule.once(in: 4) { (table, model) = (snapshot.table, snapshot.model) }
  }

  private static func error(of body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
