import TestSupport
import Testing

/// Plays long random sequences of every operation on tables and on models of plain arrays and dictionaries.
@Suite(.oneThread) struct ModelTests {
  /// Seeds that are always tried, and a new one; or only the one in `ARBOR_TABLE_SEED`.
  static let seeds: [UInt64] = {
    if let seed: UInt64 = Setting.number("ARBOR_TABLE_SEED") { return [seed] }
    return [1, .random(in: 1_000...UInt64(UInt32.max))]
  }()

  /// The factor by which a sequence is longer than usual: the value of `ARBOR_TABLE_LENGTH`, otherwise greater in
  /// optimized builds without the address sanitizer, which makes a step six times as slow.
  private static let factor: Int = {
    #if DEBUG || ASAN
      Setting.number("ARBOR_TABLE_LENGTH") ?? 1
    #else
      Setting.number("ARBOR_TABLE_LENGTH") ?? 20
    #endif
  }()

  /// The length of a sequence.
  static func length(of steps: Int) -> Int { steps * factor / 2 }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table behaves like its model, and snapshots of it do not change`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 30, kind, kept: 5, steps: 240)
  }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table without copies behaves like its model`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 30, kind, kept: 0, steps: 170)
  }

  @Test(arguments: seeds, [HashKind.normal, .high, .moduloFour])
  func `a table of some hundred records behaves like its model`(seed: UInt64, kind: HashKind) {
    play(seed, scale: 300, kind, kept: 3, steps: 65)
  }

  @Test(arguments: [(HashKind.normal, 2), (.sequential, 0)])
  func `a table of up to ten thousand records behaves like its model`(kind: HashKind, kept: Int) {
    play(Note.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 20)
    play(Volume.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 20)
  }

  @Test func `failing steps are shortened to the fewest, and printed as a test`() {
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
          @Test func `steps in which a table once differed from its model`() throws {
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
