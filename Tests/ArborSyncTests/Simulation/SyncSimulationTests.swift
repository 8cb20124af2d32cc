import TestSupport
import Testing

@Suite("Clients of a log that fails", .oneThread)
struct SyncSimulationTests {
  private static let seedCount: UInt64 = Setting.number("ARBOR_SYNCS") ?? UInt64(repetitions(300))
  private static let firstSeed: UInt64 = Setting.number("ARBOR_SYNC_SEED") ?? 0

  // Calls in progress when a client is killed reach a store that was released.
  @Test(.reports("used after its owner was released"))
  func `Y1 to Y5 all clients reach the same state with each action once, regardless of failures`() async {
    for seed in Self.firstSeed..<Self.firstSeed + Self.seedCount {
      if let complaint = await SyncWorld(seed: seed).run() {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
    }
  }
}
