import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Effects")
struct EffectTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  struct Search: Equatable, Sendable {
    var query = ""
    var found: [String] = []
    var searches = 0
  }

  enum SearchAction: Equatable, Sendable {
    case type(String)
    case search
    case found(String)
    case leave
  }

  static let reducer: Reducer<Search, SearchAction> = { state, action in
    switch action {
    case .type(let text): state.query = text
    case .search: state.searches += 1
    case .found(let text): state.found.append(text)
    case .leave: state.query = ""
    }
  }

  func search(mode: TaskMode, finding: @escaping @Sendable (String) async throws -> String) -> StoreFactory<
    Search, SearchAction
  > {
    StoreFactory(
      initialState: Search(),
      feature: Feature(
        effects: { state, action in
          switch action {
          case .search:
            .run(key: "search", mode: mode) { [query = state.query] dispatch in
              dispatch(.found(try await finding(query)))
            }
          case .leave: .cancel("search")
          default: .none
          }
        },
        reducer: Self.reducer
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  // MARK: When effects are asked

  @Test func `an effect is requested after all reducers, with the new state, and before the observers`() {
    let log = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { state, action in
          log.append("root's effect of \(action) in \(state)")
          return .none
        },
        reducer: { state, action in
          log.append("root reduces")
          state += action
        }
      ),
      settings: TreeSettings(executor: executor)
    )
    let child = factory.childStore(
      initialState: 10,
      stateMapping: { ($0, $1) },
      feature: Feature(
        effects: { state, action in
          log.append("child's effect of \(action) in \(state)")
          return .none
        },
        reducer: { (state: inout Int, action: Int) in
          log.append("child reduces")
          state += action
        }
      )
    )
    child.subscribe(
      observer: Observer { state in
        log.append("observer sees \(state)")
        return .active
      }
    )
    executor.run()
    log.removeAll()
    child.dispatch(1)
    executor.run()
    #expect(
      log.values == [
        "child reduces", "root reduces", "child's effect of 1 in 11", "root's effect of 1 in 1",
        "observer sees (1, 11)",
      ]
    )
  }

  @Test func `O3 actions that an effect sends go after the waiting ones`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(effects: { _, action in action < 10 ? .send(action * 10) : .none }, reducer: appending),
      settings: TreeSettings(executor: executor)
    )
    for action in [1, 2] { factory.rootStore().dispatch(action) }
    factory.rootStore().dispatch(batch: [3, 4])
    executor.run()
    #expect(factory.state == [1, 2, 3, 4, 10, 20, 30, 40])
  }

  @Test func `an effect above an embedding receives the child's action in its own type`() {
    enum Whole: Sendable { case part(Int) }
    let factory = StoreFactory<[Int], Whole>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          if case .part(let number) = action, number < 10 { .send(.part(number + 10)) } else { .none }
        },
        reducer: { state, action in
          if case .part(let number) = action { state.append(number) }
        }
      ),
      settings: TreeSettings(executor: executor)
    )
    let child = factory.rootStore().scope(to: { $0 }, action: Whole.part)
      .childStore(initialState: []) { (state: inout [Int], action: Int) in state.append(action) }
    child.dispatch(1)
    executor.run()
    #expect(factory.state == [1, 11])
    #expect(child.state?.1 == [1])
  }

  @Test func `a dropped action starts no effects`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptors: [Interceptor { action, _ in action == 1 ? .drop : .replace(with: 3) }],
        effects: { _, action in action < 10 ? .send(action * 10) : .none },
        reducer: { state, action in state.append(action) }
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.step()
    executor.step()
    #expect(executor.pending == 1)
    #expect(factory.state.first == 3)
  }

  // MARK: Tasks

  @Test func `a task sends actions to the store that has the effect`() {
    let factory = search(mode: .parallel) { $0 + "!" }
    let store = factory.rootStore()
    for action in [.type("a"), .search, .type("b"), .search] as [SearchAction] { store.dispatch(action) }
    executor.run()
    #expect(factory.state.found == ["a!", "b!"])
  }

  @Test func `search as you type runs one search, with the last query, read from the new state`() async {
    let store = TestStore(
      initialState: Search(),
      effects: { state, action in
        guard case .type = action else { return .none }
        return .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
          dispatch(.found(query + "!"))
        }
      },
      clock: clock,
      reducer: Self.reducer
    )
    for query in (1...10).map({ String(repeating: "x", count: $0) }) {
      await store.send(.type(query)) { $0.query = query }
      clock.advance(by: .milliseconds(299))
    }
    clock.advance(by: .milliseconds(1))
    await store.receive(.found("xxxxxxxxxx!")) { $0.found = ["xxxxxxxxxx!"] }
    await store.finish()
    #expect(clock.sleepers == 0)
  }

  @Test
  func `of ten tasks that drop the current one, only the last sends, even if none heeds cancellation`() {
    let gates = (0..<10).map { _ in Gate() }
    let factory = search(mode: .dropCurrent) { [gates] query in
      await gates[Int(query)!].pass()
      return query
    }
    let store = factory.rootStore()
    for number in 0..<10 {
      store.dispatch(.type("\(number)"))
      store.dispatch(.search)
      executor.run()
    }
    for gate in gates { gate.open() }
    executor.run()
    #expect(factory.state.found == ["9"])
    #expect(factory.state.searches == 10)
    #expect(!store.isRunning("search"))
  }

  @Test func `waiting actions of a dropped task are not reduced`() {
    let factory = search(mode: .dropCurrent) { $0 }
    let store = factory.rootStore()
    store.dispatch(.type("a"))
    store.dispatch(.search)
    // Two steps, and one for the task, whose action and end are now waiting.
    for _ in 1...3 { executor.step() }
    #expect(executor.pending == 2)
    store.dispatch(.leave)
    // Overtaking the action: the call takes effect immediately, not in its turn.
    store.cancel("search")
    executor.run()
    #expect(factory.state.found == [])
  }

  @Test func `tasks that wait for the current one run one by one, even if the first was canceled`() async {
    let gates = (0..<3).map { _ in Gate() }
    let running = RecordedValues<String>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { [gates] _, action in
          guard action < 10 else { return .none }
          return .run(key: 1, mode: .waitInCurrent) { dispatch in
            running.append("begin \(action)")
            await gates[action].pass()
            running.append("end \(action)")
            dispatch(action + 10)
          }
        },
        reducer: appending
      ),
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    for action in 0..<3 { store.dispatch(action) }
    executor.run()
    #expect(running.values == ["begin 0"])
    gates[0].open()
    executor.run()
    #expect(running.values == ["begin 0", "end 0", "begin 1"])
    gates[1].open()
    gates[2].open()
    executor.run()
    #expect(running.values == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
    #expect(factory.state == [0, 1, 2, 10, 11, 12])
  }

  @Test func `a waiting task begins only when the body of a canceled one has ended`() {
    let gates = (0..<2).map { _ in Gate() }
    let running = RecordedValues<String>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: appending
    )
    let store = factory.rootStore()
    let tasks = gates.enumerated().map { number, gate in
      store.task(key: "one at a time", mode: .waitInCurrent) { _ in
        running.append("begin \(number)")
        await gate.pass()
        running.append("end \(number)")
      }
    }
    executor.run()
    tasks[0].cancel()
    executor.run()
    #expect(running.values == ["begin 0"])
    gates[0].open()
    executor.run()
    #expect(running.values == ["begin 0", "end 0", "begin 1"])
    gates[1].open()
    executor.run()
    #expect(running.values.last == "end 1")
  }

  @Test func `a new task is ignored if the current one is kept`() async throws {
    let gate = Gate()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: appending
    )
    let store = factory.rootStore()
    let first = store.task(key: 1, mode: .keepCurrent) { dispatch in
      await gate.pass()
      dispatch(1)
      return "first"
    }
    let second = store.task(key: 1, mode: .keepCurrent) { dispatch in
      dispatch(2)
      return "second"
    }
    await #expect(throws: CancellationError.self) { try await second.value }
    executor.run()
    gate.open()
    executor.run()
    #expect(try await first.value == "first")
    #expect(factory.state == [1])
  }

  /// A store whose actions below ten have a throttled effect that sends an action that is ten higher.
  private func throttled(latest: Bool) -> TestStore<[Int], Int> {
    TestStore(
      initialState: [],
      effects: { _, action in
        guard action < 10 else { return .none }
        return .run(key: 1, mode: .throttle(.seconds(1), latest: latest)) { dispatch in dispatch(action + 10) }
      },
      clock: clock,
      reducer: { state, action in if action >= 10 { state.append(action) } }
    )
  }

  @Test func `a throttle that keeps the latest delivers it at the end of the window`() async {
    let store = throttled(latest: true)
    await store.send(1)
    await store.receive(11) { $0 = [11] }
    await store.send(2)
    await store.send(3)
    clock.advance(by: .milliseconds(999))
    await store.send(10) { $0 = [11, 10] }
    clock.advance(by: .milliseconds(1))
    await store.receive(13) { $0 = [11, 10, 13] }
    await store.send(4)
    clock.advance(by: .seconds(1))
    await store.receive(14) { $0 = [11, 10, 13, 14] }
    clock.advance(by: .seconds(1))
    await store.finish()
    #expect(clock.sleepers == 0)
  }

  @Test func `a throttle that does not keep the latest ignores actions inside the window`() async {
    let store = throttled(latest: false)
    await store.send(1)
    await store.receive(11) { $0 = [11] }
    await store.send(2)
    await store.send(3)
    clock.advance(by: .seconds(1))
    await store.send(4)
    await store.receive(14) { $0 = [11, 14] }
    await store.finish()
  }

  @Test
  func `concatenated effects wait for each other, even for a failure, but stop after a cancellation`() async {
    let gate = Gate()
    struct Failure: Error {}
    let store = TestStore<[Int], Int>(
      initialState: [],
      effects: { [clock] _, action in
        switch action {
        case 1:
          .concatenate(
            .run { dispatch in
              await gate.pass()
              dispatch(10)
              throw Failure()
            },
            .merge(.send(20), .run { dispatch in dispatch(21) }),
            .run(key: "last") { dispatch in
              dispatch(30)
              try await clock.sleep(for: .seconds(1))
            },
            .send(40)
          )
        case 2: .cancel("last")
        default: .none
        }
      },
      clock: clock,
      onEffectError: { _, _, _ in },
      reducer: appending
    )
    await store.send(1) { $0 = [1] }
    gate.open()
    for action in [10, 20, 21, 30] { await store.receive(action) { $0.append(action) } }
    await store.send(2) { $0.append(2) }
    await store.finish()
  }

  @Test func `an effect of a feature is performed in a store of another action type`() async {
    enum Whole: Equatable, Sendable { case part(Int) }
    let feature = Effect<Int>.concatenate(.send(1), .run { dispatch in dispatch(2) }, .merge([.none, .send(3)]))
    let store = TestStore<[Whole], Whole>(
      initialState: [],
      effects: { _, action in action == .part(0) ? feature.map(Whole.part) : .none },
      reducer: { state, action in state.append(action) }
    )
    await store.send(.part(0)) { $0 = [.part(0)] }
    for part in 1...3 { await store.receive(.part(part)) { $0.append(.part(part)) } }
    await store.finish()
  }

  // MARK: Errors

  @Test func `an error is reported to the factory with its key and action, a cancellation is not`() {
    struct Failure: Error, Equatable { let number: Int }
    enum Whole: Equatable, Sendable { case part(Int) }
    let errors = RecordedValues<String>()
    let factory = StoreFactory<Int, Whole>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in
          switch action {
          case .part(1): .run(key: "one") { _ in throw Failure(number: 1) }
          case .part(2): .run { _ in throw CancellationError() }
          default: .none
          }
        },
        reducer: { state, _ in state += 1 }
      ),
      settings: TreeSettings(
        onEffectError: { key, action, error in
          errors.append("\(key.map { "\($0)" } ?? "no key") \(action.map { "\($0)" } ?? "no action") \(error)")
        },
        executor: executor
      )
    )
    let child = factory.rootStore().scope(to: { $0 }, action: Whole.part)
      .childStore(
        initialState: 0,
        stateMapping: { ($0, $1) },
        feature: Feature(
          effects: { _, action in .run(key: 3) { _ in throw Failure(number: action) } },
          reducer: { (_: inout Int, _: Int) in }
        )
      )
    child.dispatch(1)
    factory.rootStore().dispatch(.part(2))
    executor.run()
    #expect(errors.values == ["3 part(1) Failure(number: 1)", "one part(1) Failure(number: 1)"])
    #expect(factory.state == 2)
  }

  @Test func `an error of a canceled task is ignored`() {
    struct Failure: Error {}
    let gate = Gate()
    let errors = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, _ in
          .run(key: 1) { _ in
            await gate.pass()
            throw Failure()
          }
        },
        reducer: { state, action in state += action }
      ),
      settings: TreeSettings(onEffectError: { _, _, error in errors.append("\(error)") }, executor: executor)
    )
    factory.rootStore().dispatch(1)
    executor.run()
    factory.rootStore().cancel(1)
    gate.open()
    executor.run()
    #expect(errors.values == [])
    #expect(!factory.rootStore().isRunning(1))
  }
}
