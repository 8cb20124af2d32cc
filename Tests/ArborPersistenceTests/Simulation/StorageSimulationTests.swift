import TestSupport
import Testing

@Suite("Storages that crash")
struct StorageSimulationTests {
  private static let seedCount: UInt64 = Setting.number("ARBOR_STORAGES") ?? UInt64(repetitions(3_000))
  private static let firstSeed: UInt64 = Setting.number("ARBOR_STORAGE_SEED") ?? 0

  @Test func `P1 to P5 a program finds its last acknowledged state, or a later one`() async {
    for seed in Self.firstSeed..<Self.firstSeed + Self.seedCount {
      if let complaint = await StorageWorld(seed: seed).run() {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
    }
  }
}
