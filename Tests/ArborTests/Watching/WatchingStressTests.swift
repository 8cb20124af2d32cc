import Arbor
import Dispatch
import Testing

/// Whatever watches a state, made, used and dropped on several threads at once.
@Suite("Watching, under stress")
struct WatchingStressTests {
  /// What one thread keeps for a while.
  private struct Kept {
    var subscriptions: [StoreSubscription] = []
    var values: [Derived<Int>] = []
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `no state goes backwards for anyone, and all that watched is freed`(seed: UInt64) {
    let (threads, rounds) = (4, 300)
    let freed = DispatchSemaphore(value: 0)
    let histories = Recorder<Recorder<Int>>()
    do {
      let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
      let other = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
      let child = factory.childStore(initialState: 0, stateMapping: { $0 + $1 }, reducer: { $0 += $1 })
      let shared = factory.derived { $0 }
      onThreads(threads) { thread in
        var random = SplitMix64(seed: seed * 100 + UInt64(thread))
        var kept = Kept()
        for _ in 1...rounds {
          let (history, object) = (Recorder<Int>(), Object { freed.signal() })
          histories.append(history)
          let body: @Sendable (Int) -> Void = { state in withExtendedLifetime(object) { history.append(state) } }
          let deliveries: [StoreDelivery] = [.storeQueue, .each(on: .global()), .latest(on: .global())]
          let delivery = deliveries.randomElement(using: &random)!
          switch Int.random(in: 0..<5, using: &random) {
          case 0: kept.subscriptions.append(factory.observe(on: delivery, body))
          case 1: kept.subscriptions.append(child.observe(removeDuplicates: .equatable, on: delivery, body))
          case 2:
            let double = child.derived { $0 }.derived { $0 * 2 }
            kept.subscriptions.append(double.observe(on: delivery, body))
          case 3:
            let sum = Derived.combined(shared, other.derived { $0 }).derived { $0.0 + $0.1 }
            kept.values.append(sum)
            kept.subscriptions.append(sum.observe(on: delivery, body))
          default: shared.observe(on: delivery, body).storeWhileSourceActive()
          }
          factory.rootStore().dispatch(1)
          child.dispatch(1)
          other.rootStore().dispatch(1)
          if Bool.random(using: &random) { kept.subscriptions.randomElement(using: &random)?.cancel() }
          if Int.random(in: 0..<10, using: &random) == 0 { kept.subscriptions = Array(kept.subscriptions.dropFirst()) }
          if Int.random(in: 0..<20, using: &random) == 0 { kept = Kept() }
        }
      }
    }
    for _ in 1...(threads * rounds) { freed.wait() }
    for history in histories.values { #expect(history.values == history.values.sorted()) }
  }
}
