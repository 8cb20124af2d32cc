import ArborEntities
import Testing

/// Plays steps on a table and on its model, and compares the two after each.
struct TableTrial<Record: ModelRecord> {
  private var table = EntityTable<Record>()
  private var model = TableModel<Record>()
  private var snapshots: [TableSnapshot<Record>] = []

  /// The number of played steps.
  private var count = 0

  /// The number of steps after which the indexes are compared.
  private let interval: Int

  private init(interval: Int) {
    self.interval = interval
  }

  /// Plays steps of a schedule. If the table differs from its model, they are shortened to the fewest that still show a
  /// difference, and reported as a test.
  static func run(_ schedule: TableSchedule<Record>, _ count: Int) {
    var (schedule, trial, steps) = (schedule, TableTrial(interval: schedule.interval), [TableStep]())
    do {
      while steps.count < count {
        for step in schedule.next(for: trial.model, snapshots: trial.snapshots.count) {
          steps.append(step)
          try trial.play(step)
        }
      }
      try trial.checkSnapshots()
    } catch {
      let fewest = steps.fewest { (try? replay($0)) == nil }
      Issue.record("\(schedule): \(error), at step \(steps.count), shortened to \(fewest.count)\n\(test(of: fewest))")
    }
  }

  /// Plays steps, and throws a ``Difference`` if the table differs from its model.
  static func replay(_ steps: [TableStep]) throws {
    var trial = TableTrial(interval: 1)
    for step in steps { try trial.play(step) }
    try trial.checkSnapshots()
  }

  /// The code of a test that plays steps.
  static func test(of steps: [TableStep]) -> String {
    """
      @Test func `steps in which a table once differed from its model`() throws {
        try TableTrial<\(Record.self)>.replay([
    \(steps.map { "      .\($0),\n" }.joined().replacing("ArborEntitiesTests.", with: ""))    ])
      }
    """
  }

  private mutating func play(_ step: TableStep) throws {
    count += 1
    switch step {
    case .perform(let operation): try perform(operation)
    case .find(let ids):
      let found = ids.compactMap { model.rows[$0.number] }
      try Difference.unless(table.find(in: ids).map(\.row) == found, "the records with some ids")
    case .ask(let query):
      let index = Record.wrongRange(of: table, by: model, query)
      try Difference.unless(index == nil, "a range \(index!)")
    case .keep: snapshots.append(TableSnapshot(table, model))
    case .release:
      if !snapshots.isEmpty { try snapshots.removeFirst().check() }
    case .compare(let number):
      if snapshots.indices.contains(number) { try snapshots[number].compare(table, model) }
    case .goBack(let number):
      if snapshots.indices.contains(number) { (table, model) = (snapshots[number].table, snapshots[number].model) }
    }
  }

  private mutating func perform(_ operation: TableOperation) throws {
    let (stamp, version) = (table.stamp, model.version)
    let expected = Self.error { try model.perform(operation, at: count) }
    let error = Self.error { try table.perform(operation) }
    if operation.isSingle, let expected = expected as? EntityError<Record> {
      // Compare texts: errors about an id that is not equal to itself are never equal.
      try Difference.unless(error.map { "\($0)" } == "\(expected)", "the error")
    } else {
      try Difference.unless((error == nil) == (expected == nil), "whether there is an error")
      try Difference.unless((error is Refusal) == (expected is Refusal), "the kind of error")
    }
    try Difference.unless((table.stamp == stamp) == (model.version == version), "whether the stamp has changed")
    try Difference.unless(table.count == model.numbers.count, "the count")
    try Difference.unless(table.map(\.row) == model.content, "the records")
    guard count.isMultiple(of: interval) else { return }
    let index = Record.wrongIndex(of: table, by: model)
    try Difference.unless(index == nil, "the index \(index!)")
    table.checkInvariants()
  }

  private func checkSnapshots() throws {
    for snapshot in snapshots { try snapshot.check() }
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
