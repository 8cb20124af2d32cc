import Foundation
import Testing

/// Plays long random sequences of every operation on tables and on models of plain arrays and dictionaries.
@Suite struct ModelTests {
  /// Seeds that are always tried, and one that never was; or only the one that `ARBOR_TABLE_SEED` names.
  static let seeds: [UInt64] = {
    if let seed = ProcessInfo.processInfo.environment["ARBOR_TABLE_SEED"].flatMap(UInt64.init) { return [seed] }
    return [1, .random(in: 1_000...UInt64(UInt32.max))]
  }()

  /// How long a sequence is: longer where the library is quick, shorter under the thread sanitizer, which sees but one
  /// thread here.
  private static func length(of steps: Int) -> Int {
    #if TSAN
      max(steps / 5, 5)
    #elseif DEBUG
      steps
    #else
      steps * 10
    #endif
  }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table does what its model does, and snapshots of it stay as they were`(seed: UInt64, kind: HashKind)
    throws
  {
    try play(seed, scale: 30, kind, kept: 5, steps: 75)
  }

  @Test(arguments: seeds, HashKind.allCases)
  func `a small table that nobody shares does what its model does`(seed: UInt64, kind: HashKind) throws {
    try play(seed, scale: 30, kind, kept: 0, steps: 75)
  }

  @Test(arguments: seeds, [HashKind.normal, .high, .moduloFour])
  func `a table of some hundred records does what its model does`(seed: UInt64, kind: HashKind) throws {
    try play(seed, scale: 300, kind, kept: 3, steps: 20)
  }

  @Test(arguments: [(HashKind.normal, 2), (.sequential, 0)])
  func `a table of up to ten thousand records does what its model does`(kind: HashKind, kept: Int) throws {
    try play(Note.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 10)
    try play(Volume.self, ModelTests.seeds[0], scale: 10_000, kind, kept: kept, steps: 10)
  }

  private func play(_ seed: UInt64, scale: Int, _ kind: HashKind, kept: Int, steps: Int) throws {
    try play(Note.self, seed, scale: scale, kind, kept: kept, steps: steps)
    try play(Sketch.self, seed, scale: scale, kind, kept: kept, steps: steps)
    try play(Volume.self, seed, scale: scale, kind, kept: kept, steps: steps)
    try play(Relic.self, seed, scale: scale, kind, kept: kept, steps: steps)
  }

  private func play<Record: ModelRecord>(
    _: Record.Type,
    _ seed: UInt64,
    scale: Int,
    _ kind: HashKind,
    kept: Int,
    steps: Int
  ) throws {
    var trial = TableTrial<Record>(seed: seed, scale: scale, kind: kind, kept: kept)
    try trial.run(ModelTests.length(of: steps))
  }
}
