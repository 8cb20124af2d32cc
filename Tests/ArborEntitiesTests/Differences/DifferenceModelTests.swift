import TestSupport
import Testing

/// Plays long random sequences of operations, and saves and loads each version by its difference.
@Suite("Differences at random", .oneThread)
struct DifferenceModelTests {
  @Test(arguments: ModelTests.seeds, HashKind.allCases)
  func `the difference turns an older version into the newer one`(seed: UInt64, kind: HashKind) throws {
    try play(Note.self, seed, scale: 30, kind, steps: 80)
    try play(Sketch.self, seed, scale: 30, kind, steps: 40)
    try play(Volume.self, seed, scale: 30, kind, steps: 80)
    try play(Relic.self, seed, scale: 30, kind, steps: 40)
  }

  @Test(arguments: ModelTests.seeds)
  func `the difference turns an older version with hundreds of records into the newer one`(seed: UInt64) throws {
    try play(Volume.self, seed, scale: 300, .normal, steps: 40)
    try play(Sketch.self, seed, scale: 2_000, .high, steps: 12)
  }

  private func play<Record: ModelRecord>(
    _: Record.Type,
    _ seed: UInt64,
    scale: Int,
    _ kind: HashKind,
    steps: Int
  ) throws {
    var trial = DifferenceTrial<Record>(seed: seed, scale: scale, kind: kind)
    let length = ModelTests.length(of: steps * 2)
    for step in 0..<length {
      do {
        try trial.play()
      } catch {
        Issue.record("\(Record.self), ARBOR_TABLE_SEED=\(seed), scale \(scale), hashes \(kind), step \(step): \(error)")
        return
      }
    }
    #expect(length < 40 || trial.made * 4 > length, "only \(trial.made) of \(length) differences could be expressed")
  }
}
