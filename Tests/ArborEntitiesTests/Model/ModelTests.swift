import TestSupport
import Testing

/// Plays long random sequences of every operation on tables and on models of plain arrays and dictionaries.
@Suite struct ModelTests {
  /// Seeds that are always tried, and one that never was; or only the one that `ARBOR_TABLE_SEED` names.
  static let seeds: [UInt64] = {
    if let seed: UInt64 = Setting.number("ARBOR_TABLE_SEED") { return [seed] }
    return [1, .random(in: 1_000...UInt64(UInt32.max))]
  }()

  /// How many times as long as usual a sequence is: as `ARBOR_TABLE_LENGTH` says, else longer where the library is quick.
  private static let factor: Int = {
    #if DEBUG
      Setting.number("ARBOR_TABLE_LENGTH") ?? 1
    #else
      Setting.number("ARBOR_TABLE_LENGTH") ?? 20
    #endif
  }()

  /// How long a sequence is. Shorter under the thread sanitizer, which sees but one thread here.
  static func length(of steps: Int) -> Int {
    #if TSAN
      max(steps * factor / 10, 5)
    #else
      steps * factor / 2
    #endif
  }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table does what its model does, and snapshots of it stay as they were`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 30, kind, kept: 5, steps: 240)
  }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table that nobody shares does what its model does`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 30, kind, kept: 0, steps: 170)
  }

  @Test(arguments: seeds, [HashKind.normal, .high, .moduloFour])
  func `a table of some hundred records does what its model does`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 300, kind, kept: 3, steps: 65)
  }

  @Test(arguments: [(HashKind.normal, 2), (.sequential, 0)])
  func `a table of up to ten thousand records does what its model does`(kind: HashKind, kept: Int) {
    play(Note.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 20)
    play(Volume.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 20)
  }

  @Test func `steps that fail are shortened to the fewest, and printed as a test`() {
    let rows = (0..<100).map { Row(id: ModelID($0, .normal), rank: $0, title: "title \($0)") }
    let steps: [TableStep] = [
      .keep, .perform(.removeAll), .perform(.upsertAll(rows, .keepTitle)), .ask(RangeQuery(first: 3, last: 0)), .keep,
    ]
    let fewest = steps.fewest { steps in
      var isThere = false
      for step in steps {
        if case .perform(.upsertAll(let rows, _)) = step { isThere = [3, 77].allSatisfy(rows.map(\.rank).contains) }
        if case .ask = step, isThere { return true }
      }
      return false
    }
    #expect(
      TableTrial<Volume>.test(of: fewest) == """
          @Test func `what a table once did otherwise than its model`() throws {
            try TableTrial<Volume>.replay([
              .perform(TableOperation.upsertAll([Row(id: ModelID(3, .normal), rank: 3, title: "title 3"), \
        Row(id: ModelID(77, .normal), rank: 77, title: "title 77")], RowMerge.keepTitle)),
              .ask(RangeQuery(first: 3, last: 0)),
            ])
          }
        """
    )
  }

  private func play(_ seed: UInt64, scale: Int, _ kind: HashKind, kept: Int, steps: Int) {
    play(Note.self, seed, scale: scale, kind, kept: kept, steps: steps)
    play(Sketch.self, seed, scale: scale, kind, kept: kept, steps: steps)
    play(Volume.self, seed, scale: scale, kind, kept: kept, steps: steps)
    play(Relic.self, seed, scale: scale, kind, kept: kept, steps: steps)
  }

  private func play<Record: ModelRecord>(
    _: Record.Type,
    _ seed: UInt64,
    scale: Int,
    _ kind: HashKind,
    kept: Int,
    steps: Int
  ) {
    let schedule = TableSchedule<Record>(seed: seed, scale: scale, kind: kind, kept: kept)
    TableTrial.run(schedule, ModelTests.length(of: steps))
  }
}
