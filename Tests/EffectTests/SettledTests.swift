import Arbor
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Settling of a tree")
struct SettledTests {
  /// Counts up to a number, one effect after the other.
  private static func counting(to last: Int) -> @Sendable ([Int], Int) -> Effect<Int> {
    { _, action in
      guard action < last else { return .none }
      return .run { dispatch in
        await Task.yield()
        dispatch(action + 1)
      }
    }
  }

  @Test func `settled waits for the whole cascade: actions, their effects, the actions of these, and so on`() async {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(effects: SettledTests.counting(to: 20), reducer: appending)
    )
    factory.dispatch(1)
    #expect(await factory.settled() == [])
    #expect(factory.state == Array(1...20))
  }

  @Test func `settled waits for tasks of children, scopes and features, on any store of the tree`() async {
    struct Part: Equatable, Sendable { var numbers: [Int] = [] }
    struct Whole: Equatable, Sendable { var part = Part() }
    let part = Feature<Part, Int>(
      effects: { _, action in action < 10 ? .concatenate(.run { $0(action + 1) }, .run { $0(20) }) : .none },
      reducer: { state, action in state.numbers.append(action) })
    let factory = StoreFactory<Whole, Int>(
      initialState: Whole(),
      feature: .combined(part.scoped(to: \.part, action: { $0 }, extract: { $0 })))
    let child = factory.childStore(initialState: [Int](), stateMapping: { _, own in own }, reducer: appending)
    let scope = child.scope(to: \.count, action: { (number: Int) in number })
    scope.task { dispatch in
      await Task.yield()
      dispatch(9)
    }
    #expect(await scope.settled() == [])
    #expect(factory.state.part.numbers == [9, 10, 20])
    #expect(child.state == [9], "the feature's effects send to the root")
  }

  @Test func `settled waits for the delay of a debounced subscription until the subscription ends`()
    async
  {
    let (executor, clock) = (ManualExecutor(), TestClock())
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: appending
    )
    let queue = DispatchQueue(label: "deliveries")
    var subscription: StoreSubscription? = factory.observe(on: .latest(on: queue, debounce: .seconds(5))) {
      (_: [Int]) in
    }
    executor.run()
    factory.dispatch(1)
    #expect(await factory.settled() == ["deliveries: 1"])
    subscription?.cancel()
    subscription = nil
    #expect(await factory.settled() == [])
  }

  @Test func `settled waits for deliveries to other queues`() async {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let (each, latest) = (RecordedValues<Int>(), RecordedValues<Int>())
    let queue = DispatchQueue(label: "deliveries")
    queue.suspend()
    let subscriptions = [
      factory.observe(on: .each(on: queue)) { (state: [Int]) in each.append(state.count) },
      factory.observe(on: .latest(on: queue)) { (state: [Int]) in latest.append(state.count) },
    ]
    await factory.dispatchAndWait(1)
    let wait = Task { [store = factory.rootStore()] in await store.settled() }
    wait.cancel()
    #expect(await wait.value == ["tasks or deliveries: 3"])
    queue.resume()
    #expect(await factory.settled() == [])
    #expect(each.values == [0, 1])
    #expect(latest.values == [1])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `an ongoing effect does not count`() async {
    let gate = Gate()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .merge(.run { $0(2) }, .run(key: "listen") { _ in await gate.pass() }.map { $0 }.ongoing)
        },
        reducer: appending
      )
    )
    factory.dispatch(1)
    #expect(await factory.settled() == [])
    #expect(factory.state == [1, 2])
    #expect(factory.isRunning("listen"))
    gate.open()
  }

  @Test func `an effect that runs while a condition holds does not count, nor does the delay of its retry`() async {
    struct Failure: Error {}
    let (executor, clock) = (ManualExecutor(), TestClock())
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        stateEffects: [
          StateEffect(while: { !$0.isEmpty }, retries: 1, backoff: .constant(.seconds(1))) { state in
            .run { dispatch in
              guard state.count > 1 else { throw Failure() }
              try await clock.sleep(for: .seconds(1))
            }
          }
        ],
        reducer: appending
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.dispatch(1)
    #expect(await factory.settled() == [], "the delay of the retry")
    factory.dispatch(2)
    clock.advance(by: .seconds(1))
    #expect(await factory.settled() == [], "the second attempt")
    #expect(clock.sleepers == 1)
  }

  @Test func `canceling the waiting task ends its wait, and no other`() async {
    let gate = Gate()
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let store = factory.rootStore()
    store.task { dispatch in
      await gate.pass()
      dispatch(1)
    }
    let waits = [Task { await store.settled() }, Task { await store.settled() }]
    waits[0].cancel()
    #expect(await waits[0].value == ["tasks or deliveries: 1"])
    gate.open()
    #expect(await waits[1].value == [])
    #expect(factory.state == [1])
  }

  @Test func `L3 a wait that has ended early keeps no tree alive`() async {
    let executor = ManualExecutor()
    weak var tree: Tree?
    do {
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        settings: TreeSettings(executor: executor),
        reducer: appending
      )
      tree = factory.rootStore().tree
      factory.suspend("job")
      factory.task(key: "job") { _ in }
      #expect(await factory.settled() == ["a task with the key \"job\""])
    }
    executor.run()
    #expect(tree == nil)
  }

  @Test func `on a manual executor settled runs the steps, and reports the rest when no step is left`() async {
    let (executor, clock) = (ManualExecutor(), TestClock())
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .run(key: "load") { dispatch in
            try await clock.sleep(for: .seconds(1))
            dispatch(2)
          }
        },
        reducer: appending
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.dispatch(1)
    #expect(await factory.settled() == ["a task with the key \"load\", started by 1"])
    #expect(factory.state == [1])
    clock.advance(by: .seconds(1))
    #expect(await factory.settled() == [])
    #expect(factory.state == [1, 2])
  }

  @Test func `a change that waits for quiet or for the end of an interval still counts`() async {
    let (executor, clock) = (ManualExecutor(), TestClock())
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: appending
    )
    let (debounced, limited) = (RecordedValues<[Int]>(), RecordedValues<[Int]>())
    let subscriptions = [
      factory.observe(initial: false, on: .latest(on: .global(), debounce: .seconds(1))) { debounced.append($0) },
      factory.observe(on: .latest(on: .global(), atMostEvery: .seconds(2))) { limited.append($0) },
    ]
    #expect(await factory.settled() == [])
    #expect(limited.values == [[]])
    factory.dispatch(1)
    #expect(await factory.settled() == ["deliveries: 2"])
    clock.advance(by: .seconds(1))
    #expect(await factory.settled() == ["deliveries: 1"])
    clock.advance(by: .seconds(1))
    #expect(await factory.settled() == [])
    #expect(debounced.values == [[1]] && limited.values == [[], [1]])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `settled waits for the delay before an attempt of a state effect`() async {
    let (executor, clock) = (ManualExecutor(), TestClock())
    let line: UInt = #line + 5
    let factory = StoreFactory<JobState, Int>(
      initialState: JobState(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.self) { job in .run { [number = job.attemptsBegun] dispatch in dispatch(number) } }
        ],
        reducer: { job, action in
          switch action {
          case 0: job.run(maxAttempts: 2, backoff: .constant(.seconds(1)))
          case 1: job.retryOrFail("once more")
          default: job.succeed()
          }
        }
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.dispatch(0)
    let effect = "the state effect at EffectTests/SettledTests.swift:\(line)"
    #expect(await factory.settled() == ["a task with no key, started by \(effect)"])
    #expect(factory.state.isInProgress)
    clock.advance(by: .seconds(1))
    #expect(await factory.settled() == [])
    #expect(!factory.state.isInProgress)
  }

  @Test(arguments: [false, true])
  func `a task of the tree that waits for it stops the program with a message`(isManual: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isManual] in
      let executor = ManualExecutor()
      let factory =
        isManual
        ? StoreFactory<[Int], Int>(
          initialState: [],
          settings: TreeSettings(executor: executor),
          reducer: appending
        )
        : StoreFactory<[Int], Int>(initialState: [], reducer: appending)
      let scope = factory.scopeStore(to: \.count).scope(to: { $0 }, action: { (number: Int) in number })
      let task = scope.task { [store = factory.rootStore()] _ in await store.settled() }
      executor.run()
      _ = try? await task.value
    }
    expect(result, contains: "settled was awaited by a task of the same tree of stores")
  }

  @Test func `many waiting callers, while others send, resume after everything accepted before their call`() async {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { _, action in action < 1_000 ? .run { $0(action + 1_000) } : .none },
        reducer: appending
      )
    )
    let store = factory.rootStore()
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          store.dispatch(number)
          await store.settled()
          #expect(store.state?.contains(number + 1_000) == true)
        }
      }
    }
    #expect(factory.state.count == 200)
  }

  @Test func `an idle tree has settled, even one whose owner is gone`() async {
    var factory: StoreFactory<[Int], Int>? = StoreFactory(initialState: [], reducer: appending)
    let store = factory!.rootStore()
    #expect(await store.settled() == [])
    factory = nil
    #expect(await store.settled() == [])
    let handMade = Store<Int, Int>(dispatch: { _ in }, subscribe: { _ in })
    #expect(await handMade.settled() == [])
  }

  @Test func `settled waits for tasks after the manual executor of the tree is released`() async {
    let gate = Gate()
    let factory: StoreFactory<[Int], Int>
    do {
      let executor = ManualExecutor()
      factory = StoreFactory(
        initialState: [],
        feature: Feature(
          effects: { _, action in
            guard action == 1 else { return .none }
            return .run { dispatch in
              await gate.pass()
              dispatch(2)
            }
          },
          reducer: appending
        ),
        settings: TreeSettings(executor: executor)
      )
      factory.dispatch(1)
    }
    let wait = Task { [store = factory.rootStore()] in await store.settled() }
    _ = await factory.state(where: { $0 == [1] })
    gate.open()
    #expect(await wait.value == [])
    #expect(factory.state == [1, 2])
  }

  @Test func `settled waits for the derived values and the deliveries of a closure-backed store`() async {
    let observers = RecordedValues<Observer<Int>>()
    let store = Store<Int, Int> { _ in
    } subscribe: { observer in
      observer.send(0) { _ in }
      observers.append(observer)
    }
    let queue = DispatchQueue(label: "deliveries")
    let seen = RecordedValues<Int>()
    let derived = store.derived { $0 * 2 }
    let subscriptions = [
      derived?.observe(on: .each(on: queue)) { seen.append($0) },
      store.observe(on: .each(on: queue)) { (state: Int) in seen.append(state) },
    ]
    #expect(await store.settled() == [])
    #expect(seen.values.sorted() == [0, 0])
    for observer in observers.values { observer.send(1) { _ in } }
    #expect(await store.settled() == [])
    #expect(seen.values.sorted() == [0, 0, 1, 2])
    withExtendedLifetime(subscriptions) {}
  }

  // MARK: Cancellation of the task that waits

  /// A wait for a task that ignores its cancellation.
  enum Wait: CaseIterable, Sendable {
    case settled, value
  }

  @Test(arguments: Wait.allCases, [true, false])
  func `the cancellation of a task ends its wait, and nothing else`(wait: Wait, comesBefore: Bool) async {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let (gate, start) = (Gate(), Gate())
    let task = factory.rootStore().task(key: 1) { dispatch in
      await gate.pass()
      dispatch(1)
    }
    let waiting = Task { [store = factory.rootStore()] in
      if comesBefore { await start.pass() }
      switch wait {
      case .settled: await store.settled()
      case .value: await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
    if !comesBefore { await Task.yield() }
    waiting.cancel()
    start.open()
    await waiting.value
    #expect(factory.rootStore().isRunning(1))
    gate.open()
    try? await task.value
    #expect(factory.state == [1])
  }
}
