import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Deliveries that wait until the steps pause.
@Suite("Debounced deliveries")
struct DebounceTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  private func factory() -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: { $0.append($1) }
    )
  }

  private func pass(_ milliseconds: Int) {
    clock.advance(by: .milliseconds(milliseconds))
    executor.run()
  }

  @Test func `the first state is delivered immediately, and the last of a burst when it is over`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(on: .latest(on: .global(), debounce: .milliseconds(300))) { (state: [Int]) in
      seen.append(state.count)
    }
    executor.run()
    #expect(seen.values == [0])
    for action in 1...5 {
      factory.dispatch(action)
      executor.run()
      pass(200)
    }
    #expect(seen.values == [0], "none has paused for long enough")
    pass(99)
    #expect(seen.values == [0])
    pass(1)
    #expect(seen.values == [0, 5], "300 ms after the last")
    pass(1_000)
    #expect(seen.values == [0, 5])
    factory.dispatch(6)
    executor.run()
    #expect(seen.values == [0, 5], "after a rest it waits as well")
    pass(300)
    #expect(seen.values == [0, 5, 6])
    subscription.cancel()
    #expect(clock.sleepers == 0)
  }

  @Test func `without the initial state the first change waits too`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(
      initial: false, on: .latest(on: .global(), debounce: .seconds(1))
    ) { (state: [Int]) in seen.append(state.count) }
    factory.dispatch(1)
    executor.run()
    pass(999)
    #expect(seen.values.isEmpty)
    pass(1)
    #expect(seen.values == [1])
    subscription.cancel()
  }

  @Test func `only one timer at a time sleeps, no matter how many steps there are`() {
    let factory = factory()
    let subscription = factory.observe(
      initial: false, on: .latest(on: .global(), debounce: .seconds(1))
    ) { (_: [Int]) in }
    for action in 1...100 {
      factory.dispatch(action)
      executor.run()
    }
    #expect(clock.sleepers == 1)
    subscription.cancel()
    pass(1_000)
    #expect(clock.sleepers == 0)
  }

  @Test func `N8 a burst that ends where it began is not delivered, and neither is a canceled one`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: { $0 = $1 }
    )
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(
      removeDuplicates: .equatable, on: .latest(on: .global(), debounce: .seconds(1))
    ) { (state: Int) in seen.append(state) }
    executor.run()
    for action in [1, 0] { factory.dispatch(action) }
    executor.run()
    pass(1_000)
    #expect(seen.values == [0])
    factory.dispatch(2)
    executor.run()
    subscription.cancel()
    pass(1_000)
    #expect(seen.values == [0])
  }

  @Test func `a duration of zero debounces nothing`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(on: .latest(on: .global(), debounce: .zero)) { (state: [Int]) in
      seen.append(state.count)
    }
    for action in 1...2 {
      executor.run()
      factory.dispatch(action)
    }
    executor.run()
    #expect(seen.values == [0, 1, 2])
    subscription.cancel()
  }

  @MainActor
  @Test func `on the main actor a dispatchAndWait does not deliver before the steps have paused`() {
    let factory = factory()
    var seen: [Int] = []
    let subscription = factory.observe(on: .main(debounce: .seconds(1))) { (state: [Int]) in seen.append(state.count) }
    #expect(seen == [0])
    for action in 1...2 { factory.dispatchAndWait(action) }
    executor.run()
    #expect(seen == [0])
    pass(1_000)
    #expect(seen == [0, 2])
    factory.dispatchAndWait(3)
    pass(999)
    #expect(seen == [0, 2])
    pass(1)
    #expect(seen == [0, 2, 3])
    subscription.cancel()
  }

  @Test func `a change that a delivery has read is not delivered again when its time is over`() {
    var debounce = Debounce(for: .seconds(1), passesFirst: false)
    #expect(debounce.change(at: .zero) == .wait(.seconds(1)))
    debounce.arrive()
    #expect(debounce.timeEnded(at: .seconds(1)) == nil)
    #expect(debounce.change(at: .seconds(5)) == .wait(.seconds(1)))
  }

  @Test func `on a clock that stands still, a pause is one timer without a change`() {
    var debounce = Debounce(for: .seconds(1), passesFirst: false)
    #expect(debounce.change(at: .zero) == .wait(.seconds(1)))
    #expect(debounce.change(at: .zero) == nil)
    #expect(debounce.timeEnded(at: .zero) == .wait(.seconds(1)))
    #expect(debounce.timeEnded(at: .zero) == .deliver)
  }
}
