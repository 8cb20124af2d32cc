import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Deliveries to subscriptions on the store's queue.
@Suite("Observe")
struct ObserveTests {
  let executor = ManualExecutor()

  @Test func `a closure receives each state from the current one on, until its subscription is released`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    factory.rootStore().dispatch(1)
    var subscription: StoreSubscription? = factory.observe { (state: [Int]) in seen.append(state) }
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(seen.values == [[1], [1, 2]])
    withExtendedLifetime(subscription) {}
    subscription = nil
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(seen.values == [[1], [1, 2]])
  }

  @Test func `changes are relative to this subscriber's previous delivery`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<String>()
    let subscription = factory.observe { changes in
      seen.append("\(changes.previous ?? [-1]) to \(changes.current)")
      changes.ifChanged(\.first) { seen.append("first \($0 ?? -1)") }
    }
    for action in 1...2 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(seen.values == ["[-1] to []", "first -1", "[] to [1]", "first 1", "[1] to [1, 2]"])
    subscription.cancel()
  }

  @Test func `without the initial state, it counts as delivered`() {
    let factory = StoreFactory.appending(on: executor)
    let (changed, counts) = (RecordedValues<String>(), RecordedValues<Int>())
    let subscriptions = [
      factory.observe(initial: false) { changes in changed.append("\(changes.previous!) to \(changes.current)") },
      factory.observe(initial: false, removeDuplicates: .by { $0.count / 2 }) { (state: [Int]) in
        counts.append(state.count)
      },
    ]
    for action in 1...3 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(changed.values == ["[] to [1]", "[1] to [1, 2]", "[1, 2] to [1, 2, 3]"])
    #expect(counts.values == [2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `N8 duplicates are removed on request, compared with the last delivered value`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let pairs = factory.childStore(initialState: 0, reducer: { _, _ in })
    let (all, equal, part, asked, tuples) = (
      RecordedValues<Int>(), RecordedValues<Int>(), RecordedValues<Int>(), RecordedValues<Int>(), RecordedValues<Int>()
    )
    let subscriptions = [
      factory.observe { (state: Int) in all.append(state) },
      factory.observe(removeDuplicates: .equatable) { (state: Int) in equal.append(state) },
      factory.observe(removeDuplicates: .by(\.magnitude)) { (state: Int) in part.append(state) },
      factory.observe(removeDuplicates: .by { $1 - $0 < 2 && $0 - $1 < 2 }) { (state: Int) in asked.append(state) },
      pairs.observe(removeDuplicates: .equatableElements()) { (state: (Int, Int)) in tuples.append(state.0) },
    ]
    for action in [1, 1, -1, 2, 3, 3] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(all.values == [0, 1, 1, -1, 2, 3, 3])
    #expect(equal.values == [0, 1, -1, 2, 3])
    #expect(part.values == [0, 1, 2, 3])
    #expect(asked.values == [0, 2])
    #expect(tuples.values == [0, 1, -1, 2, 3])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `N8 removing duplicates keeps the compared value, not the whole state`() {
    struct State: Sendable {
      var number: Int
      var object: Object
    }
    let freed = RecordedValues<String>()
    let factory = StoreFactory<State, Int>(
      initialState: State(number: 0, object: Object { freed.append("initial") }),
      settings: TreeSettings(executor: executor),
      reducer: { state, action in state = State(number: action, object: Object()) }
    )
    let subscription = factory.observe(removeDuplicates: .by(\.number)) { (_: State) in }
    executor.run()
    #expect(freed.values.isEmpty)
    factory.rootStore().dispatch(0)
    executor.run()
    #expect(freed.values == ["initial"])
    subscription.cancel()
  }

  // MARK: Ending

  @Test func `N4 if canceled inside its callback, no call follows, and the callback is released after that call`() {
    let factory = StoreFactory.appending(on: executor)
    let (seen, subscriptions) = (RecordedValues<Int>(), RecordedValues<StoreSubscription>())
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      subscriptions.append(
        factory.observe { (state: [Int]) in
          withExtendedLifetime(object) { seen.append(state.count) }
          guard state.count == 1 else { return }
          subscriptions.values[0].cancel()
          subscriptions.values[0].cancel()
        }
      )
    }
    for action in 1...3 { factory.rootStore().dispatch(action) }
    for _ in 1...2 { executor.step() }
    #expect(seen.values == [0, 1])
    #expect(captured == nil)
    executor.run()
    #expect(seen.values == [0, 1])
  }

  @Test(arguments: [StoreDelivery.storeQueue, .latest(on: .global()), .each(on: .global())])
  func `W2 if canceled inside its call, the closure is released outside the step`(delivery: StoreDelivery) {
    let factory = StoreFactory.appending(on: executor)
    let (store, log) = (factory.rootStore(), RecordedValues<String>())
    let subscriptions = RecordedValues<StoreSubscription>()
    do {
      let object = Object {
        log.append("freed")
        // Inside a step it would stop the program.
        store.dispatchAndWait(2)
      }
      subscriptions.append(
        factory.observe(on: delivery) { (state: [Int]) in
          guard state == [1] else { return }
          withExtendedLifetime(object) { log.append("delivered") }
          subscriptions.removeAll()
        }
      )
    }
    let notified = factory.observe { (state: [Int]) in
      if state == [1] { log.append("notified") }
    }
    executor.run()
    factory.dispatchAndWait(1)
    executor.run()
    #expect(log.values.sorted() == ["delivered", "freed", "notified"])
    #expect(log.values.last == "freed")
    #expect(factory.state == [1, 2])
    withExtendedLifetime(notified) {}
  }

  @Test func `a state that is a duplicate releases the closure of a canceled subscription`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let freed = RecordedValues<String>()
    var subscription: StoreSubscription?
    do {
      let object = Object { freed.append("closure") }
      subscription = factory.observe(removeDuplicates: .equatable) { (_: Int) in withExtendedLifetime(object) {} }
    }
    executor.run()
    subscription?.cancel()
    factory.dispatchAndWait(0)
    #expect(freed.values == ["closure"])
  }

  @Test func `N4 if canceled on another thread it is silent, and the callback is released before the next step`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    weak var captured: Object?
    let subscription: StoreSubscription
    do {
      let object = Object()
      captured = object
      subscription = factory.observe { (state: [Int]) in withExtendedLifetime(object) { seen.append(state.count) } }
    }
    executor.run()
    factory.rootStore().dispatch(1)
    onThreads(2) { _ in subscription.cancel() }
    executor.run()
    #expect(seen.values == [0])
    #expect(captured == nil)
  }

  @Test func `N5 an observer that another one cancels is skipped, even later in the same round`() {
    let factory = StoreFactory.appending(on: executor)
    let (seen, subscriptions) = (RecordedValues<String>(), RecordedValues<StoreSubscription>())
    let first = factory.observe { (state: [Int]) in
      seen.append("first")
      if state.count == 1 { subscriptions.removeAll() }
    }
    subscriptions.append(factory.observe { (_: [Int]) in seen.append("second") })
    for action in 1...2 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(seen.values == ["first", "second", "first", "first"])
    first.cancel()
  }

  @Test func `a subscription canceled before its first state receives none`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    factory.observe(on: .each(on: .global())) { (state: [Int]) in seen.append(state.count) }.cancel()
    let outer = factory.observe(initial: false) { [store = factory.rootStore()] (_: [Int]) in
      store.observe { (state: [Int]) in seen.append(state.count) }.cancel()
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values.isEmpty)
    outer.cancel()
  }

  @Test func `a subscription may be kept in a collection, a set, or for as long as its source lives`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let seen = RecordedValues<String>()
    var (set, array) = (Set<StoreSubscription>(), [StoreSubscription]())
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      factory?.observe { (_: [Int]) in seen.append("set") }.store(in: &set)
      factory?.observe { (_: [Int]) in seen.append("array") }.store(in: &array)
      factory?.observe { (_: [Int]) in withExtendedLifetime(object) { seen.append("source") } }.storeWhileSourceActive()
    }
    executor.run()
    #expect(seen.values == ["set", "array", "source"])
    set = []
    array = []
    factory?.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == ["set", "array", "source", "source"])
    factory = nil
    #expect(captured == nil)
  }

  @Test func `a subscription keeps neither its callback nor a state once the source is gone`() {
    let freed = RecordedValues<String>()
    var factory: StoreFactory<Object, Int>? = StoreFactory(
      initialState: Object { freed.append("state") },
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in }
    )
    let subscription: StoreSubscription?
    do {
      let object = Object { freed.append("callback") }
      subscription = factory?.observe { (_: Changes<Object>) in withExtendedLifetime(object) {} }
    }
    executor.run()
    #expect(freed.values.isEmpty)
    factory = nil
    #expect(Set(freed.values) == ["state", "callback"])
    subscription?.cancel()
  }

  @Test func `a subscriber may dispatch, and may add another one`() {
    let factory = StoreFactory.appending(on: executor)
    let (seen, subscriptions) = (RecordedValues<String>(), RecordedValues<StoreSubscription>())
    let store = factory.rootStore()
    subscriptions.append(
      store.observe { (state: [Int]) in
        seen.append("outer \(state)")
        guard state.isEmpty else { return }
        store.dispatch(1)
        subscriptions.append(store.observe { (state: [Int]) in seen.append("inner \(state)") })
      }
    )
    executor.run()
    #expect(seen.values == ["outer []", "outer [1]", "inner [1]"])
    subscriptions.removeAll()
  }

  @Test func `stores of every kind can be observed, including closure-backed ones`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { root, own in root + [own] }, reducer: { $0 -= $1 })
    let observers = RecordedValues<Observer<Int>>()
    let mock = Store<Int, Int>(dispatch: { _ in }, subscribe: { observers.append($0) })
    let seen = RecordedValues<String>()
    let subscriptions = [
      child.observe { (state: [Int]) in seen.append("child \(state)") },
      factory.scopeStore(toOptional: { $0.first }).observe { (state: Int) in seen.append("scope \(state)") },
      mock.scope(to: { $0 * 2 }).observe { (state: Int) in seen.append("mock \(state)") },
    ]
    child.dispatch(1)
    executor.run()
    #expect(seen.values == ["child [0]", "scope 1", "child [1, -1]"])
    let statuses = RecordedValues<ObserverStatus>()
    observers.values[0].send(2) { statuses.append($0) }
    subscriptions[2].cancel()
    observers.values[0].send(3) { statuses.append($0) }
    #expect(seen.values.last == "mock 4")
    #expect(statuses.values == [.active, .dead])
    withExtendedLifetime(subscriptions) {}
  }
}
