import Arbor
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("ManualExecutor")
struct ManualExecutorTests {
  let executor = ManualExecutor()

  private func tree(_ log: Log, _ name: String) -> StoreFactory<Int, Int> {
    StoreFactory(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { state, action in
        state += action
        log.add("\(name) \(action)")
      }
    )
  }

  @Test func `nothing runs before a step, and each step runs one thing`() {
    let log = Log()
    let factory = tree(log, "a")
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(batch: [2, 3])
    factory.rootStore().dispatch(4)
    #expect(log.lines == [])
    #expect(executor.pending == 3)
    #expect(executor.step())
    #expect(log.lines == ["a 1"])
    #expect(executor.pending == 2)
    #expect(executor.step())
    #expect(log.lines == ["a 1", "a 2", "a 3"])
    #expect(executor.step())
    #expect(!executor.step())
    #expect(executor.pending == 0)
    #expect(factory.state == 10)
  }

  @Test func `trees that share an executor take turns in the order in which they had work`() {
    let log = Log()
    let (first, second) = (tree(log, "a"), tree(log, "b"))
    second.rootStore().dispatch(1)
    first.rootStore().dispatch(1)
    second.rootStore().dispatch(2)
    first.rootStore().dispatch(2)
    #expect(executor.pending == 4)
    executor.run()
    #expect(log.lines == ["b 1", "a 1", "b 2", "a 2"])
  }

  @Test func `run continues with steps that its steps cause`() {
    let log = Log()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, dispatch in if action > 0 { dispatch(action - 1) } },
      settings: TreeSettings(executor: executor),
      reducer: { _, action in log.add("\(action)") }
    )
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(log.lines == ["3", "2", "1", "0"])
    #expect(factory.state == 0)
  }

  @Test func `a waiting call runs only the earlier steps of its own tree`() {
    let log = Log()
    let (first, second) = (tree(log, "a"), tree(log, "b"))
    first.rootStore().dispatch(1)
    second.rootStore().dispatch(1)
    first.rootStore().dispatch(2)
    #expect(first.state == 3)
    #expect(log.lines == ["a 1", "a 2"])
    second.rootStore().dispatchAndWait(2)
    #expect(log.lines == ["a 1", "a 2", "b 1", "b 2"])
    #expect(executor.pending == 0)
    #expect(!executor.step(), "no work is left for the requested steps")
  }

  @Test func `a waiting task runs the earlier steps`() async {
    let log = Log()
    let factory = tree(log, "a")
    factory.rootStore().dispatch(1)
    await factory.rootStore().dispatchAndWait(2)
    #expect(log.lines == ["a 1", "a 2"])
    #expect(executor.pending == 0)
  }

  @Test func `a task that a callback starts and that waits immediately leaves its step to the executor`() async {
    let log = Log()
    let factory = tree(log, "reduced")
    let store = factory.rootStore()
    store.subscribe(
      observer: Observer { state in
        guard state == 1 else { return .active }
        Task.immediate { await store.dispatchAndWait(2) }
        log.add("started")
        return .dead
      }
    )
    store.dispatch(1)
    executor.step()
    executor.step()
    #expect(log.lines == ["reduced 1", "started"])
    #expect(executor.pending == 1)
    executor.step()
    #expect(log.lines == ["reduced 1", "started", "reduced 2"])
    #expect(executor.pending == 0)
  }

  @Test func `stepping inside a callback stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let executor = ManualExecutor()
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        interceptor: { action, dispatch in
          dispatch(action)
          executor.step()
        },
        qos: .utility,
        settings: TreeSettings(executor: executor),
        reducer: { _, _ in }
      )
      // Its higher quality of service wakes the tree a second time, so that it has a turn within its own step.
      let child = factory.childStore(initialState: 0, qos: .userInteractive) { (_: inout Int, _: Int) in }
      factory.rootStore().dispatch(1)
      child.dispatch(2)
      executor.run()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A manual executor was stepped or run inside a reducer"), "\(text)")
  }

  @Test func `stepping a main actor delivery elsewhere stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let executor = ManualExecutor()
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(executor: executor),
        reducer: { _, _ in }
      )
      let subscription = factory.observe(on: .main) { (_: Int) in }
      await Task.detached { executor.run() }.value
      withExtendedLifetime(subscription) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A manual executor reached a delivery for the main actor"), "\(text)")
  }

  @Test func `a round over states runs everything accepted before it`() async {
    let executor = ManualExecutor()
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(executor: executor)) { state, action in
      state += action
    }
    var seen: [Int] = []
    for await state in factory.states {
      seen.append(state)
      if state == 3 { break }
      factory.rootStore().dispatch(1)
    }
    #expect(seen == [0, 1, 2, 3])
    factory.rootStore().dispatch(1)
    #expect(await factory.state { $0 == 4 } == 4)
  }

  @Test(arguments: [false, true])
  func `stepping and counting in trees that wait for each other stop the program with a message`(steps: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [steps] in
      ManualExecutorTests.waitOnEachOther(steps: steps)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A callback of one tree of stores waits on a second tree"), "\(text)")
  }

  private static func waitOnEachOther(steps: Bool) {
    let (one, two) = (ManualExecutor(), ManualExecutor())
    let (inFirst, inSecond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let second = StoreFactory<Int, Int>(
      initialState: 0,
      qos: .background,
      settings: TreeSettings(executor: two),
      reducer: { _, _ in }
    )
    let first = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in
        inFirst.signal()
        inSecond.wait()
        if steps { two.step() } else { _ = two.pending }
      },
      settings: TreeSettings(executor: one),
      reducer: { _, _ in }
    )
    let store = first.rootStore()
    second.rootStore().subscribe(
      observer: Observer { _ in
        inSecond.signal()
        inFirst.wait()
        return store.state == nil ? .dead : .active
      }
    )
    store.dispatch(1)
    // Its higher quality of service wakes the tree a second time, so that it has a turn within its own step.
    let child = second.childStore(initialState: 0, qos: .userInteractive, reducer: { _, _ in })
    child.dispatch(1)
    let done = DispatchSemaphore(value: 0)
    for executor in [one, two] {
      DispatchQueue(label: "test").async {
        executor.step()
        done.signal()
      }
    }
    // If the program does not stop itself, it ends here with success.
    if done.wait(timeout: .now() + 3600) == .timedOut { exit(0) }
  }

  @Test func `a running tree's entries count after a nested step of another tree`() {
    let log = Log()
    let (first, second) = (tree(log, "first"), tree(log, "second"))
    let (one, two) = (first.rootStore(), second.rootStore())
    let executor = self.executor
    one.subscribe(
      observer: Observer { state in
        guard state == 1 else { return .active }
        one.dispatch(2)
        two.dispatch(3)
        log.add("pending \(executor.pending)")
        executor.step()
        log.add("pending \(executor.pending)")
        return .dead
      }
    )
    one.dispatch(1)
    executor.run()
    #expect(log.lines == ["first 1", "pending 2", "second 3", "pending 1", "first 2"])
  }

  @Test func `pending may be read inside a callback`() {
    let log = Log()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { [executor] action, _ in log.add("\(action): \(executor.pending)") },
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in }
    )
    for number in 1...3 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(log.lines == ["1: 2", "2: 1", "3: 0"])
  }

  @Test func `nothing is lost when the executor is released, because its trees continue by themselves`() {
    let log = Log()
    let done = DispatchSemaphore(value: 0)
    var executor: ManualExecutor? = ManualExecutor()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor!),
      reducer: { _, action in
        log.add("\(action)")
        done.signal()
      }
    )
    factory.rootStore().dispatch(1)
    executor = nil
    done.wait()
    factory.rootStore().dispatch(2)
    done.wait()
    #expect(factory.state == 0)
    #expect(log.lines == ["1", "2"])
    #expect(executor == nil)
  }

  @Test func `actions held by a test store that a callback released are reduced once its executor is released`() {
    let log = Log()
    let done = DispatchSemaphore(value: 0)
    _ = TestRunner.catching {
      var executor: ManualExecutor? = ManualExecutor()
      nonisolated(unsafe) var store: TestStore<Int, Int>?
      store = TestStore(initialState: 0, executor: executor, exhaustivity: .off) { (_: inout Int, action: Int) in
        log.add("\(action)")
        if action == 3 { done.signal() }
      }
      let base = store!.store()
      base.dispatch(1)
      // It finds the action held, and puts the tree aside.
      executor?.run()
      base.subscribe(
        observer: Observer { _ in
          base.dispatch(3)
          store = nil
          return .dead
        }
      )
      base.dispatchAndWait(2)
      executor = nil
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(log.lines == ["1", "2", "3"])
  }

  @Test func `an executor without work has nothing pending and no step to take`() {
    #expect(executor.pending == 0)
    #expect(!executor.step())
    let factory = tree(Log(), "a")
    factory.rootStore().dispatch(batch: [])
    #expect(executor.pending == 0)
    #expect(!executor.step())
    #expect(factory.state == 0)
  }

  @Test func `subscriptions and releases are separate steps, in order`() {
    let log = Log()
    let factory = tree(log, "root")
    var child: StoreObject<Int, Int>? = factory.childStore(
      initialState: 0,
      stateMapping: { $0 + $1 },
      reducer: { _, action in log.add("child \(action)") }
    )
    factory.rootStore().dispatch(1)
    factory.rootStore().subscribe(
      observer: Observer { state in
        log.add("observed \(state)")
        return .dead
      }
    )
    child?.dispatch(2)
    child = nil
    factory.rootStore().dispatch(3)
    for waiting in [4, 3, 2, 1, 0] {
      #expect(executor.step())
      #expect(executor.pending == waiting)
    }
    #expect(!executor.step())
    #expect(log.lines == ["root 1", "observed 1", "child 2", "root 2", "root 3"])
    #expect(child == nil)
  }

  @Test func `a step of one tree may give work to another`() {
    let log = Log()
    let second = tree(log, "b")
    let first = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, _ in second.rootStore().dispatch(action * 10) },
      settings: TreeSettings(executor: executor),
      reducer: { _, action in log.add("a \(action)") }
    )
    first.rootStore().dispatch(1)
    first.rootStore().dispatch(2)
    executor.run()
    #expect(log.lines == ["a 1", "b 10", "a 2", "b 20"])
  }

  @Test func `a waiting call leaves what its steps dispatch to the executor`() {
    let log = Log()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, dispatch in if action < 3 { dispatch(action + 1) } },
      settings: TreeSettings(executor: executor),
      reducer: { _, action in log.add("\(action)") }
    )
    factory.rootStore().dispatchAndWait(1)
    #expect(log.lines == ["1"])
    #expect(executor.pending == 1)
    executor.step()
    #expect(log.lines == ["1", "2"])
    #expect(executor.pending == 1)
    executor.run()
    #expect(log.lines == ["1", "2", "3"])
  }

  @Test func `objects released before their executor are reduced and freed anyway`() {
    let log = Log()
    let freed = DispatchSemaphore(value: 0)
    let object = { @Sendable in Object { freed.signal() } }
    var executor: ManualExecutor? = ManualExecutor()
    do {
      let (inState, inObserver, inAction) = (object(), object(), object())
      let factory = StoreFactory<Object, Object>(initialState: inState, settings: TreeSettings(executor: executor!)) {
        _, _ in log.add("root")
      }
      let child = factory.childStore(
        initialState: object(),
        stateMapping: { _, own in own },
        reducer: { _, _ in log.add("child") }
      )
      child.subscribe(observer: Observer { _ in withExtendedLifetime(inObserver) { .active } })
      factory.rootStore().dispatch(inAction)
      child.dispatch(batch: [object(), object()])
    }
    #expect(log.lines == [])
    executor = nil
    for _ in 1...6 { freed.wait() }
    #expect(log.lines == ["root", "child", "root", "child", "root"])
    #expect(executor == nil)
  }

  @MainActor
  @Test func `a delivery for the main actor that waits when the executor is released is made there`() async {
    var executor: ManualExecutor? = ManualExecutor()
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(executor: executor!)) { $0 += $1 }
    let (states, continuation) = AsyncStream<Int>.makeStream()
    let subscription = factory.observe(on: .main) { state in continuation.yield(state) }
    executor?.run()
    factory.dispatch(1)
    executor?.step()
    executor = nil
    for await state in states where state == 1 { break }
    subscription.cancel()
  }
}
