import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Feature: tasks")
struct FeatureTaskTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let log = RecordedValues<String>()

  private func makeStore(_ state: Shop.State) -> StoreFactory<Shop.State, Shop.Action> {
    StoreFactory(
      initialState: state,
      feature: Shop.app(log: log, clock: clock),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  /// The lines of canceled tasks.
  private var cancelled: [String] { log.values.filter { $0.hasPrefix("cancelled") } }

  private func dispatch(_ actions: Shop.Action..., to factory: StoreFactory<Shop.State, Shop.Action>) {
    for action in actions { factory.dispatch(action) }
    executor.run()
  }

  private func advance(by seconds: Int) {
    clock.advance(by: .seconds(seconds))
    executor.run()
  }

  // MARK: F3

  @Test func `F3 while the part is nil the reducer and the effects are not called; actions pass interceptors`() {
    let intercepted = RecordedValues<Shop.CounterAction>()
    let passing = Interceptor<Shop.Counter, Shop.CounterAction> { action, _ in
      intercepted.append(action)
      return .drop
    }
    let factory = StoreFactory(
      initialState: Shop.State(),
      feature: Feature<Shop.State, Shop.Action>.combined(
        Shop.counter(interceptors: [passing], log: log)
          .scoped(toOptional: \.second, action: Shop.Action.second, extract: \.second),
        Shop.app(log: log)
      ),
      settings: TreeSettings(executor: executor)
    )
    dispatch(.second(.add(1)), .second(.load), to: factory)
    #expect(factory.state == Shop.State(total: 2))
    #expect(log.values.isEmpty)
    #expect(intercepted.values.isEmpty)
  }

  @Test func `F3 the tasks of an optional part are canceled and revoked in the step in which it becomes nil`() {
    let factory = makeStore(Shop.State(first: Shop.Counter(count: 1), second: Shop.Counter(count: 2)))
    dispatch(.first(.work), .second(.work), to: factory)
    factory.change { $0.second = nil }
    executor.run()
    #expect(cancelled == ["cancelled at 2"])
    factory.change { $0.second = Shop.Counter(count: 3) }
    advance(by: 1)
    #expect(factory.state.first.loaded == 1)
    #expect(factory.state.second == Shop.Counter(count: 3))
  }

  @Test func `F3 the tasks of a part inside an optional part are canceled with it`() {
    struct Outer: Sendable { var inner = Shop.Counter(count: 4) }
    struct Whole: Sendable { var outer: Outer? = Outer() }
    let feature = Feature<Whole, Shop.CounterAction>.combined(
      Shop.counter(log: log, clock: clock)
        .scoped(to: \Outer.inner, action: { $0 }, extract: { (action: Shop.CounterAction) in action })
        .scoped(toOptional: \.outer, action: { $0 }, extract: { $0 == .add(0) ? nil : $0 }),
      Feature { state, action in if action == .add(0) { state.outer = nil } }
    )
    let factory = StoreFactory(initialState: Whole(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatch(.work)
    executor.run()
    factory.dispatch(.add(0))
    executor.run()
    #expect(cancelled == ["cancelled at 4"])
  }

  @Test func `F3 a part with another id is another part, whose own tasks begin in the same step`() {
    struct Whole: Sendable {
      var row: Shop.Row? = Shop.Row(id: 1, counter: Shop.Counter(count: 1))
    }
    let feature = Feature<Whole, Shop.CounterAction>.combined(
      Feature { state, action in
        if case .add(let id) = action { state.row = Shop.Row(id: id, counter: Shop.Counter(count: id)) }
      },
      Feature<Shop.Row, Shop.CounterAction>(
        effects: { [log, clock] row, _ in
          .run(key: "work") { dispatch in
            do {
              try await clock.sleep(for: .seconds(1))
              dispatch(.loaded(row.id))
            } catch {
              log.append("cancelled at \(row.id)")
            }
          }
        },
        reducer: { row, action in if case .loaded(let number) = action { row.counter.loaded = number } }
      )
      .scoped(toOptional: \.row, action: { $0 }, extract: { if case .loaded = $0 { nil } else { $0 } })
    )
    let factory = StoreFactory(initialState: Whole(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatch(.load)
    executor.run()
    factory.dispatch(.add(2))
    executor.run()
    #expect(cancelled == ["cancelled at 1"])
    factory.dispatch(.add(2))
    executor.run()
    #expect(cancelled == ["cancelled at 1"])
  }

  @Test func `F3 the tasks of a removed element are canceled; one that moves keeps its own`() {
    let rows = (1...3).map { Shop.Row(id: $0, counter: Shop.Counter(count: $0)) }
    let factory = makeStore(Shop.State(rows: rows))
    dispatch(.row(1, .work), .row(2, .work), .row(3, .work), to: factory)
    factory.change { $0.rows = [$0.rows[2], $0.rows[0]] }
    executor.run()
    #expect(cancelled == ["cancelled at 2"])
    advance(by: 1)
    #expect(factory.state.rows.map(\.id) == [3, 1])
    #expect(factory.state.rows.map(\.counter.loaded) == [3, 1])
  }

  @Test func `F3 the tasks of a case are canceled when the enum has another case`() {
    let factory = makeStore(Shop.State(screen: .counter(Shop.Counter(count: 5))))
    dispatch(.screen(.counter(.add(1))), .screen(.counter(.work)), .screen(.row(.add(9))), to: factory)
    #expect(factory.state.screen == .counter(Shop.Counter(count: 6)))
    factory.change { $0.screen = .row(Shop.Row(id: 1)) }
    executor.run()
    #expect(cancelled == ["cancelled at 6"])
    dispatch(.screen(.row(.add(9))), to: factory)
    #expect(factory.state.screen == .row(Shop.Row(id: 1, counter: Shop.Counter(count: 9))))
  }

  @Test func `F3 later parts of a sequence do not begin once the part of the state is gone`() {
    let feature = Feature<Int, Int>(
      effects: { [log, clock] _, _ in
        .concatenate(
          .run { _ in try await clock.sleep(for: .seconds(1)) },
          .run { _ in log.append("second") }
        )
      }
    )
    let factory = StoreFactory<Int?, Int>(
      initialState: 1,
      feature: Feature<Int?, Int>.combined(
        feature.scoped(toOptional: \.self, action: { $0 }, extract: { $0 == 0 ? nil : $0 }),
        Feature { state, action in if action == 0 { state = nil } }
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(1)
    executor.run()
    factory.dispatch(0)
    executor.run()
    advance(by: 5)
    #expect(log.values.isEmpty)
  }

  @Test func `F3 a caller that waits for an action's effects resumes when they are canceled with their part`() async {
    let factory = makeStore(Shop.State(second: Shop.Counter(count: 2)))
    async let performed: Void = factory.perform(.second(.work))
    while log.values.isEmpty {
      await executor.settle()
      await Task.yield()
    }
    factory.change { $0.second = nil }
    await executor.settle()
    await performed
    #expect(cancelled == ["cancelled at 2"])
  }

  @Test(arguments: [false, true])
  func `F3 actions of an effect are revoked with its part, even after its tasks have ended`(isSequence: Bool) {
    struct Whole: Sendable { var row: Shop.Row? = Shop.Row(id: 1) }
    let store = RecordedValues<Store<Whole, Int>>()
    let sending = Effect<Int>.run { dispatch in
      store.values[0].dispatch(-2)
      dispatch(10)
    }
    let row = Feature<Shop.Row, Int>(
      effects: { _, action in
        switch action {
        case 1: isSequence ? .concatenate(sending, .run { _ in }) : sending
        case 2: .send(20)
        default: .none
        }
      },
      reducer: { row, action in row.counter.count += action }
    )
    let seen = RecordedValues<Int>()
    let factory = StoreFactory(
      initialState: Whole(),
      feature: Feature<Whole, Int>.combined(
        Feature { state, action in
          seen.append(action)
          if action < 0 { state.row = Shop.Row(id: -action) }
        },
        row.scoped(toOptional: \.row, action: { $0 }, extract: { $0 < 0 ? nil : $0 })
      ),
      settings: TreeSettings(executor: executor)
    )
    store.append(factory.rootStore())
    factory.dispatch(1)
    executor.run()
    #expect(seen.values == [1, -2])
    factory.dispatch(2)
    factory.dispatch(-3)
    executor.run()
    #expect(seen.values == [1, -2, 2, -3])
    #expect(factory.state.row == Shop.Row(id: 3))
  }

  // MARK: F4

  @Test func `F4 an element has an open window as long as it is open, even while no task runs`() {
    let row = Feature<Shop.Row, Int>(
      effects: { [log] row, _ in
        .run(key: "save", mode: .throttle(.seconds(1), latest: false)) { _ in log.append("saved \(row.counter.count)") }
      },
      reducer: { row, action in row.counter.count += action }
    )
    let factory = StoreFactory(
      initialState: [Shop.Row(id: 1), Shop.Row(id: 2)],
      feature: row.forEach(\[Shop.Row].self, action: { _, action in action }, extract: { ($0 < 10 ? 1 : 2, $0) }),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    for action in [1, 2, 10, 20] {
      factory.dispatch(action)
      executor.run()
    }
    #expect(log.values == ["saved 1", "saved 10"])
    clock.advance(by: .seconds(1))
    executor.run()
    factory.dispatch(3)
    executor.run()
    #expect(log.values == ["saved 1", "saved 10", "saved 6"])
  }

  @Test func `F4 two features of one store have separate keys`() {
    let factory = makeStore(
      Shop.State(
        first: Shop.Counter(count: 1),
        second: Shop.Counter(count: 2),
        rows: [Shop.Row(id: 1, counter: Shop.Counter(count: 3)), Shop.Row(id: 2, counter: Shop.Counter(count: 4))]
      )
    )
    dispatch(.first(.work), .second(.work), .row(1, .work), .row(2, .work), to: factory)
    dispatch(.second(.stop), .row(1, .stop), to: factory)
    advance(by: 1)
    #expect(Set(cancelled) == ["cancelled at 2", "cancelled at 3"])
    #expect(factory.state.first.loaded == 1)
    #expect(factory.state.rows[1].counter.loaded == 4)
  }

  @Test func `F4 a scope with actions to the same key path has the same keys, made before or after`() {
    let factory = makeStore(Shop.State(first: Shop.Counter(count: 1), second: Shop.Counter(count: 2)))
    let first = factory.scope(to: \.first, action: Shop.Action.first)
    dispatch(.first(.work), .second(.work), to: factory)
    #expect(first.isRunning("work"))
    #expect(!factory.isRunning("work"))
    factory.scope(toOptional: \.second, action: Shop.Action.second).cancel("work")
    first.cancel("work")
    executor.run()
    #expect(Set(cancelled) == ["cancelled at 1", "cancelled at 2"])
  }

  @Test func `F4 a place is the whole key path, no matter how many scopes lead there`() {
    struct Inner: Sendable { var counter = Shop.Counter(count: 7) }
    struct Outer: Sendable { var inner = Inner() }
    let feature = Shop.counter(log: log, clock: clock)
      .scoped(to: \Inner.counter, action: { $0 }, extract: { (action: Shop.CounterAction) in action })
      .scoped(to: \Outer.inner, action: { $0 }, extract: { (action: Shop.CounterAction) in action })
    let factory = StoreFactory(initialState: Outer(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatch(.work)
    executor.run()
    let direct = factory.scope(to: \.inner.counter) { (action: Shop.CounterAction) in action }
    let nested = factory.scope(to: \.inner) { (action: Shop.CounterAction) in action }
      .scope(to: \.counter) { (action: Shop.CounterAction) in action }
    #expect(direct.isRunning("work"))
    #expect(nested.isRunning("work"))
    factory.cancel("work", at: .part(\.inner.counter))
    executor.run()
    #expect(cancelled == ["cancelled at 7"])
  }

  @Test func `F4 keys of features are reached from above by their place, from a store and from an effect`() {
    let factory = makeStore(
      Shop.State(
        first: Shop.Counter(count: 1),
        second: Shop.Counter(count: 2),
        rows: [Shop.Row(id: 1, counter: Shop.Counter(count: 3)), Shop.Row(id: 2, counter: Shop.Counter(count: 4))]
      )
    )
    dispatch(.first(.work), .second(.work), .row(1, .work), .row(2, .work), to: factory)
    func areRunning() -> [Bool] {
      [
        factory.isRunning("work", at: .part(\.first)), factory.isRunning("other", at: .part(\.first)),
        factory.isRunning("work", at: .part(\.second)),
      ]
    }
    #expect(areRunning() == [true, false, true])
    factory.cancel("work", at: .part(\.first))
    executor.run()
    #expect(areRunning() == [false, false, true])
    factory.cancel("other", at: .part(\.second))
    factory.cancel(nil, at: .part(\.second))
    executor.run()
    #expect(cancelled == ["cancelled at 1"])
    let above = Feature<Shop.State, Shop.Action>(
      effects: { _, action in
        guard case .change = action else { return .none }
        return .merge(.cancel("work", at: .part(\Shop.State.second)), .cancel("work", at: .part(\Shop.State.first)))
      }
    )
    let other = StoreFactory(
      initialState: Shop.State(first: Shop.Counter(count: 5), second: Shop.Counter(count: 6)),
      feature: Feature<Shop.State, Shop.Action>.combined(Shop.app(log: log, clock: clock), above),
      settings: TreeSettings(executor: executor)
    )
    dispatch(.first(.work), .second(.work), to: other)
    other.change { $0.total = 0 }
    executor.run()
    #expect(Set(cancelled.dropFirst()) == ["cancelled at 5", "cancelled at 6"])
  }

  @Test func `F4 a task that has ended is known at its place as long as one of its actions waits`() {
    let feature = Feature<Int, Int>(
      effects: { [log] _, action in
        guard action == 1 else { return .none }
        return .run(key: "work") { dispatch in
          dispatch(10)
          log.append("sent")
        }
      },
      reducer: { $0 += $1 }
    )
    let factory = StoreFactory<[Int], Int>(
      initialState: [0],
      feature: feature.scoped(to: \.[0], action: { $0 }, extract: { $0 }),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(1)
    executor.run { !log.values.isEmpty }
    factory.cancel("work", at: .part(\.[0]))
    #expect(factory.state == [1])
  }

  // MARK: State effects

  @Test func `a state effect of a scoped feature follows its part, wherever it changes`() {
    struct Job: Equatable, Identifiable, Sendable {
      let id: Int
      var work = JobState()
    }
    struct Whole: Equatable, Sendable {
      var job: Job?
      var jobs: [Job] = []
    }
    struct Change: Sendable { let apply: @Sendable (inout Whole) -> Void }
    let job = Feature<Job, Change>(
      stateEffects: [
        StateEffect(\.work) { [log, clock] job in
          .run { _ in
            log.append("begins \(job.id)")
            do { try await clock.sleep(for: .seconds(1)) } catch { log.append("cancelled at \(job.id)") }
          }
        }
      ]
    )
    let factory = StoreFactory(
      initialState: Whole(jobs: [Job(id: 9)]),
      feature: Feature<Whole, Change>.combined(
        Feature { state, change in change.apply(&state) },
        job.scoped(toOptional: \.job, action: { $0 }, extract: { _ in nil }),
        job.forEach(\.jobs, action: { _, action in action }, extract: { _ in nil })
      ),
      settings: TreeSettings(executor: executor)
    )
    func change(_ apply: @escaping @Sendable (inout Whole) -> Void) {
      factory.dispatch(Change(apply: apply))
      executor.run()
    }
    change { $0.job = Job(id: 1) }
    change { $0.job?.work.run() }
    change { $0.jobs.append(Job(id: 2)) }
    change { for index in $0.jobs.indices { $0.jobs[index].work.run() } }
    #expect(log.values == ["begins 1", "begins 9", "begins 2"])
    change { $0.jobs.removeFirst() }
    change { $0.job = nil }
    #expect(cancelled == ["cancelled at 9", "cancelled at 1"])
    change { $0.jobs[0].work.cancel() }
    #expect(cancelled == ["cancelled at 9", "cancelled at 1", "cancelled at 2"])
  }
}
