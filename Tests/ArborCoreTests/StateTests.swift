import ArborCore
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("State")
struct StateTests {
  // MARK: S1

  @Test func `S1 a reducer changes the state in place, even while it is observed, unless a copy is kept`() {
    let executor = ManualExecutor()
    let addresses = RecordedValues<Int>()
    let factory = StoreFactory<[Int], Int>(
      initialState: Array(repeating: 0, count: 1000),
      settings: TreeSettings(executor: executor),
      reducer: { state, action in
        state[action] += 1
        state.withUnsafeBufferPointer { addresses.append(Int(bitPattern: $0.baseAddress)) }
      }
    )
    let child = factory.childStore(initialState: [1, 2, 3], reducer: { $0[$1] += 1 })
    factory.rootStore().subscribe(observer: Observer { _ in .active })
    child.subscribe(observer: Observer { _ in .active })
    child.scope(to: \.0.count).subscribe(observer: Observer { _ in .active })
    for number in 0..<3 { child.dispatch(number) }
    executor.run()
    factory.rootStore().dispatchAndWait(1)
    factory.rootStore().dispatch(batch: [1, 2])
    executor.run()
    #expect(addresses.values.count == 6)
    #expect(Set(addresses.values).count == 1, "the array was never copied")

    let kept = factory.state
    factory.rootStore().dispatchAndWait(0)
    #expect(Set(addresses.values).count == 2, "a kept copy costs one copy")
    #expect(kept[0] == 1)
  }

  // MARK: S2

  @Test func `S2 state waits for everything accepted before the call`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let child = factory.childStore(initialState: [], reducer: appending)
    for number in 0..<1000 { child.dispatch(number) }
    #expect(factory.state.count == 1000)
    for number in 0..<1000 { child.dispatch(number) }
    #expect(child.state?.1.count == 2000)
  }

  @Test func `S2 a wait covers only what was accepted before`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor) { action, dispatch in
      if action < 10 { dispatch(action + 10) }
    }
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatchAndWait(2)
    #expect(executor.pending == 2, "the action that the interceptor dispatched is still waiting")
    executor.run()
    #expect(factory.state == [1, 2, 11, 12])
  }

  @Test func `S2 dispatchAndWait returns after the observers of its step were called`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let child = factory.childStore(initialState: [], reducer: appending)
    let seen = RecordedValues<Int>()
    child.scope(to: \.1.count).subscribe(observer: .recording(in: seen))
    child.dispatchAndWait(1)
    #expect(seen.values == [0, 1])
    child.store().dispatchAndWait(2)
    #expect(seen.values == [0, 1, 2])
  }

  @Test func `S2 the asynchronous dispatchAndWait resumes after the observers of its step were called`() async {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let child = factory.childStore(initialState: [], reducer: appending)
    let seen = RecordedValues<Int>()
    child.scope(to: \.1.count).subscribe(observer: .recording(in: seen))
    await child.dispatchAndWait(1)
    #expect(seen.values == [0, 1])
    await factory.rootStore().scope(to: \.count, action: { (action: Int) in action * 2 }).dispatchAndWait(2)
    #expect(seen.values == [0, 1, 1])
    #expect(factory.state == [1, 4])
  }

  @Test func `S2 the asynchronous dispatchAndWait does not wait for later actions`() async {
    let gate = DispatchSemaphore(value: 0)
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      reducer: { state, action in
        if action != 2 { gate.wait() }
        state.append(action)
      }
    )
    let root = factory.rootStore()
    root.dispatch(1)
    let task = Task.immediate { await root.dispatchAndWait(2) }
    root.dispatch(3)
    gate.signal()
    await task.value
    gate.signal()
    #expect(factory.state == [1, 2, 3])
  }

  @Test func `S2 a wait is delayed by no more than the running drain, no matter how many wake-ups there were`() {
    let (begun, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      interceptor: { action, _ in
        guard action == 0 else { return }
        begun.signal()
        gate.wait()
      },
      qos: .background,
      reducer: { $0.append($1) }
    )
    let root = factory.rootStore()
    root.dispatch(0)
    begun.wait()
    let children = [DispatchQoS.utility, .userInitiated, .userInteractive].map { qos in
      factory.childStore(initialState: 0, qos: qos, reducer: { _, _ in })
    }
    for child in children { child.dispatch(1) }
    let counts = RecordedValues<Int>()
    Thread {
      counts.append(factory.state.count)
      done.signal()
    }.start()
    // The drain that waits at the gate, and the thread.
    while root.activeThreads < 2 { sched_yield() }
    for action in 2..<20_000 { root.dispatch(action) }
    gate.signal()
    done.wait()
    #expect((4...1024).contains(counts.values[0]), "a drain runs at most 1024 entries")
  }

  @Test func `S2 a wait after a callback on another thread returns as soon as the callback has`() {
    let (inside, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      interceptor: { action, _ in
        guard action == 1 else { return }
        inside.signal()
        release.wait()
      },
      reducer: appending
    )
    factory.rootStore().dispatch(1)
    inside.wait()
    factory.rootStore().dispatch(2)
    let seen = RecordedValues<[Int]>()
    onThreads(2) { thread in
      if thread == 0 {
        release.signal()
      } else {
        factory.rootStore().dispatchAndWait(3)
        seen.append(factory.state)
      }
    }
    #expect(seen.values == [[1, 2, 3]])
  }

  // MARK: S3

  @Test func `S3 state returns immediately inside an interceptor and an observer`() {
    let executor = ManualExecutor()
    let stores = RecordedValues<Store<[Int], Int>>()
    let seen = RecordedValues<[Int]?>()
    let factory = StoreFactory.appending(on: executor) { _, _ in seen.append(stores.values[0].state) }
    let store = factory.rootStore()
    stores.append(store)
    store.subscribe(
      observer: Observer { _ in
        seen.append(store.state)
        return .active
      }
    )
    store.dispatch(batch: [1, 2])
    executor.run()
    #expect(seen.values == [[], [], [1], [1, 2]])
  }

  @Test(arguments: ["reducer", "interceptor", "observer"])
  func `S3 a callback of one tree may wait for another tree`(callback: String) {
    let other = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let store = other.rootStore()
    let seen = RecordedValues<Int>()
    let wait: @Sendable () -> Void = {
      store.dispatchAndWait(1)
      seen.append(store.state?.count ?? -1)
    }
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in if callback == "interceptor" { wait() } },
      reducer: { _, _ in if callback == "reducer" { wait() } }
    )
    factory.rootStore().subscribe(
      observer: Observer { _ in
        if callback == "observer" { wait() }
        return .active
      }
    )
    factory.rootStore().dispatchAndWait(0)
    #expect(seen.values.first == 1)
  }

  @Test func `S3 a callback that runs because of a wait in another tree's callback may read that tree immediately`() {
    let executor = ManualExecutor()
    let (outer, inner) = (StoreFactory.appending(on: executor), StoreFactory.appending(on: executor))
    let (outerStore, innerStore) = (outer.rootStore(), inner.rootStore())
    let seen = RecordedValues<[Int]?>()
    innerStore.subscribe(
      observer: Observer { state in
        if !state.isEmpty { seen.append(outerStore.state) }
        return .active
      }
    )
    outerStore.subscribe(
      observer: Observer { state in
        if !state.isEmpty { innerStore.dispatchAndWait(1) }
        return .active
      }
    )
    outerStore.dispatchAndWait(7)
    #expect(seen.values == [[7]])
  }

  // MARK: S4

  @Test func `S4 a batch is one step, with the interceptors and then the reducers for each of its actions`() {
    let executor = ManualExecutor()
    let log = RecordedValues<String>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      interceptor: { action, dispatch in
        log.append("intercept \(action)")
        if action < 10 { dispatch(action * 10) }
      },
      settings: TreeSettings(executor: executor),
      reducer: { state, action in
        log.append("reduce \(action)")
        state.append(action)
      }
    )
    let seen = RecordedValues<[Int]>()
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { $0 += $1 })
    child.subscribe(observer: .recording(in: seen))
    child.dispatch(batch: [1, 2])
    child.dispatch(3)
    executor.run()
    #expect(
      log.values == [
        "intercept 1", "reduce 1", "intercept 2", "reduce 2", "intercept 3", "reduce 3",
        "intercept 10", "reduce 10", "intercept 20", "reduce 20", "intercept 30", "reduce 30",
      ]
    )
    #expect(seen.values.map(\.count) == [0, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [false, true])
  func `S4 waiting for a batch waits for one step, including observers`(isAsync: Bool) async {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let scope = factory.scopeStore(to: \.count).scope(to: { $0 }, action: { (text: String) in Int(text) ?? -1 })
    let seen = RecordedValues<Int>()
    scope.subscribe(observer: .recording(in: seen))
    factory.dispatch(1)
    if isAsync { await scope.dispatchAndWait(batch: ["2", "3"]) } else { wait(scope, ["2", "3"]) }
    #expect(seen.values == [0, 1, 3])
    #expect(factory.state == [1, 2, 3])
  }

  @Test(arguments: [false, true])
  func `S4 waiting for an empty batch makes no step, but waits for everything accepted before`(isAsync: Bool) async {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    factory.rootStore().subscribe(observer: .recording(in: seen))
    factory.dispatch(1)
    if isAsync { await factory.dispatchAndWait(batch: []) } else { wait(factory.rootStore(), []) }
    #expect(seen.values == [[], [1]])
  }

  @Test(.reports("used after its owner was released"), arguments: [false, true])
  func `L4 waiting for a batch returns immediately when the owner is gone`(isAsync: Bool) async {
    var factory: StoreFactory<[Int], Int>? = StoreFactory(initialState: [], reducer: appending)
    let store = factory?.rootStore()
    factory = nil
    if isAsync { await store?.dispatchAndWait(batch: [1]) } else { store.map { wait($0, [1]) } }
    #expect(store?.state == nil)
  }

  /// Waits in the blocking way, which an async function would not choose.
  private func wait<State, Action>(_ store: Store<State, Action>, _ actions: [Action]) {
    store.dispatchAndWait(batch: actions)
  }

  @Test func `S4 an empty batch isn't a step`() {
    let executor = ManualExecutor()
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    factory.rootStore().subscribe(observer: .recording(in: seen))
    factory.rootStore().dispatch(batch: [])
    #expect(executor.pending == 1, "only the subscription is pending")
    executor.run()
    #expect(seen.values == [[]])
  }
}
