import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Monitors")
struct MonitorTests {
  private struct Own: Sendable, Equatable {
    var actions: [Int] = []
  }

  private struct Refusal: Error {}

  private let executor = ManualExecutor()

  private func factory(
    _ monitors: any StoreMonitor...,
    interceptors: [Interceptor<[Int], Int>] = []
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(interceptors: interceptors, reducer: { $0.append($1) }),
      settings: TreeSettings(monitors: monitors, executor: executor)
    )
  }

  /// The action at the beginning of a watcher's line; nil if the line is not about an action.
  private static func action(in line: String) -> Int? {
    line.split(separator: " ").first.flatMap { Int($0) }
  }

  @Test func `each action is reported after its observers were called, in order with all other events`() {
    let watcher = Watcher()
    let order = RecordedValues<String>()
    do {
      let factory = factory(watcher)
      let child = factory.childStore(initialState: Own(), reducer: { $0.actions.append($1) })
      child.store()
        .subscribe(
          observer: Observer { _, own in
            order.append("\(own.actions) after \(watcher.lines.values.count)")
            return own.actions.count < 2 ? .active : .dead
          }
        )
      child.dispatch(1)
      factory.rootStore().dispatch(2)
      child.dispatch(3)
      child.dispatch(batch: [4, 5])
      executor.run()
      #expect(factory.state == [1, 2, 3, 4, 5])
    }
    executor.run()
    #expect(
      watcher.lines.values == [
        "+ store Array<Int>", "+ store Own", "+ observer of Own", "1 to Own: reduced", "2 to Array<Int>: reduced",
        "- observer of Own", "3 to Own: reduced", "4 to Own: reduced …", "5 to Own: reduced", "- store Own",
        "- store Array<Int>",
      ]
    )
    #expect(order.values == ["[] after 3", "[1] after 3", "[1] after 4", "[1, 3] after 5"])
  }

  @Test func `replaced or dropped actions are reported as such`() {
    let watcher = Watcher()
    let factory = factory(
      watcher,
      interceptors: [
        Interceptor { action, context in
          if action == 4 { context.dispatch(40) }
          return action == 2 ? .replace(with: 20) : action == 3 ? .drop : .pass
        }
      ]
    )
    let child = factory.childStore(initialState: Own(), reducer: { $0.actions.append($1) })
    for action in 1...4 { child.dispatch(action) }
    child.dispatch(batch: [3, 2, 3])
    executor.run()
    #expect(
      watcher.lines.values.filter { $0.contains(" to ") } == [
        "1 to Own: reduced", "2 to Own: replaced by 20", "3 to Own: dropped", "4 to Own: reduced",
        "3 to Own: dropped …",
        "2 to Own: replaced by 20 …", "3 to Own: dropped", "40 to Own: reduced",
      ]
    )
    #expect(factory.state == [1, 20, 4, 20, 40])
  }

  @Test func `actions of a canceled task are reported as revoked`() async {
    let watcher = Watcher()
    let factory = factory(watcher)
    let store = factory.rootStore()
    let task = store.task { dispatch in
      dispatch(1)
      dispatch(2)
    }
    while executor.pending > 0, watcher.lines.values.last != "started a task of Array<Int>" { executor.step() }
    // The task's body runs, and then the actions that it has sent wait.
    while executor.pending > 0, executor.pending < 2 { executor.step() }
    task.cancel()
    executor.run()
    #expect(watcher.lines.values.filter { $0.hasSuffix(": revoked") }.count == 2)
    #expect(factory.state == [])
  }

  @Test func `failed commits are reported as failed, and make no step`() {
    let watcher = Watcher()
    struct Model: Sendable {
      var part: Int?
    }
    let store = CommitStore(initialState: Model(), settings: TreeSettings(monitors: [watcher], executor: executor))
    store.commit(named: "first") { $0.part = nil }
    #expect(throws: Refusal.self) { try store.commit(named: "second") { _ in throw Refusal() } }
    #expect(store.scope(atOptional: \.part).commit(named: "third", { $0 += 1 }) == nil)
    store.scope(atOptional: \.part).commitLater(named: "fourth") { $0 += 1 }
    executor.run()
    #expect(
      watcher.lines.values.dropFirst() == [
        "first to Model: reduced", "second to Model: failed", "third to Model: failed", "fourth to Model: failed",
      ]
    )
  }

  @Test(arguments: ["dispatch", "batch", "wait", "await", "perform"])
  func `durations use the tree's clock, no matter how an action arrives`(way: String) async throws {
    let clock = TestClock()
    let watcher = Watcher()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptor: { _, _ in clock.advance(by: .seconds(10)) },
        effects: { _, _ in
          clock.advance(by: .seconds(40_000))
          return .none
        },
        reducer: { state, action in
          clock.advance(by: .seconds(200))
          state.append(action)
        }
      ),
      settings: TreeSettings(clock: clock, monitors: [watcher], executor: executor)
    )
    factory.rootStore()
      .subscribe(
        observer: Observer { state in
          if !state.isEmpty { clock.advance(by: .seconds(3000)) }
          return .active
        }
      )
    executor.run()
    clock.advance(by: .seconds(5))
    let store = factory.rootStore()
    switch way {
    case "dispatch": store.dispatch(1)
    case "batch": store.dispatch(batch: [1])
    case "await": await store.dispatchAndWait(1)
    case "perform": await store.perform(1)
    default: waitFor(store)
    }
    let isWaited = executor.pending > 0
    if isWaited { clock.advance(by: .seconds(7)) }
    executor.run()
    let times = try #require(watcher.times.values.first ?? nil)
    #expect(times.accepted == .seconds(5))
    #expect(times.waited == (isWaited ? .seconds(7) : .zero))
    #expect(times.intercepted == .seconds(10))
    #expect(times.reduced == .seconds(200))
    #expect(times.performed == .seconds(40_000))
    #expect(times.delivered == .seconds(3000))
  }

  private func waitFor(_ store: Store<[Int], Int>) {
    store.dispatchAndWait(1)
  }

  @Test func `times are read for a sample of the actions, at the lowest rate that a monitor requests`() {
    for (intervals, expected) in [([4], 3), ([4, 2], 5), ([0], 0), ([0, 5], 2), ([1, 0], 10), ([-1], 0)] {
      let watchers = intervals.map { Watcher(timingInterval: $0) }
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        settings: TreeSettings(monitors: watchers, executor: executor),
        reducer: { $0.append($1) }
      )
      for action in 1...10 { factory.rootStore().dispatch(action) }
      executor.run()
      for watcher in watchers {
        #expect(watcher.times.values.count == 10)
        #expect(watcher.times.values.compactMap(\.self).count == expected)
      }
    }
  }

  @Test func `states are kept only for the actions for which they are wanted`() throws {
    let watcher = Watcher(wanting: { $0 as? Int == 2 })
    let factory = factory(watcher, interceptors: [Interceptor { $0 == 2 && $1.state.count > 3 ? .drop : .pass }])
    let child = factory.childStore(
      initialState: Own(),
      stateMapping: { root, _ in
        Issue.record("nobody listens")
        return root
      },
      reducer: { $0.actions.append($1) }
    )
    child.dispatch(1)
    child.dispatch(2)
    factory.rootStore().dispatch(2)
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(watcher.states.values.map(\.count) == [0, 2, 1, 0, 0])
    let transitions = watcher.states.values[1]
    #expect(transitions[0].store.description == "Own")
    #expect(transitions[0].before as? Own == Own(actions: [1]))
    #expect(transitions[0].after as? Own == Own(actions: [1, 2]))
    #expect(transitions[1].store.id == transitions[0].store.parent)
    #expect(transitions[1].before as? [Int] == [1])
    #expect(transitions[1].after as? [Int] == [1, 2])
  }

  @Test func `S1 a monitor that wants no states keeps none`() {
    let addresses = RecordedValues<Int>()
    let factory = StoreFactory<[Int], Int>(
      initialState: Array(repeating: 0, count: 1000),
      settings: TreeSettings(monitors: [Watcher()], executor: executor),
      reducer: { state, action in
        state[action] += 1
        state.withUnsafeBufferPointer { addresses.append(Int(bitPattern: $0.baseAddress)) }
      }
    )
    for action in 0..<3 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(addresses.values.count == 3 && Set(addresses.values).count == 1)
  }

  @Test func `O3 actions that a monitor dispatches go after the waiting work, and nothing recurses`() {
    let stores = RecordedValues<Store<[Int], Int>>()
    let watcher = Watcher(react: { line in
      guard let action = MonitorTests.action(in: line), action < 100_000, action % 10 == 0 else { return }
      stores.values[0].dispatch(action + 10)
    })
    let factory = factory(watcher)
    stores.append(factory.rootStore())
    factory.rootStore().dispatch(0)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(factory.state.count == 10_002)
    #expect(factory.state.prefix(4) == [0, 1, 10, 20])
  }

  @Test func `O2 a slow monitor does not change the order`() {
    let watcher = Watcher(react: { line in for _ in 0..<100 { _ = line.hashValue } })
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(monitors: [watcher]),
      reducer: { $0.append($1) }
    )
    onThreads(4) { number in
      for action in 0..<100 { factory.rootStore().dispatch(number * 1000 + action) }
    }
    let actions = factory.state
    let told = watcher.lines.values.compactMap { MonitorTests.action(in: $0) }
    #expect(told == actions)
    #expect(actions.count == 400)
  }

  @Test func `tasks are reported with their keys: begun, finished, failed, canceled`() async {
    let watcher = Watcher()
    let gate = Gate()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in
          .run(key: action) { _ in
            if action == 2 { throw Refusal() }
            if action == 3 { await gate.pass() }
          }
        },
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(monitors: [watcher], onEffectError: { _, _, _ in }, executor: executor)
    )
    let store = factory.rootStore()
    for action in 1...2 { await store.perform(action) }
    store.dispatch(3)
    executor.run()
    store.cancel(3)
    gate.open()
    await store.settled()
    executor.run()
    let tasks = watcher.lines.values.filter { !$0.contains(" to ") && !$0.contains("store") }
    #expect(
      tasks == [
        "started 1 of Int", "finished 1 of Int", "started 2 of Int", "failed 2 of Int: Refusal()", "started 3 of Int",
        "cancelled 3 of Int",
      ]
    )
  }

  @Test func `activities are reported before they are delivered`() {
    let watcher = Watcher()
    let factory = factory(watcher)
    let child = factory.childStore(initialState: Own(), reducer: { _, _ in })
    let heard = factory.observe(activities: String.self) { text in
      watcher.lines.append("heard \(text)")
    }
    child.emit("hello")
    executor.run()
    withExtendedLifetime(heard) {}
    #expect(watcher.lines.values.suffix(2) == ["hello in Own", "heard hello"])
  }

  @Test func `observers that end elsewhere, or before their turn, are reported once or not at all`() {
    let watcher = Watcher()
    let factory = factory(watcher)
    var kept: StoreSubscription? = factory.observe { (_: [Int]) in }
    executor.run()
    kept = nil
    executor.run()
    kept = factory.observe(initial: false) { (_: [Int]) in }
    kept = nil
    executor.run()
    withExtendedLifetime(kept) {}
    #expect(
      watcher.lines.values.dropFirst() == ["+ observer of Array<Int>", "- observer of Array<Int>"]
    )
  }

  @Test func `large actions, and actions of a scope's own type, are reported as they were sent`() {
    struct Big: Sendable, CustomStringConvertible {
      var numbers = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      var more = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      var evenMore = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      var description: String { "Big(\(evenMore.28))" }
    }
    let watcher = Watcher()
    let factory = StoreFactory<Int, Big>(
      initialState: 0,
      settings: TreeSettings(monitors: [watcher], executor: executor),
      reducer: { $0 = $1.evenMore.28 }
    )
    let embed: @Sendable (Int) -> Big = { number in
      var big = Big()
      big.evenMore.28 = number
      return big
    }
    let scope = factory.rootStore().scope(to: \.self, action: embed)
    scope.dispatch(7)
    scope.dispatch(batch: [8, 9])
    executor.run()
    #expect(factory.state == 9)
    #expect(
      watcher.lines.values.dropFirst() == [
        "Big(7) to Int: reduced", "Big(8) to Int: reduced …", "Big(9) to Int: reduced",
      ]
    )
  }

  @Test func `L2 a tree with monitors is freed like any other, and its monitors with it`() {
    let freed = RecordedValues<Int>()
    do {
      let object = Object { freed.append(1) }
      let watcher = Watcher(react: { _ in withExtendedLifetime(object) {} })
      let factory = factory(watcher)
      let child = factory.childStore(initialState: Own(), reducer: { _, _ in })
      child.dispatch(1)
    }
    executor.run()
    #expect(freed.values == [1])
  }

  @Test func `L3 a monitor may hold stores of its tree`() {
    let freed = RecordedValues<Int>()
    let gate = Gate()
    do {
      let stores = RecordedValues<Store<[Int], Int>>()
      let object = Object { freed.append(1) }
      let watcher = Watcher(react: { _ in withExtendedLifetime(object) { _ = stores.values.count } })
      let factory = factory(watcher)
      stores.append(factory.rootStore())
      let task = factory.rootStore().task { _ in await gate.pass() }
      executor.run()
      withExtendedLifetime((factory, task)) {}
    }
    gate.open()
    executor.run()
    #expect(freed.values == [1])
  }

  @Test func `a store is reported before its tasks, even if they begin with it`() async {
    struct Model: Sendable {
      var job = JobState()
    }
    var model = Model()
    model.job.run()
    for _ in 0..<100 {
      let watcher = Watcher()
      let gate = Gate()
      let factory = StoreFactory<Model, Int>(
        initialState: model,
        feature: Feature(
          stateEffects: [StateEffect(\.job) { _ in .run { _ in await gate.pass() } }],
          reducer: { _, _ in }
        ),
        settings: TreeSettings(monitors: [watcher])
      )
      gate.open()
      await factory.rootStore().settled()
      _ = factory.state
      #expect(watcher.lines.values.first == "+ store Model")
    }
  }

  @Test func `a task is reported to begin before it is reported as canceled, no matter where it is canceled`() async {
    let watcher = Watcher()
    let factory = factory(watcher)
    let store = factory.rootStore()
    let isRunning = Gate()
    let gate = Gate()
    let first = store.task(key: "k") { _ in
      await withTaskCancellationHandler {
        isRunning.open()
        await gate.pass()
      } onCancel: {
        store.cancel("k")
      }
    }
    executor.run()
    await isRunning.pass()
    let second = store.task(key: "k", mode: .dropCurrent) { _ in }
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await second.value }
    await store.settled()
    executor.run()
    let tasks = watcher.lines.values.filter { $0.hasSuffix("k of Array<Int>") }
    #expect(
      tasks == [
        "started k of Array<Int>", "cancelled k of Array<Int>", "started k of Array<Int>",
        "cancelled k of Array<Int>",
      ])
  }

  @Test func `observers end with their store, and are not reported twice`() {
    let watcher = Watcher()
    var factory: StoreFactory<[Int], Int>? = factory(watcher)
    let subscription = factory?.observe { (_: [Int]) in }
    executor.run()
    factory?.rootStore().dispatch(1)
    subscription?.cancel()
    factory = nil
    executor.run()
    #expect(watcher.lines.values.last == "- store Array<Int>")
    #expect(watcher.lines.values.filter { $0.hasPrefix("- ") }.count == 1)
  }

  @Test(.reports("used after its owner was released"))
  func `a monitor that releases the factory when an observer is made prevents its call`() {
    let kept = RecordedValues<StoreFactory<[Int], Int>>()
    let watcher = Watcher(react: { if $0.hasPrefix("+ observer") { kept.removeAll() } })
    kept.append(factory(watcher))
    let store = kept.values[0].rootStore()
    store.subscribe(
      observer: Observer { _ in
        Issue.record("its store is gone")
        return .active
      })
    executor.run()
    #expect(store.state == nil)
  }

  @Test func `durations of a clock that goes backward are zero, not negative`() throws {
    let clock = TestClock()
    let watcher = Watcher()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in clock.advance(by: .seconds(-5)) },
      settings: TreeSettings(clock: clock, monitors: [watcher], executor: executor),
      reducer: { $0 += $1 }
    )
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(try #require(watcher.times.values[0]).intercepted == .zero)
  }
}
