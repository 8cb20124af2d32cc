import TestSupport
import Testing

/// Plays random operations on a cache of requests and on a naive model of it.
@Suite struct RequestSimulationTests {
  /// The number of operations for each seed: `ARBOR_SIMULATE`, otherwise as many as take some seconds.
  private static let operations: Int? = Setting.number("ARBOR_SIMULATE")

  /// A seed that is always tried, and a new one; or only the one in `ARBOR_SIMULATION_SEED`.
  static let seeds: [UInt64] =
    if let seed: UInt64 = Setting.number("ARBOR_SIMULATION_SEED") {
      [seed]
    } else {
      [1, UInt64.random(in: 1_000_000...UInt64(UInt32.max))]
    }

  @Test(arguments: seeds) func `R1 to R10 a cache behaves like its model`(seed: UInt64) {
    let count = RequestSimulationTests.operations ?? repetitions(25_000)
    let start = ContinuousClock.now
    let failure = Simulation.run(seed: seed, operations: count)
    let time = (ContinuousClock.now - start) / max(count, 1)
    if RequestSimulationTests.operations != nil {
      print("ARBOR_SIMULATION_SEED=\(seed): \(failure?.operations ?? count) operations, \(time) an operation")
    }
    if let failure { Issue.record("\(failure.text)") }
  }
}
