import Arbor
import ArborTesting
import Dispatch
import Testing

@Suite("Schedules")
struct RandomScheduleTests {
  /// The order in which three tasks of a store run their two parts each.
  private func order(on executor: ManualExecutor) -> [String] {
    let log = Log()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    for name in ["a", "b", "c"] {
      factory.rootStore().task { _ in
        log.add(name)
        await Task.yield()
        log.add(name)
      }
    }
    executor.run()
    return log.lines
  }

  @Test func `without a seed steps run in the order of arrival`() {
    #expect(order(on: ManualExecutor()) == ["a", "b", "c", "a", "b", "c"])
  }

  @Test func `a seed gives one order, and other seeds give others`() {
    let orders = (0..<50).map { order(on: ManualExecutor(seed: $0)) }
    #expect(orders == (0..<50).map { order(on: ManualExecutor(seed: $0)) })
    #expect(Set(orders).count > 20)
    #expect(orders.allSatisfy { Set($0) == ["a", "b", "c"] && $0.count == 6 })
  }

  @Test func `choices repeat an order`() {
    for seed in 0..<20 as Range<UInt64> {
      let executor = ManualExecutor(seed: seed)
      let order = order(on: executor)
      #expect(self.order(on: ManualExecutor(choices: executor.choices)) == order)
    }
    #expect(order(on: ManualExecutor(choices: [2])) == ["c", "a", "b", "c", "a", "b"])
    #expect(order(on: ManualExecutor(choices: [99, -1])) == ["c", "a", "b", "c", "a", "b"])
  }

  @Test func `a mailbox and a queue keep their orders under each seed`() {
    for seed in 0..<50 as Range<UInt64> {
      let executor = ManualExecutor(seed: seed)
      let log = Log()
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(executor: executor),
        reducer: { $0 = $1 }
      )
      let subscription = factory.observe(on: .each(on: DispatchQueue(label: "deliveries"))) { (state: Int) in
        log.add("\(state)")
      }
      for action in 1...5 { factory.rootStore().dispatch(action) }
      executor.run()
      #expect(log.lines == ["0", "1", "2", "3", "4", "5"])
      subscription.cancel()
    }
  }

  @Test func `steps run until a condition holds`() {
    let executor = ManualExecutor()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let seen = Log()
    factory.rootStore().subscribe(
      observer: Observer { state in
        seen.add("\(state)")
        return .active
      }
    )
    for _ in 1...5 { factory.rootStore().dispatch(1) }
    #expect(executor.run { seen.lines.last == "2" })
    #expect(executor.pending == 3)
    #expect(!executor.run { false })
    #expect(executor.pending == 0)
  }

  @Test func `waiting work is printed`() async {
    let executor = ManualExecutor(seed: 7)
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let store = factory.rootStore()
    #expect("\(executor)" == "ManualExecutor: seed 7, 0 pending")
    store.dispatch(1)
    store.dispatch(batch: [2, 3])
    store.emit("hello")
    store.subscribe(observer: Observer { _ in .active })
    store.task { $0(4) }
    #expect(
      "\(executor)" == """
        ManualExecutor: seed 7, 5 pending
        tree 1:
          action 1
          batch 2, 3
          an activity
          a subscription
        a part of a task
        not ended: the task without a key, started by a store
        """
    )
    executor.run()
    #expect(factory.state == 10)
  }

  @Test func `held work is printed as held`() async {
    let executor = ManualExecutor()
    let store = TestStore(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action }
    store.store().dispatch(1)
    store.store().emit("hello")
    #expect(
      "\(executor)" == """
        ManualExecutor: 2 pending
        tree 1:
          action 1 to Int (held)
          an activity
        """
    )
    executor.run()
    #expect(executor.pending == 2)
    await store.receive(1) { $0 = 1 }
    await store.receive(activity: "hello")
    await store.finish()
    #expect(executor.pending == 0)
  }

  @Test func `tasks that leave the executor are waited for`() async {
    actor Elsewhere {
      func answer() -> Int { 42 }
    }
    let executor = ManualExecutor()
    let elsewhere = Elsewhere()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .run(key: "question") { dispatch in
            await dispatch(elsewhere.answer())
            let answer = await Task.detached { 7 }.value
            dispatch(answer)
          }
        },
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.rootStore().dispatch(1)
    await executor.settle(timeout: .generous)
    #expect(factory.state == 50)
    #expect(executor.pending == 0)
  }

  @Test func `a task that does not return is named`() async {
    let executor = ManualExecutor()
    let gate = AsyncStream<Void>.makeStream()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in action == 1 ? .run(key: "question") { _ in for await _ in gate.stream {} } : .none },
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.rootStore().dispatch(1)
    let text = await onlyFailure { await executor.settle(timeout: .milliseconds(1)) }
    #expect(
      text == """
        1 effect or task has not returned.

        Expected: work that has left the executor returns within 0.001 seconds
        Happened: the effect "question", started by 1: runs elsewhere: on another actor, in a callback, or in real time
        To fix this, make the event that it waits for happen in the test, use a clock that the test advances, or allow it more time with `timeout:`.
        """
    )
    gate.continuation.finish()
    await executor.settle(timeout: .generous)
    #expect(factory.state == 1)
  }
}
