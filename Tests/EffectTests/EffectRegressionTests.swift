import Arbor
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Edge cases of effects and tasks")
struct EffectRegressionTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  func factory(
    effects: (@Sendable (_ state: [Int], _ action: Int) -> Effect<Int>)? = nil
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(effects: effects, reducer: appending),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  // MARK: What is sent before and after

  @Test func `O2 canceling a key reaches earlier dispatches that are waiting`() {
    let factory = factory { _, action in
      action == 1 ? .run(key: "load") { dispatch in dispatch(10) } : .none
    }
    let store = factory.rootStore()
    store.dispatch(1)
    store.cancel("load")
    store.dispatch(1)
    executor.run()
    #expect(factory.state == [1, 1, 10])
    store.dispatch(1)
    store.cancelAllTasks()
    store.task { dispatch in dispatch(2) }
    executor.run()
    #expect(factory.state == [1, 1, 10, 1, 2])
  }

  @Test func `O2 isRunning and settled take earlier dispatches into account`() async {
    let gate = Gate()
    let factory = factory { _, action in
      .run(key: action) { _ in await gate.pass() }
    }
    let store = factory.rootStore()
    store.dispatch(1)
    #expect(store.isRunning(1))
    store.dispatch(2)
    gate.open()
    await store.settled()
    #expect(!store.isRunning(2))
    #expect(executor.pending == 0)
  }

  @Test func `waiting calls of a task run the steps of a manual executor`() async throws {
    let factory = factory { _, action in
      action == 1 ? .merge(.send(2), .run { dispatch in dispatch(3) }, .concatenate(.send(4), .run { _ in })) : .none
    }
    let store = factory.rootStore()
    await store.perform(1)
    #expect(factory.state == [1, 2, 4, 3])
    #expect(try await store.task { _ in 5 }.value == 5)
    store.task { dispatch in dispatch(6) }
    await store.settled()
    #expect(factory.state.last == 6)
    var heard: [Int] = []
    let activities = store.activities(of: Int.self)
    store.emit(7)
    for await activity in activities {
      heard.append(activity)
      break
    }
    #expect(heard == [7])
  }

  @Test func `O5 canceling revokes actions of a task whose body has ended`() {
    let factory = factory()
    let store = factory.rootStore()
    let kept = RecordedValues<@Sendable (Int) -> Void>()
    store.task(key: 1) { dispatch in kept.append(dispatch) }
    executor.run()
    kept.values[0](1)
    executor.run()
    kept.values[0](2)
    store.cancel(1)
    kept.values[0](3)
    executor.run()
    #expect(factory.state == [1])
  }

  @Test func `a mode that drops other tasks silences those that have ended`() {
    let factory = factory()
    let store = factory.rootStore()
    let kept = RecordedValues<@Sendable (Int) -> Void>()
    store.task(key: 1) { dispatch in kept.append(dispatch) }
    executor.run()
    store.task(key: 1, mode: .dropCurrent) { dispatch in dispatch(2) }
    kept.values[0](1)
    executor.run()
    #expect(factory.state == [2])
  }

  @Test func `a value throws after the store is gone, even if the body ends before anything else`() async {
    let gate = Gate()
    var factory: StoreFactory<[Int], Int>? = factory()
    let task = factory?.rootStore().task { _ in
      await gate.pass()
      return 1
    }
    executor.run()
    gate.open()
    factory = nil
    executor.run()
    await #expect(throws: CancellationError.self) { try await task?.value }
  }

  @Test func `a task is found by an optional key`() {
    let factory = factory()
    let store = factory.rootStore()
    let (key, none): (String?, String?) = ("a", nil)
    store.task(key: key) { _ in }
    #expect(store.isRunning(key) && store.isRunning("a") && !store.isRunning(none))
    store.cancel(none)
    #expect(store.isRunning("a"))
    store.cancel(key)
    #expect(!store.isRunning("a"))
  }

  @TaskLocal static var local = 0

  @Test func `a task has neither the priority nor the task-local values of its starter`() async throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let store = factory.rootStore()
    let ofDetached = await Task.detached { Task.currentPriority }.value
    let (priority, local) = try await Self.$local.withValue(7) {
      try await Task(priority: .background) {
        try await store.task { _ in (Task.currentPriority, Self.local) }.value
      }.value
    }
    #expect(priority == ofDetached)
    #expect(local == 0)
    withExtendedLifetime(factory) {}
  }

  // MARK: Groups

  @Test func `a long concatenation and folded merges need no stack`() async {
    await #expect(processExitsWith: .success) {
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        feature: Feature(
          effects: { _, action in
            switch action {
            case -1: .concatenate((0..<100_000).map { _ in .send(1) })
            case -2: (0..<3000).reduce(Effect<Int>.none) { effect, _ in .merge(effect, .send(1)) }
            default: .none
            }
          },
          reducer: { state, action in state += max(action, 0) }
        )
      )
      await factory.rootStore().dispatchAndWait(-1)
      await factory.rootStore().dispatchAndWait(-2)
      precondition(factory.state == 103_000)
    }
  }

  @Test func `settled waits for a whole concatenation`() async {
    let (first, second) = (Gate(), Gate())
    let factory = factory { _, action in
      action == 1 ? .concatenate(.run { _ in await first.pass() }, .run { _ in await second.pass() }) : .none
    }
    let store = factory.rootStore()
    store.dispatch(1)
    #expect(await store.settled().count == 1)
    first.open()
    #expect(await store.settled().count == 1)
    second.open()
    #expect(await store.settled() == [])
  }

  @Test func `a perform that is canceled before its step starts nothing`() async {
    let factory = factory { _, action in
      switch action {
      case 1: .run(key: "search", mode: .debounce(.seconds(1))) { dispatch in dispatch(10) }
      case 2: .concatenate(.run { dispatch in dispatch(11) }, .send(12))
      case 3: .send(13)
      default: .none
      }
    }
    let store = factory.rootStore()
    for action in 1...3 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await store.perform(action)
      }
      await task.value
    }
    #expect(factory.state == [1, 2, 3])
    #expect(clock.sleepers == 0)
  }

  // MARK: Timers

  @Test func `timers of displaced tasks do not accumulate`() {
    let factory = factory()
    let store = factory.rootStore()
    for _ in 0..<1000 { store.task(key: 1, mode: .debounce(.seconds(3600))) { _ in } }
    #expect(clock.sleepers == 1)
    store.cancel(1)
    #expect(clock.sleepers == 0)
    store.task(key: 1, mode: .throttle(.seconds(3600), latest: true)) { _ in }
    executor.run()
    #expect(clock.sleepers == 1)
    store.cancelAllTasks()
    #expect(clock.sleepers == 0)
  }

  @Test func `a released store leaves no timers`() {
    var factory: StoreFactory<[Int], Int>? = factory()
    factory?.rootStore().task(key: 1, mode: .debounce(.seconds(1))) { _ in }
    factory?.rootStore().task(key: 2, mode: .throttle(.seconds(1), latest: false)) { _ in }
    executor.run()
    factory = nil
    executor.run()
    #expect(clock.sleepers == 0)
  }

  // MARK: Locks

  final class Key: Hashable, Sendable {
    let store: Store<[Int], Int>?

    init(_ store: Store<[Int], Int>?) { self.store = store }

    static func == (left: Key, right: Key) -> Bool {
      _ = left.store?.inspectTasks()
      return true
    }

    func hash(into hasher: inout Hasher) { _ = store?.inspectTasks() }

    deinit { store?.cancelAllTasks() }
  }

  @Test func `no key is compared, hashed or released under a lock`() {
    let factory = factory()
    let store = factory.rootStore()
    let gate = Gate()
    store.task(key: Key(store)) { _ in }
    store.task(key: Key(store), mode: .throttle(.seconds(1), latest: false)) { _ in await gate.pass() }
    store.task(key: Key(nil), mode: .waitInCurrent) { _ in }
    store.cancel(Key(store))
    executor.run()
    gate.open()
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(!store.isRunning(Key(nil)))
  }

  // MARK: Optional parts

  struct Whole: Sendable {
    var part: Int? = 1
  }

  func optional() -> StoreFactory<Whole, Int> {
    StoreFactory(initialState: Whole(), settings: TreeSettings(clock: clock, executor: executor)) { state, action in
      if action == 0 { state.part = nil }
      if action == 1 { state.part = 1 }
    }
  }

  @Test func `tasks of an optional part of a child end when the part it depends on becomes nil`() {
    let factory = optional()
    let gate = Gate()
    let child: StoreObject<(Int, Int), Int>? = factory.scopeStore(toOptional: \.part)
      .childStore(initialState: 0) { _, _ in }
    let scope = child?.scope(toOptional: { $0.0 }, action: { (action: Int) in action })
    scope?.task(key: 1) { _ in await gate.pass() }
    executor.run()
    #expect(scope?.isRunning(1) == true)
    factory.rootStore().dispatch(0)
    executor.run()
    #expect(scope?.isRunning(1) == false)
    gate.open()
    executor.run()
    withExtendedLifetime(child) {}
  }

  @Test func `tasks of a scope below an optional one end when the optional one becomes nil`() {
    let factory = optional()
    let gate = Gate()
    let scope = factory.scopeStore(toOptional: \.part).scope(to: { $0 }, action: { (action: Int) in action })
    scope.task(key: 1) { _ in await gate.pass() }
    executor.run()
    #expect(scope.isRunning(1))
    factory.rootStore().dispatch(0)
    executor.run()
    #expect(!scope.isRunning(1))
    gate.open()
    executor.run()
  }

  @Test(arguments: [false, true])
  func `a task started after the part's return survives`(hasLingering: Bool) {
    let factory = optional()
    let store = factory.rootStore()
    let gate = Gate()
    let scope = store.scope(toOptional: \.part, action: { (action: Int) in action })
    if hasLingering { scope.task { _ in await gate.pass() } }
    executor.run()
    store.dispatch(0)
    executor.run()
    store.dispatch(7)
    store.dispatch(1)
    scope.task(key: "new") { _ in await gate.pass() }
    executor.run()
    #expect(scope.isRunning("new"))
    store.dispatch(0)
    executor.run()
    #expect(!scope.isRunning("new"))
    gate.open()
    executor.run()
  }

  // MARK: Revoking while bodies end

  /// Returns how many actions of tasks with a key are reduced after a cancel on the store's queue, while their bodies
  /// end.
  func reduced(
    after cancel: @escaping @Sendable (Store<[Int], Int>, [StoreTask<Void>]) -> Void
  ) async -> Int {
    let (opening, tasks) = (DispatchSemaphore(value: 0), RecordedValues<StoreTask<Void>>())
    let stores = RecordedValues<Store<[Int], Int>>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      interceptor: { action, _ in
        guard action == -1, let store = stores.values.first else { return }
        opening.signal()
        cancel(store, tasks.values)
      },
      reducer: appending
    )
    let store = factory.rootStore()
    stores.append(store)
    let gates = (0..<200).map { _ in Gate() }
    for (number, gate) in gates.enumerated() {
      tasks.append(
        store.task(key: "key") { dispatch in
          await gate.pass()
          dispatch(number)
        }
      )
    }
    Thread {
      opening.wait()
      for gate in gates { gate.open() }
    }.start()
    store.dispatch(-1)
    await store.settled()
    return factory.state.filter { $0 >= 0 }.count
  }

  @Test func `O5 canceling on the queue also revokes actions of tasks that end at that moment`() async {
    for _ in 0..<10 {
      #expect(await reduced { store, _ in store.cancel("key") } == 0)
      #expect(await reduced { store, _ in store.cancelAllTasks() } == 0)
      #expect(await reduced { store, _ in store.task(key: "key", mode: .dropCurrent) { _ in } } == 0)
      #expect(await reduced { _, tasks in for task in tasks { task.cancel() } } == 0)
    }
  }

  @Test func `tasks of scopes are canceled with their store in the order of the oldest in each place`() async {
    struct Model: Sendable {
      var first = 0
      var second = 0
    }
    let cancelled = RecordedValues<String>()
    var factory: StoreFactory<Model, Int>? = StoreFactory(
      initialState: Model(), settings: TreeSettings(executor: executor)
    ) { _, _ in }
    let first = factory!.scopeStore(to: \.first)
    let second = factory!.scopeStore(to: \.second)
    func start(_ name: String, in store: Store<Int, Int>, _ duration: Duration) async {
      store.task(key: name) { _ in
        await withTaskCancellationHandler {
          try? await clock.sleep(for: duration)
        } onCancel: {
          cancelled.append(name)
        }
      }
      await executor.settle()
    }
    await start("short", in: first, .zero)
    await start("older", in: second, .seconds(1))
    await start("younger", in: first, .seconds(1))
    factory = nil
    await executor.settle()
    #expect(cancelled.values == ["older", "younger"])
  }
}

extension Store {
  fileprivate func inspectTasks() -> Bool { isRunning("none") }
}
