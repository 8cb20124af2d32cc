import Foundation
import Testing

/// Plays random schedules on the engine and on a naive model of the laws, and compares what the two are seen to do.
@Suite struct SimulationTests {
  private static let length = 300

  /// Seeds that are always tried, and some that never were; or only the one that `ARBOR_SIMULATION_SEED` names.
  static let seeds: [UInt64] = {
    if let seed = ProcessInfo.processInfo.environment["ARBOR_SIMULATION_SEED"].flatMap(UInt64.init) { return [seed] }
    return (1...200).map { $0 } + (1...50).map { _ in UInt64.random(in: 1_000...UInt64(UInt32.max)) }
  }()

  @Test(arguments: seeds)
  func `O1 to L5 the engine does what the model of the laws does`(seed: UInt64) throws {
    var schedule = Schedule(seed: seed)
    let engine = Engine(seed: seed)
    let model = Model()
    let operations = (1...SimulationTests.length).map { _ in schedule.next() } + schedule.end()
    for (index, operation) in operations.enumerated() {
      func place() -> Comment { "ARBOR_SIMULATION_SEED=\(seed), operation \(index): \(operation)" }
      let begin = model.occurrences.count
      model.perform(operation)
      engine.perform(operation)
      try #require(Array(engine.occurrences[begin...]) == Array(model.occurrences[begin...]), place())
      try #require(engine.pending == model.pending, place())
      try #require(engine.nodes == model.nodes, place())
    }
    #expect(engine.nodes.isEmpty, "ARBOR_SIMULATION_SEED=\(seed): every node is freed in the end")
  }
}
