import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Bugs that were found by trying to break observations.
@Suite("Watching, regressions")
struct WatchingRegressionTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  func factory(_ state: Int = 0) -> StoreFactory<Int, Int> {
    StoreFactory(initialState: state, settings: TreeSettings(clock: clock, executor: executor)) { state, action in
      state = action
    }
  }

  @Test func `N8 a sequence never repeats an equal state, and loses none that was never taken`() async {
    let factory = factory(1)
    let store = factory.rootStore()
    var newest = factory.states(removeDuplicates: .equatable).makeAsyncIterator()
    var oldest = factory.states(removeDuplicates: .equatable, buffering: .oldest(1)).makeAsyncIterator()
    executor.run()
    store.dispatch(2)
    executor.run()
    #expect(await oldest.next(isolation: nil) == 1, "2 found no room")
    store.dispatch(2)
    executor.run()
    #expect(await oldest.next(isolation: nil) == 2)
    #expect(await newest.next(isolation: nil) == 2)
    for action in [3, 2] { store.dispatch(action) }
    executor.run()
    let next = Task { [newest] in
      var newest = newest
      return await newest.next(isolation: nil)
    }
    while executor.pending > 0 { executor.run() }
    await Task.yield()
    store.dispatch(4)
    executor.run()
    #expect(await next.value == 4)
  }

  @Test func `the key path of the state itself detects any change`() {
    let changes = Changes(current: 1, previous: 0)
    var seen: [Int] = []
    changes.ifChanged(\.self) { seen.append($0) }
    Changes(current: 1, previous: 1).ifChanged(\.self) { seen.append($0) }
    #expect(seen == [1])
    let (hasChanged, hasRemained) = (changes.hasChanges(\.self), !Changes(current: 1, previous: 1).hasChanges(\.self))
    #expect(hasChanged)
    #expect(hasRemained)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `an interval of zero does not delay`(interval: Duration) {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(on: .latest(on: .global(), atMostEvery: interval)) { seen.append($0) }
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [0, 1])
    subscription.cancel()
  }

  @Test func `a duplicate does not begin an interval`() {
    let factory = factory()
    let seen = RecordedValues<Int>()
    let subscription = factory.observe(
      removeDuplicates: .equatable,
      on: .latest(on: .global(), atMostEvery: .seconds(10))
    ) { seen.append($0) }
    executor.run()
    clock.advance(by: .seconds(10))
    for action in [0, 1] {
      executor.run()
      factory.rootStore().dispatch(action)
    }
    executor.run()
    #expect(seen.values == [0, 1])
    subscription.cancel()
  }

  @Test(arguments: [StoreDelivery.latest(on: .global()), .each(on: .global())])
  func `O5 nothing is delivered once the owner is gone`(delivery: StoreDelivery) {
    var factory: StoreFactory<Int, Int>? = factory()
    let seen = RecordedValues<Int>()
    let subscriptions = [
      factory!.observe(on: delivery) { seen.append($0) },
      factory!.derived { $0 }.observe(on: delivery) { seen.append($0) },
    ]
    executor.run()
    factory!.rootStore().dispatchAndWait(1)
    factory = nil
    executor.run()
    #expect(seen.values == [0, 0])
    withExtendedLifetime(subscriptions) {}
  }

  /// A source that can be observed.
  enum Source: CaseIterable {
    case factory, optionalScope, derived

    func observe(
      in factory: StoreFactory<Int, Int>,
      on delivery: StoreDelivery,
      _ body: @escaping @Sendable (Int) -> Void
    ) -> StoreSubscription {
      switch self {
      case .factory: factory.observe(on: delivery, body)
      case .optionalScope:
        factory.scopeStore(toOptional: { $0 }).observe(removeDuplicates: .equatable, on: delivery, body)
      case .derived: factory.derived { $0 }.observe(on: delivery) { changes in body(changes.current) }
      }
    }
  }

  @Test(arguments: Source.allCases, [StoreDelivery.latest(on: .global()), .each(on: .global())])
  func `N4 L3 canceling inside the callback after the source is gone releases the callback when that call returns`(
    source: Source,
    delivery: StoreDelivery
  ) {
    let (factories, tokens) = (RecordedValues<StoreFactory<Int, Int>>(), RecordedValues<StoreSubscription>())
    let seen = RecordedValues<Int>()
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      factories.append(factory())
      tokens.append(
        source.observe(in: factories.values[0], on: delivery) { state in
          withExtendedLifetime(object) { seen.append(state) }
          // The delivery of this state stays pending and retains the callback.
          factories.values[0].rootStore().dispatchAndWait(1)
          factories.removeAll()
          tokens.values[0].cancel()
        }
      )
    }
    #expect(executor.run { !seen.values.isEmpty })
    #expect(executor.pending == 1)
    #expect(captured == nil)
    executor.run()
    #expect(seen.values == [0])
  }

  @Test func `L3 a constant keeps nothing alive`() async {
    weak var object: Object?
    var factory: StoreFactory<Int, Int>? = factory()
    let pair = Derived.combined(factory!.derived { $0 }, .constant(7))
    do {
      let new = Object()
      object = new
      pair.observe { _ in withExtendedLifetime(new) {} }.storeWhileSourceActive()
    }
    var states = pair.states.makeAsyncIterator()
    #expect(await states.next(isolation: nil)! == (0, 7))
    #expect(object != nil)
    factory = nil
    executor.run()
    #expect(object == nil)
    #expect(await states.next(isolation: nil) == nil)
  }

  @Test func `L3 an observer of a constant for its lifetime is notified once and freed`() {
    let (told, freed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    do {
      let object = Object { freed.signal() }
      let constant = Derived.constant(1)
      constant.observe { _ in withExtendedLifetime(object) { _ = told.signal() } }.storeWhileSourceActive()
    }
    told.wait()
    freed.wait()
    #expect(Derived.constant(1).derived { $0 + 1 }.value == 2)
  }

  @Test func `values of one tree are not mixed if a constant is among them`() {
    let factory = StoreFactory<(Int, Int), Int>(initialState: (0, 0), settings: TreeSettings(executor: executor)) {
      $0 = ($1, $1)
    }
    let still = Derived.constant(5).derived { $0 }
    let (left, right) = (factory.derived { $0.0 }.derived { $0 }, factory.derived { $0.1 }.derived { $0 })
    let seen = RecordedValues<[Int]>()
    let subscription = Derived.combined(still, left, right).observe { seen.append([$0.0, $0.1, $0.2]) }
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [[5, 0, 0], [5, 1, 1]])
    subscription.cancel()
  }

  @Test func `changes that a callback makes in another tree are combined, even without a step`() {
    let other = factory()
    let store = other.rootStore()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        interceptors: [
          Interceptor { action, _ in
            store.dispatchAndWait(action)
            return .drop
          }
        ],
        reducer: { _, _ in }
      ),
      settings: TreeSettings(executor: executor)
    )
    let both = Derived.combined(factory.derived { $0 }, other.derived { $0 })
    let seen = RecordedValues<Int>()
    let subscription = both.observe { seen.append($0.1) }
    executor.run()
    factory.rootStore().dispatch(5)
    executor.run()
    #expect(both.value == (0, 5))
    #expect(seen.values == [0, 5])
    subscription.cancel()
  }

  @Test func `O1 the closure of a derived value runs on the store's queue from the first time on`() {
    let factory = StoreFactory<Int, Int>(initialState: 0) { $0 += $1 }
    let store = factory.rootStore()
    // Inside the tree's work, the state is there immediately and no step begins.
    let derived = factory.derived { state in
      // Dispatch only once: otherwise it would still dispatch while the owner is released.
      if state == 0 { store.dispatch(1) }
      return store.state == state
    }
    #expect(derived.value)
    #expect(factory.state == 1)
  }

  @Test func `if there is no state to begin with, the first one is not skipped`() {
    let factory = StoreFactory<Int?, Int?>(initialState: nil, settings: TreeSettings(executor: executor)) { $0 = $1 }
    let seen = RecordedValues<Int>()
    let scope = factory.scopeStore(toOptional: { $0 })
    let deliveries = [StoreDelivery.storeQueue, .latest(on: .global()), .each(on: .global())]
    let subscriptions = deliveries.map { scope.observe(initial: false, on: $0) { seen.append($0) } }
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [1, 1, 1])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `an observer of a closure-backed store leaves it when it ends`() async {
    let observers = RecordedValues<Observer<Int>>()
    let store = Store<Int, Int>(
      dispatch: { _ in },
      subscribe: { observer in
        observers.append(observer)
        observer.send(1)
      }
    )
    for await _ in store.states { break }
    var derived = store.derived { $0 }
    #expect(derived?.value == 1)
    derived = nil
    let statuses = RecordedValues<ObserverStatus>()
    for observer in [observers.values.first!, observers.values.last!] { observer.send(2) { statuses.append($0) } }
    #expect(statuses.values == [.dead, .dead])
  }

  @MainActor
  @Test func `L3 deliveries to the main actor that race with waiting calls leave nothing`() async {
    weak var object: Object?
    var factory: StoreFactory<Int, Int>? = StoreFactory(initialState: 0) { $0 = $1 }
    let store = factory!.rootStore()
    var subscription: StoreSubscription?
    do {
      let new = Object()
      object = new
      subscription = factory!.observe(on: .main) { _ in withExtendedLifetime(new) {} }
    }
    let rounds = repetitions(20_000)
    let other = Task.detached { for round in 0..<rounds { store.dispatch(round) } }
    for round in 0..<rounds {
      await store.dispatchAndWait(round)
      await Task.yield()
    }
    await other.value
    await store.dispatchAndWait(0)
    subscription?.cancel()
    subscription = nil
    factory = nil
    // Pending deliveries to the main actor arrive.
    while object != nil { await Task.yield() }
    #expect(object == nil)
  }
}
