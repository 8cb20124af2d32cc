import ArborCore
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Order")
struct OrderTests {
  // MARK: O1

  @Test func `O1 interceptors, reducers, projections and observers never run at the same time`() {
    let running = Protected(0)
    let overlaps = Protected(0)
    @Sendable func alone<Result>(_ body: () -> Result) -> Result {
      let before = running.withLock { running in
        running += 1
        return running
      }
      if before != 1 { overlaps.withLock { $0 += 1 } }
      defer { running.withLock { $0 -= 1 } }
      return body()
    }
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in alone {} },
      reducer: { state, action in alone { state += action } }
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, local in alone { root + local } },
      reducer: { state, action in alone { state += action } }
    )
    child.scope(to: { state in alone { state } }).subscribe(observer: Observer { _ in alone { .active } })
    onThreads(4) { thread in
      for number in 0..<500 {
        switch (number + thread) % 4 {
        case 0: child.dispatch(1)
        case 1: child.dispatchAndWait(1)
        case 2: factory.rootStore().dispatchAndWait(1)
        default: child.scope(to: { state in alone { state } }).state.map { _ in }
        }
      }
    }
    #expect(factory.state == 4 * 375)
    #expect(overlaps.withLock { $0 } == 0)
  }

  // MARK: O2

  @Test func `O2 the first dispatched action is reduced first, regardless of the tree's stores it was dispatched to`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: [], reducer: appending)
    let scope = factory.scopeStore(to: \.count)
    let grandchild = child.childStore(initialState: [], reducer: appending)
    child.dispatch(1)
    factory.rootStore().dispatch(2)
    grandchild.dispatch(3)
    scope.dispatch(4)
    child.store().dispatch(batch: [5, 6])
    grandchild.dispatch(7)
    executor.run()
    #expect(factory.state == [1, 2, 3, 4, 5, 6, 7])
    #expect(child.state?.1 == [1, 3, 5, 6, 7])
    #expect(grandchild.state?.1 == [3, 7])
  }

  @Test func `O2 subscriptions and releases take effect in order with the actions`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor)
    let (early, late) = (RecordedValues<[Int]>(), RecordedValues<[Int]>())
    factory.rootStore().dispatch(1)
    factory.rootStore().subscribe(observer: .recording(in: early))
    factory.rootStore().dispatch(2)
    factory.rootStore().subscribe(observer: .recording(in: late))
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(early.values == [[1], [1, 2], [1, 2, 3]])
    #expect(late.values == [[1, 2], [1, 2, 3]])
  }

  @Test func `O2 each thread's actions keep their order across stores`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let child = factory.childStore(initialState: [], reducer: appending)
    onThreads(4) { thread in
      for number in 0..<1000 {
        if number % 2 == 0 {
          child.dispatch(thread * 1000 + number)
        } else {
          factory.rootStore().dispatch(thread * 1000 + number)
        }
      }
    }
    let all = factory.state
    #expect(all.count == 4000)
    for thread in 0..<4 {
      let own = all.filter { $0 / 1000 == thread }
      #expect(own == Array(thread * 1000..<(thread + 1) * 1000))
    }
  }

  // MARK: O3

  @Test func `O3 a dispatch in an interceptor or observer goes after the waiting actions`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor) { action, dispatch in
      if action < 10 { dispatch(action * 10) }
    }
    let store = factory.rootStore()
    let observer = Observer<[Int]> { state in
      guard state.last == 2 else { return .active }
      store.dispatch(99)
      return .dead
    }
    store.subscribe(observer: observer)
    store.dispatch(1)
    store.dispatch(2)
    store.dispatch(3)
    executor.run()
    #expect(factory.state == [1, 2, 3, 10, 20, 99, 30])
  }

  @Test func `O3 a chain of a million dispatches needs a constant stack`() {
    let count = repetitions(1_000_000)
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, dispatch in
        if action > 1 { dispatch(action - 1) }
      },
      reducer: { state, _ in state += 1 }
    )
    let done = DispatchSemaphore(value: 0)
    factory.rootStore().subscribe(
      observer: Observer { state in
        guard state == count else { return .active }
        done.signal()
        return .dead
      }
    )
    factory.rootStore().dispatch(count)
    done.wait()
    #expect(factory.state == count)
  }

  // MARK: O4

  @Test
  func `O4 an action passes the interceptors from its store to the root, the reducers alike, then observers`() {
    let executor = ManualExecutor()
    let log = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in log.append("root intercepts") },
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in log.append("root reduces") }
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { $0 + $1 },
      interceptor: { _, _ in log.append("child intercepts") },
      reducer: { _, _ in log.append("child reduces") }
    )
    let grandchild = child.childStore(
      initialState: 0,
      stateMapping: { $0 + $1 },
      interceptor: { _, _ in log.append("grandchild intercepts") },
      reducer: { _, _ in log.append("grandchild reduces") }
    )
    let sibling = factory.childStore(
      initialState: 0,
      stateMapping: { $0 + $1 },
      interceptor: { _, _ in log.append("sibling intercepts") },
      reducer: { _, _ in log.append("sibling reduces") }
    )
    grandchild.subscribe(
      observer: Observer { _ in
        log.append("grandchild observes")
        return .active
      })
    factory.rootStore().subscribe(
      observer: Observer { _ in
        log.append("root observes")
        return .active
      })
    executor.run()

    log.removeAll()
    grandchild.dispatch(1)
    executor.run()
    #expect(
      log.values == [
        "grandchild intercepts", "child intercepts", "root intercepts",
        "grandchild reduces", "child reduces", "root reduces",
        "root observes", "grandchild observes",
      ]
    )

    log.removeAll()
    child.dispatch(1)
    executor.run()
    #expect(
      log.values == [
        "child intercepts", "root intercepts", "child reduces", "root reduces", "root observes", "grandchild observes",
      ]
    )
    withExtendedLifetime(sibling) {}
  }

  @Test func `O4 an interceptor's dispatch goes to the store where the action was dispatched`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor) { action, dispatch in
      if action == 1 { dispatch(2) }
    }
    let child = factory.childStore(initialState: [], reducer: appending)
    let other = factory.childStore(initialState: [], reducer: appending)
    child.dispatch(1)
    executor.run()
    #expect(child.state?.1 == [1, 2])
    #expect(other.state?.1 == [])
    #expect(factory.state == [1, 2])
  }

  @Test func `O4 an ancestor of another action type receives the dispatch of the nearest store with its type`() {
    enum Whole: Sendable, Equatable {
      case part(Int)
      case seen(Int)
    }
    let executor = ManualExecutor()
    let factory = StoreFactory<[Whole], Whole>(
      initialState: [],
      interceptor: { action, dispatch in
        if case .part(let number) = action { dispatch(.seen(number)) }
      },
      settings: TreeSettings(executor: executor),
      reducer: { $0.append($1) }
    )
    let part = factory.rootStore().scope(to: \.count, action: Whole.part)
    let child = part.childStore(initialState: [], stateMapping: { $1 }, reducer: appending)
    child.dispatch(7)
    part.dispatch(8)
    executor.run()
    #expect(child.state == [7])
    #expect(factory.state == [.part(7), .part(8), .seen(7), .seen(8)])
  }

  // MARK: O5

  @Test
  func `O5 actions accepted before a release still pass their interceptor and all reducers, but call no observer`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor)
    let (own, intercepted, observed) = (RecordedValues<Int>(), RecordedValues<Int>(), RecordedValues<Int>())
    var child: StoreObject<Int, Int>? = factory.childStore(
      initialState: 0,
      stateMapping: { $1 },
      interceptor: { action, _ in intercepted.append(action) },
      reducer: { state, action in
        state += action
        own.append(state)
      }
    )
    child?.subscribe(observer: .recording(in: observed))
    executor.run()
    child?.dispatch(1)
    child?.dispatch(2)
    child = nil
    executor.run()
    #expect(own.values == [1, 3])
    #expect(intercepted.values == [1, 2])
    #expect(observed.values == [0])
    #expect(factory.state == [1, 2])
  }

  @Test func `O5 actions accepted before the factory is released are reduced exactly once`() {
    let reduced = RecordedValues<Int>()
    let done = DispatchSemaphore(value: 0)
    do {
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        reducer: { _, action in
          reduced.append(action)
          if action == 999 { done.signal() }
        }
      )
      for number in 0..<1000 { factory.rootStore().dispatch(number) }
    }
    done.wait()
    #expect(reduced.values == Array(0..<1000))
  }

  // MARK: O6

  @Test
  func
    `O6 an interceptor's dispatch works from any thread, many times and later, and does nothing once the store is gone`()
  {
    let executor = ManualExecutor()
    let kept = RecordedValues<@Sendable (Int) -> Void>()
    let reduced = RecordedValues<Int>()
    var factory: StoreFactory<Int, Int>? = StoreFactory(
      initialState: 0,
      interceptor: { action, dispatch in
        if action == 1 { kept.append(dispatch) }
      },
      settings: TreeSettings(executor: executor),
      reducer: { _, action in reduced.append(action) }
    )
    factory?.rootStore().dispatch(1)
    executor.run()
    let dispatch = kept.values[0]
    onThreads(2) { thread in dispatch(10 + thread) }
    dispatch(20)
    executor.run()
    #expect(reduced.values.sorted() == [1, 10, 11, 20])
    factory = nil
    dispatch(30)
    executor.run()
    #expect(reduced.values.count == 4)
  }

  // MARK: O7

  @Test func `O7 a flood is accepted completely, and its memory is returned`() {
    let executor = ManualExecutor()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let store = factory.rootStore()
    let count = repetitions(1_000_000)
    for _ in 0..<count { store.dispatch(1) }
    #expect(executor.pending == count)
    #expect(store.chunkCount > 50)
    #expect(factory.state == count)
    #expect(store.chunkCount <= 2)
  }
}
