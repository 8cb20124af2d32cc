import TestSupport
import Testing

/// Plays random schedules on the engine and on a naive model of the laws, and compares their observed events.
@Suite struct SimulationTests {
  /// The number of operations for each seed: `ARBOR_SIMULATE`, otherwise as many as take some seconds.
  private static let operations: Int? = Setting.number("ARBOR_SIMULATE")

  /// A seed that is always tried, and a new one; or only the one in `ARBOR_SIMULATION_SEED`.
  static let seeds: [UInt64] =
    if let seed: UInt64 = Setting.number("ARBOR_SIMULATION_SEED") {
      [seed]
    } else {
      [1, UInt64.random(in: 1_000_000...UInt64(UInt32.max))]
    }

  // Runs on the main actor, where deliveries to it can be made. Operations meet stores whose owners are gone.
  @Test(.reports("used after its owner was released"), arguments: seeds)
  @MainActor func `O1 to W2 the engine behaves like the model of the laws`(seed: UInt64) {
    let count = SimulationTests.operations ?? repetitions(60_000)
    let start = ContinuousClock.now
    let failure = Simulation.run(seed: seed, operations: count)
    let time = (ContinuousClock.now - start) / max(count, 1)
    if SimulationTests.operations != nil {
      print("ARBOR_SIMULATION_SEED=\(seed): \(failure?.operations ?? count) operations, \(time) an operation")
    }
    guard let failure else { return }
    let shortened = failure.shortened()
    Issue.record(
      """
      ARBOR_SIMULATION_SEED=\(failure.plan.seed), after \(failure.operations) operations. Of the world \(shortened.moves.count) \
      operations are enough:

      \(shortened.test)

      \(Simulation.difference(in: shortened)?.text ?? "")
      """
    )
  }
}
