import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Suspended tasks")
struct SuspendedTaskTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let factory: StoreFactory<[Int], Int>
  var store: Store<[Int], Int> { factory.rootStore() }

  init() {
    factory = StoreFactory(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          action < 10 ? .run(key: "job", mode: .waitInCurrent) { dispatch in dispatch(action * 10) } : .none
        },
        reducer: appending
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  @Test func `a suspended key lets running tasks continue, and starts nothing until it is resumed`() {
    store.task(key: "job") { [clock] dispatch in
      try await clock.sleep(for: .seconds(1))
      dispatch(10)
    }
    executor.run()
    store.suspend("job")
    for number in [2, 3] { store.task(key: "job", mode: .waitInCurrent) { dispatch in dispatch(number * 10) } }
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(factory.state == [10])
    #expect(store.isRunning("job"))
    store.resume("job")
    executor.run()
    #expect(factory.state == [10, 20, 30])
    #expect(!store.isRunning("job"))
  }

  @Test func `a key is suspended for later tasks, including effects, and for no other key`() {
    store.suspend("job")
    store.dispatch(1)
    store.task(key: "other") { dispatch in dispatch(30) }
    executor.run()
    #expect(factory.state == [1, 30])
    store.resume("job")
    executor.run()
    #expect(factory.state == [1, 30, 10])
  }

  @Test func `a suspended task that is canceled never starts, and its key stays suspended`() async {
    store.suspend("job")
    let task = store.task(key: "job") { dispatch in dispatch(10) }
    store.cancel("job")
    await #expect(throws: CancellationError.self) { try await task.value }
    store.task(key: "job") { dispatch in dispatch(20) }
    executor.run()
    #expect(factory.state == [])
    store.resume("job")
    executor.run()
    #expect(factory.state == [20])
  }

  @Test func `resuming a key that is not suspended, or nil, does nothing`() {
    store.resume("job")
    store.suspend(nil)
    store.resume(nil)
    store.task(key: "job") { dispatch in dispatch(10) }
    executor.run()
    #expect(factory.state == [10])
  }

  @Test func `L2 a released store drops its suspended tasks`() async {
    var factory: StoreFactory<[Int], Int>? = StoreFactory(
      initialState: [], settings: TreeSettings(executor: executor), reducer: appending)
    let store = factory?.rootStore()
    store?.suspend("job")
    let task = store?.task(key: "job") { dispatch in dispatch(1) }
    factory = nil
    executor.run()
    store?.resume("job")
    await #expect(throws: CancellationError.self) { try await task?.value }
  }

  @Test func `L2 a suspended key of a place is released with the store, even if no owner closes it`() async {
    final class Key: Hashable, Sendable {
      let released: Object
      init(opening gate: Gate) { released = Object(whenFreed: gate.open) }
      static func == (left: Key, right: Key) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let gates = [Gate(), Gate()]
    do {
      let factory = StoreFactory(initialState: [], reducer: appending)
      factory.suspend(Key(opening: gates[0]), at: .part(\.first))
      let store = Store<[Int], Int>(dispatch: { _ in }, subscribe: { _ in })
      store.suspend(Key(opening: gates[1]), at: .part(\.first))
    }
    // A key that is kept never opens its gate.
    for gate in gates { await gate.pass() }
  }

  @Test func `if a key is suspended and resumed from many threads, each task runs once`() async {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let store = factory.rootStore()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            store.suspend("job")
            store.task(key: "job") { dispatch in dispatch(1) }
            store.resume("job")
          }
        }
      }
    }
    await store.settled()
    #expect(factory.state == 400)
  }
}
