import TestSupport
import Testing

/// Plays random schedules on a publisher and on a model of its documentation.
@Suite("Random schedules of the publisher of states")
struct PublisherScheduleTests {
  @Test(
    .reports("used after its owner was released"),
    arguments: [1, 2, UInt64.random(in: 1_000...UInt64(UInt32.max))]
  )
  func `subscribers receive the values that the model predicts`(seed: UInt64) {
    for seed in seed..<seed + 300 {
      let operations = draw(seed: seed)
      guard differ(operations) else { continue }
      Issue.record("Seed \(seed): \(shortened(operations))")
      return
    }
  }

  private func draw(seed: UInt64) -> [PublisherOperation] {
    var random = SplitMix64(seed: seed)
    func count(_ random: inout SplitMix64) -> Int? {
      random.once(in: 4) ? nil : Int.random(in: 0...3, using: &random)
    }
    return (0..<60).map { _ in
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<8: .add(Int.random(in: 0...2, using: &random))
      case 8..<11: .subscribe(requesting: count(&random))
      case 11..<16: .request(Int.random(in: 1...3, using: &random), Int.random(in: 0..<6, using: &random))
      case 16: .request(count(&random).map { max($0, 1) }, Int.random(in: 0..<6, using: &random))
      case 17: .cancel(Int.random(in: 0..<6, using: &random))
      case 18..<22: .step
      case 22: .run
      default: random.once(in: 3) ? .release : .step
      }
    }
  }

  /// Returns `true` if the engine and the model differ after any of the operations.
  private func differ(_ operations: [PublisherOperation]) -> Bool {
    let engine = PublisherEngine()
    var model = PublisherModel()
    for operation in operations + [.run, .release, .run] {
      engine.perform(operation)
      model.perform(operation)
      if engine.receipts != model.receipts || engine.hasOverlapped { return true }
    }
    return false
  }

  /// Returns the operations that are needed for a difference.
  private func shortened(_ operations: [PublisherOperation]) -> [PublisherOperation] {
    var operations = operations
    for index in operations.indices.reversed() {
      var shorter = operations
      shorter.remove(at: index)
      if differ(shorter) { operations = shorter }
    }
    return operations
  }
}
