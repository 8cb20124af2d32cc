import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// The queue and the states of deliveries to subscribers.
@Suite("Delivery")
struct DeliveryTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  private func factory() -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: { $0.append($1) }
    )
  }

  // MARK: Each state

  @Test func `each state arrives on the given queue, in order, even if the queue is concurrent`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: { $0.append($1) })
    let (seen, done) = (RecordedValues<Int>(), DispatchSemaphore(value: 0))
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let isHere = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: isHere, value: true)
    let subscription = factory.observe(on: .each(on: queue)) { (state: [Int]) in
      #expect(DispatchQueue.getSpecific(key: isHere) == true)
      seen.append(state.count)
      if state.count == 1000 { done.signal() }
    }
    for action in 1...1000 { factory.rootStore().dispatch(action) }
    withExtendedLifetime(factory) { done.wait() }
    #expect(seen.values == Array(0...1000))
    subscription.cancel()
  }

  @Test func `each delivery is a step of the manual executor, and compares with the previous one`() {
    let factory = factory()
    let seen = RecordedValues<String>()
    let subscription = factory.observe(
      initial: false,
      removeDuplicates: .by { $0.count / 2 },
      on: .each(on: .global())
    ) { changes in
      seen.append("\(changes.previous!.count) to \(changes.count)")
    }
    for action in 1...5 { factory.rootStore().dispatchAndWait(action) }
    #expect(seen.values.isEmpty)
    #expect(executor.pending == 2)
    executor.run()
    #expect(seen.values == ["0 to 2", "2 to 4"])
    subscription.cancel()
  }

  @Test func `N4 a delivery that is pending when its subscription is canceled does not arrive`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscriptions = [StoreDelivery.each(on: .global()), .latest(on: .global())].map { delivery in
      factory.observe(on: delivery) { (state: [Int]) in seen.append(state.count) }
    }
    executor.run()
    #expect(seen.values == [0, 0])
    factory.rootStore().dispatch(1)
    executor.step()
    #expect(executor.pending == 2)
    for subscription in subscriptions { subscription.cancel() }
    executor.run()
    #expect(seen.values == [0, 0])
  }

  // MARK: The latest

  @Test func `for the latest, at most one delivery waits, and it takes the state when it arrives`() {
    let factory = factory()
    let seen = RecordedValues<String>()
    let subscription = factory.observe(on: .latest(on: .global())) { changes in
      seen.append("\(changes.previous?.count ?? -1) to \(changes.count)")
    }
    executor.run()
    for action in 1...10 { factory.rootStore().dispatchAndWait(action) }
    #expect(executor.pending == 1)
    executor.step()
    #expect(seen.values == ["-1 to 0", "0 to 10"])
    factory.rootStore().dispatchAndWait(11)
    factory.rootStore().dispatch(12)
    executor.step()
    #expect(seen.values.last == "10 to 11", "it does not wait for what is accepted")
    executor.run()
    #expect(seen.values.last == "11 to 12")
    subscription.cancel()
  }

  @Test func `N8 changes that are reverted while a delivery waits are not delivered`() {
    let factory = StoreFactory<String, String>(
      initialState: "A",
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let seen = RecordedValues<String>()
    let subscription = factory.observe(removeDuplicates: .equatable, on: .latest(on: .global())) { (state: String) in
      seen.append(state)
    }
    executor.run()
    for action in ["B", "A"] { factory.rootStore().dispatchAndWait(action) }
    executor.run()
    #expect(seen.values == ["A"])
    factory.rootStore().dispatch("B")
    executor.run()
    #expect(seen.values == ["A", "B"])
    subscription.cancel()
  }

  @Test func `for the latest, the initial state may be skipped, and counts as delivered`() {
    let factory = factory()
    let seen = RecordedValues<String>()
    let subscription = factory.observe(
      initial: false,
      removeDuplicates: .by(\.count),
      on: .latest(on: .global())
    ) { changes in
      seen.append("\(changes.previous!.count) to \(changes.count)")
    }
    executor.run()
    #expect(seen.values.isEmpty)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == ["0 to 1"])
    subscription.cancel()
  }

  @Test func `for the latest, a nil scope is silent, and no state is kept`() {
    let freed = RecordedValues<Int>()
    let factory = StoreFactory<Object?, Int>(initialState: nil, settings: TreeSettings(executor: executor)) {
      state, action in
      state = action == 0 ? nil : Object { freed.append(action) }
    }
    let seen = RecordedValues<String>()
    let subscription = factory.scopeStore(toOptional: { $0 }).observe(on: .latest(on: .global())) { (_: Object) in
      seen.append("delivered")
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == ["delivered"])
    factory.rootStore().dispatchAndWait(2)
    #expect(freed.values == [1], "a delivery waits, and holds nothing")
    factory.rootStore().dispatchAndWait(0)
    executor.run()
    #expect(seen.values == ["delivered"])
    #expect(freed.values == [1, 2])
    subscription.cancel()
  }

  @Test func `a slow subscriber to the latest receives the last state next during a flood`() {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let (seen, flooded, done) = (RecordedValues<Int>(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = factory.rootStore()
    let count = repetitions(50_000)
    let subscription = store.observe(on: .latest(on: .global())) { (state: Int) in
      seen.append(state)
      if state == 2 * count { done.signal() } else { flooded.wait() }
    }
    onThreads(2) { _ in
      for _ in 1...count { store.dispatch(1) }
    }
    #expect(factory.state == 2 * count)
    flooded.signal()
    withExtendedLifetime(factory) { done.wait() }
    #expect(seen.values.count <= 2)
    #expect(seen.values.last == 2 * count)
    subscription.cancel()
  }

  // MARK: Intervals

  @Test func `an interval delivers the first immediately, then at most one per interval, and always the last`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(
      initial: false,
      on: .latest(on: .global(), atMostEvery: .seconds(1))
    ) { (state: [Int]) in
      seen.append(state.count)
    }
    let store = factory.rootStore()
    for action in 1...3 {
      store.dispatch(action)
      executor.run()
    }
    #expect(seen.values == [1])
    clock.advance(by: .milliseconds(999))
    executor.run()
    #expect(seen.values == [1])
    clock.advance(by: .milliseconds(1))
    executor.run()
    #expect(seen.values == [1, 3])
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(seen.values == [1, 3], "nothing is new")
    clock.advance(by: .seconds(5))
    executor.run()
    store.dispatch(4)
    executor.run()
    #expect(seen.values == [1, 3, 4], "at once, after a rest")
    store.dispatch(5)
    executor.run()
    subscription.cancel()
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(seen.values == [1, 3, 4])
    #expect(clock.sleepers == 0)
  }

  // MARK: The main actor

  @MainActor
  @Test func `on the main actor the latest state is delivered, with at most one pending hop`() {
    let factory = factory()
    var seen: [Int] = []
    let subscription = factory.observe(on: .main) { (state: [Int]) in seen.append(state.count) }
    executor.run()
    for action in 1...3 { factory.rootStore().dispatch(action) }
    #expect(factory.state == [1, 2, 3])
    #expect(seen == [0])
    #expect(executor.pending == 1)
    executor.run()
    #expect(seen == [0, 3])
    subscription.cancel()
  }

  @MainActor
  @Test func `dispatchAndWait on the main actor has delivered there before it returns, once`() async {
    let factory = factory()
    let store = factory.rootStore()
    var seen: [Int] = []
    let subscription = factory.observe(on: .main) { (state: [Int]) in seen.append(state.count) }
    send(1, to: store)
    #expect(seen == [0, 1])
    await store.dispatchAndWait(2)
    #expect(seen == [0, 1, 2])
    executor.run()
    #expect(seen == [0, 1, 2], "the hops find nothing new")
    subscription.cancel()
  }

  @MainActor
  @Test func `dispatchAndWait inside a main delivery marks the running one, which is called again`() {
    let factory = factory()
    let store = factory.rootStore()
    var seen: [String] = []
    let subscription = factory.observe(on: .main) { (state: [Int]) in
      seen.append("begin \(state.count)")
      if state.count == 1 { self.send(2, to: store) }
      seen.append("end \(state.count)")
    }
    let other = factory.observe(on: .main) { (state: [Int]) in seen.append("other \(state.count)") }
    seen = []
    send(1, to: store)
    #expect(seen == ["begin 1", "other 2", "end 1", "begin 2", "end 2"])
    executor.run()
    #expect(seen.count == 5)
    withExtendedLifetime((subscription, other)) {}
  }

  private func send(_ action: Int, to store: Store<[Int], Int>) {
    store.dispatchAndWait(action)
  }

  @MainActor
  @Test func `on the real queues the main actor receives the last state`() async {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    var seen: [Int] = []
    await withCheckedContinuation { continuation in
      factory.observe(on: .main) { (state: Int) in
        seen.append(state)
        if state == 1000 { continuation.resume() }
      }.storeWhileSourceActive()
      for _ in 1...1000 { factory.rootStore().dispatch(1) }
    }
    withExtendedLifetime(factory) {}
    #expect(seen.last == 1000)
    #expect(seen == seen.sorted())
  }

  @MainActor
  @Test func `the main actor is called at most once per interval on request`() {
    let clock = TestClock()
    let executor = ManualExecutor()
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(clock: clock, executor: executor)) {
      $0 += $1
    }
    let states = RecordedValues<Int>()
    let subscription = factory.observe(on: .main(atMostEvery: .seconds(1))) { (state: Int) in states.append(state) }
    executor.run()
    for _ in 1...3 {
      factory.rootStore().dispatch(1)
      executor.run()
    }
    #expect(states.values == [0])
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(states.values == [0, 3])
    clock.advance(by: .seconds(1))
    executor.run()
    factory.rootStore().dispatchAndWait(1)
    #expect(states.values == [0, 3, 4])
    subscription.cancel()
  }
}
