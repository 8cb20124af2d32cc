import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// The first state of a subscriber, and its time.
@Suite("First state")
struct FirstStateTests {
  let executor = ManualExecutor()

  @Test func `N2 observe has delivered the first state when it returns, after everything accepted before`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    let changed = RecordedValues<[Int]>()
    factory.dispatch(1)
    let subscriptions = [
      factory.observe { (state: [Int]) in seen.append(state) },
      factory.observe(removeDuplicates: .equatable) { changes in changed.append(changes.current) },
    ]
    #expect(seen.values == [[1]])
    #expect(changed.values == [[1]])
    #expect(executor.pending == 0)
    factory.dispatch(2)
    executor.run()
    #expect(seen.values == [[1], [1, 2]], "none twice")
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `N2 on the store's own queue the first state was delivered as well`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let child = factory.childStore(initialState: 7, reducer: { _, _ in })
    for _ in 1...repetitions(1_000) {
      let (seen, childSeen) = (RecordedValues<Int>(), RecordedValues<Int>())
      factory.dispatch(1)
      let subscription = factory.observe { (state: [Int]) in seen.append(state.count) }
      let childSubscription = child.observe { (_: [Int], own: Int) in childSeen.append(own) }
      #expect(seen.values.count == 1)
      #expect(childSeen.values == [7])
      withExtendedLifetime((subscription, childSubscription)) {}
    }
  }

  @Test func `N2 without an initial state, with an observer and for another queue, it does not wait`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    factory.dispatch(1)
    let subscriptions = [
      factory.observe(initial: false) { (state: [Int]) in seen.append(state.count) },
      factory.observe(on: .each(on: .global())) { (state: [Int]) in seen.append(state.count) },
      factory.observe(on: .latest(on: .global())) { (state: [Int]) in seen.append(state.count) },
      factory.observe(activities: Int.self) { activity in seen.append(activity) },
    ]
    factory.rootStore().subscribe(observer: .recording(in: RecordedValues()))
    #expect(executor.pending == 6, "the action and five subscriptions")
    #expect(seen.values.isEmpty)
    executor.run()
    #expect(seen.values == [1, 1])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `N2 in a callback of any tree it does not wait, and the first state comes in its turn`() {
    let (factory, other) = (StoreFactory.appending(on: executor), StoreFactory.appending(on: executor))
    let (seen, subscriptions) = (RecordedValues<String>(), RecordedValues<StoreSubscription>())
    let store = factory.rootStore()
    let outer = other.observe(initial: false) { [store] (state: [Int]) in
      subscriptions.append(store.observe { (state: [Int]) in seen.append("other tree \(state)") })
      seen.append("after")
      store.dispatch(2)
    }
    let inner = factory.observe(initial: false) { [store] (state: [Int]) in
      guard state == [1] else { return }
      subscriptions.append(store.observe { (state: [Int]) in seen.append("own tree \(state)") })
      seen.append("after \(state)")
    }
    factory.dispatchAndWait(1)
    #expect(seen.values == ["after [1]"])
    executor.run()
    #expect(seen.values == ["after [1]", "own tree [1]"])
    other.dispatchAndWait(1)
    #expect(seen.values == ["after [1]", "own tree [1]", "after"])
    executor.run()
    #expect(seen.values.dropFirst(3) == ["other tree [1]", "own tree [1, 2]", "other tree [1, 2]"])
    withExtendedLifetime((outer, inner)) {}
  }

  @Test func `N2 two trees whose callbacks observe each other do not wait for each other`() {
    let (first, second) = (
      StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 }),
      StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    )
    let subscriptions = RecordedValues<StoreSubscription>()
    let calls = RecordedValues<Int>()
    for (one, other) in [(first, second.rootStore()), (second, first.rootStore())] {
      one.observe(initial: false) { (_: Int) in
        subscriptions.append(other.observe { (state: Int) in calls.append(state) })
      }.storeWhileSourceActive()
    }
    let count = repetitions(500)
    let stores = [first.rootStore(), second.rootStore()]
    onThreads(2) { number in
      for _ in 1...count { stores[number].dispatchAndWait(1) }
    }
    _ = (first.state, second.state)
    #expect(subscriptions.values.count == 2 * count)
    #expect(calls.values.count >= 2 * count)
    for subscription in subscriptions.values { subscription.cancel() }
  }

  @Test func `N2 a value combined of several trees includes everything that each has accepted`() {
    let trees = (1...3).map { _ in
      StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(executor: executor),
        reducer: { $0 += $1 }
      )
    }
    let inner = Derived.combined(trees[1].derived(\.self), trees[2].derived(\.self)).derived { $0 * 10 + $1 }
    let sum = Derived.combined(trees[0].derived(\.self), inner).derived { $0 * 100 + $1 }
    let seen = RecordedValues<Int>()
    for (index, tree) in trees.enumerated() { tree.dispatch(index + 1) }
    #expect(sum.value == 0)
    let subscription = sum.observe { (value: Int) in seen.append(value) }
    #expect(seen.values == [123])
    executor.run()
    #expect(seen.values == [123])
    withExtendedLifetime((trees, subscription)) {}
  }

  @Test func `N2 crosswise combined trees are awaited in the order in which they change each other`() {
    let (a, b) = (
      StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(executor: executor),
        reducer: { $0 += $1 }
      ),
      StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(executor: executor),
        reducer: { $0 += $1 }
      )
    )
    let inB = Derived.combined(b.derived(\.self), a.derived(\.self)).derived { $0 * 10 + $1 }
    let inA = Derived.combined(a.derived(\.self), inB).derived { $0 * 100 + $1 }
    let seen = RecordedValues<Int>()
    a.dispatch(1)
    b.dispatch(2)
    let subscription = inA.observe { (value: Int) in seen.append(value) }
    #expect(seen.values == [121])
    withExtendedLifetime((a, b, subscription)) {}
  }

  @Test func `N2 the trees of a combined value are awaited one after the other`() {
    let (first, second) = (
      StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 }),
      StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    )
    let values = (first.derived(\.self), second.derived(\.self))
    let pairs = [Derived.combined(values.0, values.1), Derived.combined(values.1, values.0)]
    let stores = [first.rootStore(), second.rootStore()]
    // Nested waits of two threads in opposite orders would never end.
    onThreads(2) { number in
      for _ in 1...repetitions(500) {
        stores[number].dispatch(1)
        let seen = RecordedValues<(Int, Int)>()
        let subscription = pairs[number].observe { (pair: (Int, Int)) in seen.append(pair) }
        #expect(!seen.values.isEmpty)
        subscription.cancel()
      }
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test(.reports("used after its owner was released"))
  func `N2 a nil scope has no first state, and neither has a scope whose owner is gone`() {
    let factory = StoreFactory<Int?, Int?>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let seen = RecordedValues<Int>()
    let scope = factory.scopeStore(toOptional: { $0 })
    let subscription = scope.observe { (state: Int) in seen.append(state) }
    #expect(seen.values.isEmpty)
    factory.dispatchAndWait(3)
    #expect(seen.values == [3])
    var child = Optional(factory.childStore(initialState: 0, reducer: { _, _ in }))
    let store = child!.store()
    child = nil
    let late = store.observe { (_: (Int?, Int)) in seen.append(-1) }
    #expect(seen.values == [3])
    withExtendedLifetime((subscription, late)) {}
  }

  // MARK: The main actor

  @MainActor
  @Test func `N2 a screen has its first state when observe returns, after everything accepted before`() {
    let factory = StoreFactory.appending(on: executor)
    var (seen, changed): ([Int], [Int]) = ([], [])
    factory.dispatch(1)
    let subscription = factory.observe(on: .main) { (state: [Int]) in seen.append(state.count) }
    #expect(seen == [1])
    let limited = factory.observe(on: .main(atMostEvery: .seconds(1))) { changes in changed.append(changes.count) }
    #expect(changed == [1])
    executor.run()
    #expect(seen == [1])
    #expect(changed == [1])
    withExtendedLifetime((subscription, limited)) {}
  }

  @MainActor
  @Test func `N2 a screen of a value or a closure-backed store has its first state immediately too`() {
    var seen: [String] = []
    let constant = Derived.constant(4).observe(on: .main) { (value: Int) in seen.append("constant \(value)") }
    let store = Store<Int, Int>(dispatch: { _ in }, subscribe: { $0.send(5) })
    let byHand = store.observe(on: .main) { (state: Int) in seen.append("manual \(state)") }
    let factory = StoreFactory.appending(on: executor)
    let derived = factory.derived(\.count).observe(on: .main) { (count: Int) in seen.append("derived \(count)") }
    #expect(seen == ["constant 4", "manual 5", "derived 0"])
    withExtendedLifetime((constant, byHand, derived)) {}
  }

  @MainActor
  @Test func `N2 for the main actor, elsewhere and without an initial state, observe does not wait`() async {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    let store = factory.rootStore()
    store.dispatch(1)
    let silent = store.observe(initial: false, on: .main) { (state: [Int]) in seen.append(state.count) }
    let elsewhere = await Task.detached {
      store.observe(on: .main) { (state: [Int]) in seen.append(state.count) }
    }.value
    #expect(seen.values.isEmpty)
    #expect(executor.pending == 3)
    executor.run()
    #expect(seen.values == [1])
    withExtendedLifetime((silent, elsewhere)) {}
  }

  @MainActor
  @Test func `N2 in a delivery to the main actor another screen has its first state when observe returns`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    var seen: [String] = []
    var inner: StoreSubscription?
    let outer = store.observe(on: .main) { (state: [Int]) in
      inner = store.observe(on: .main) { (state: [Int]) in seen.append("inner \(state.count)") }
      seen.append("outer \(state.count)")
    }
    #expect(seen == ["inner 0", "outer 0"])
    withExtendedLifetime((outer, inner)) {}
  }
}
