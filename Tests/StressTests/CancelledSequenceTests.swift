import Arbor
import Dispatch
import TestSupport
import Testing

/// Sequences of effects that are canceled on another thread, at any moment.
///
/// - A wait for a lost sequence would last until the end of a ``Patience``.
@Suite(.serialized) struct CancelledSequenceTests {
  private enum Action: Equatable, Sendable {
    case begin
    case set(Int)
    case step
  }

  /// A sequence with many parts, so that there are many moments between two of them.
  private static var sequence: Effect<Action> {
    .concatenate((0..<40).map { $0.isMultiple(of: 4) ? .run { _ in } : .send(.step) })
  }

  private func makeFactory(_ stateEffects: [StateEffect<Int, Action>] = []) -> StoreFactory<Int, Action> {
    StoreFactory<Int, Action>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in action == .begin ? Self.sequence : .none },
        stateEffects: stateEffects,
        reducer: { state, action in
          if case .set(let number) = action { state = number }
        }
      )
    )
  }

  @Test func `a performed sequence ends when its caller is canceled`() async {
    let factory = makeFactory()
    let store = factory.rootStore()
    let isEnded = await ends(rounds: 4_000) { random in
      let task = Task { await store.perform(.begin) }
      Self.beBusy(using: &random)
      task.cancel()
      await task.value
    }
    #expect(isEnded)
  }

  @Test func `a sequence of a state ends when the state ends`() async {
    let factory = makeFactory([StateEffect(while: { $0 == 1 }) { _ in Self.sequence }])
    let store = factory.rootStore()
    let isEnded = await ends(rounds: 1_000) { random in
      store.dispatch(.set(1))
      Self.beBusy(using: &random)
      store.dispatch(.set(0))
      await store.settled()
    }
    #expect(isEnded)
  }

  @Test func `a sequence of a change ends at the next change`() async {
    let factory = makeFactory([StateEffect(onChange: { $0 }) { _ in Self.sequence }])
    let store = factory.rootStore()
    let isEnded = await ends(rounds: 1_000) { random in
      for number in 1...4 {
        store.dispatch(.set(number))
        Self.beBusy(using: &random)
      }
      await store.settled()
    }
    #expect(isEnded)
  }

  /// Plays rounds, and returns `false` if they do not end.
  private func ends(rounds: Int, _ round: @escaping @Sendable (inout SplitMix64) async -> Void) async -> Bool {
    let ended = DispatchSemaphore(value: 0)
    Task {
      // The moments that matter are those of the threads, which no seed reproduces.
      var random = SplitMix64(seed: 0)
      for _ in 0..<repetitions(rounds) { await round(&random) }
      ended.signal()
    }
    return await withCheckedContinuation { continuation in
      // In addition to the threads that the rounds need.
      DispatchQueue.global().async { continuation.resume(returning: Patience().wait(for: ended)) }
    }
  }

  /// Keeps the thread busy, so that the cancellation comes at a different moment in each round.
  private static func beBusy(using random: inout SplitMix64) {
    let count = Protected(0)
    for _ in 0..<Int.random(in: 0..<8_000, using: &random) { count.withLock { $0 += 1 } }
  }
}
