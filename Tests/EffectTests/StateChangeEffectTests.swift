import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Effects of the state: changes, conditions, failures")
struct StateChangeEffectTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  struct Search: Equatable, Identifiable, Sendable {
    var id = 0
    var query = ""
    var isLive = false
    var job = JobState()
    var log: [String] = []
  }

  enum SearchAction: Sendable {
    case change(@Sendable (inout Search) -> Void)
    case note(String)
    case failed(any Error)
  }

  struct Refusal: Error, Equatable {}

  static let reducer: Reducer<Search, SearchAction> = { state, action in
    switch action {
    case .change(let change): change(&state)
    case .note(let text): state.log.append(text)
    case .failed(let error): state.job.retryOrFail(error)
    }
  }

  func factory(
    from search: Search = Search(),
    errors: RecordedValues<String> = RecordedValues(),
    _ stateEffects: StateEffect<Search, SearchAction>...
  ) -> StoreFactory<Search, SearchAction> {
    StoreFactory(
      initialState: search,
      feature: Feature(stateEffects: stateEffects, reducer: Self.reducer),
      settings: TreeSettings(
        clock: clock, onEffectError: { _, _, error in errors.append("\(error)") }, executor: executor)
    )
  }

  func change(_ factory: StoreFactory<Search, SearchAction>, _ change: @escaping @Sendable (inout Search) -> Void) {
    factory.dispatch(.change(change))
    executor.run()
  }

  /// Records each query when it begins, and again a second later.
  func searching(_ mode: TaskMode) -> StateEffect<Search, SearchAction> {
    StateEffect(onChange: \.query, mode: mode) { [clock] state in
      guard !state.query.isEmpty else { return .none }
      return .run { [query = state.query] dispatch in
        dispatch(.note(query))
        try await clock.sleep(for: .seconds(1))
        dispatch(.note("found \(query)"))
      }
    }
  }

  /// Advances the clock and runs the due work.
  func pass(_ seconds: Double) {
    clock.advance(by: .seconds(seconds))
    executor.run()
  }

  // MARK: Changes

  @Test func `a change performs its effect, but the initial value and an equal one do not`() {
    let factory = factory(
      from: Search(query: "initial"),
      StateEffect(onChange: \.query) { state in .send(.note(state.query)) }
    )
    executor.run()
    change(factory) { $0.isLive = true }
    change(factory) { $0.query = "initial" }
    #expect(factory.state.log == [])
    change(factory) { $0.query = "a" }
    change(factory) { $0.query = "initial" }
    #expect(factory.state.log == ["a", "initial"])
  }

  @Test func `with initial, the first state is a change, too, and its own value is the old one`() {
    let factory = factory(
      from: Search(query: "first"),
      StateEffect(onChange: \.query, initial: true) { state in .send(.note(state.query)) },
      StateEffect(onChange: \.query, by: ==, initial: true) { old, state in .send(.note("\(old), \(state.query)")) }
    )
    executor.run()
    #expect(factory.state.log == ["first", "first, first"])
    change(factory) { $0.isLive = true }
    change(factory) { $0.query = "second" }
    #expect(factory.state.log == ["first", "first, first", "second", "first, second"])
  }

  @Test func `with initial, the mode applies to the first state`() {
    let factory = factory(
      from: Search(query: "first"),
      StateEffect(onChange: \.query, initial: true, mode: .debounce(.seconds(1))) { .send(.note($0.query)) }
    )
    executor.run()
    pass(0.5)
    change(factory) { $0.query = "second" }
    pass(0.5)
    #expect(factory.state.log == [])
    pass(0.5)
    #expect(factory.state.log == ["second"])
  }

  @Test func `the effect of the last change is canceled, even by a change without an effect`() {
    let factory = factory(searching(.dropCurrent))
    change(factory) { $0.query = "a" }
    change(factory) { $0.query = "b" }
    pass(1)
    #expect(factory.state.log == ["a", "b", "found b"])
    change(factory) { $0.query = "c" }
    change(factory) { $0.query = "" }
    #expect(clock.sleepers == 0)
    pass(1)
    #expect(factory.state.log == ["a", "b", "found b", "c"])
  }

  @Test func `a change also revokes actions that the effect of the last one has sent without a task`() {
    let factory = factory(StateEffect(onChange: \.query) { state in .send(.note(state.query)) })
    factory.dispatch(.change { $0.query = "a" })
    factory.dispatch(.change { $0.query = "b" })
    executor.run()
    #expect(factory.state.log == ["b"])
  }

  @Test(
    arguments: [
      (.parallel, ["a", "b", "found a", "found b"]),
      (.dropCurrent, ["a", "b", "found b"]),
      (.waitInCurrent, ["a", "found a", "b", "found b"]),
      (.keepCurrent, ["a", "found a"]),
      (.debounce(.seconds(1)), ["b", "found b"]),
      (.throttle(.seconds(2), latest: true), ["a", "found a", "b", "found b"]),
      (.throttle(.seconds(2), latest: false), ["a", "found a"]),
    ] as [(TaskMode, [String])])
  func `the modes are those of tasks`(mode: TaskMode, log: [String]) {
    let factory = factory(searching(mode))
    executor.run()
    change(factory) { $0.query = "a" }
    change(factory) { $0.query = "b" }
    for _ in 1...8 { pass(0.5) }
    #expect(factory.state.log == log)
    #expect(clock.sleepers == 0)
  }

  @Test func `settled waits for an effect that waits for another`() async {
    let factory = factory(searching(.waitInCurrent))
    executor.run()
    change(factory) { $0.query = "a" }
    change(factory) { $0.query = "b" }
    #expect(await factory.settled().count == 2)
    pass(1)
    #expect(await factory.settled().count == 1)
    pass(1)
    #expect(await factory.settled() == [])
    #expect(factory.state.log.last == "found b")
  }

  @Test func `each element has its own changes, and none when it is new or moved`() {
    struct Searches: Sendable { var all = [Search(id: 1), Search(id: 2)] }
    struct Change: Sendable { let apply: @Sendable (inout Searches) -> Void }
    let log = RecordedValues<String>()
    let search = Feature<Search, Change>(
      stateEffects: [
        StateEffect(onChange: \.query, mode: .debounce(.seconds(1))) { state in
          .run { _ in log.append("\(state.id) \(state.query)") }
        },
        StateEffect(while: \.isLive) { [clock] state in
          .run { _ in
            do { try await clock.sleep(for: .seconds(60)) } catch { log.append("\(state.id) is no longer live") }
          }
        },
      ]
    )
    let factory = StoreFactory(
      initialState: Searches(),
      feature: Feature<Searches, Change>.combined(
        Feature { state, change in change.apply(&state) },
        search.forEach(\.all, action: { _, action in action }, extract: { _ in nil })
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    func change(_ apply: @escaping @Sendable (inout Searches) -> Void) {
      factory.dispatch(Change(apply: apply))
      executor.run()
    }
    executor.run()
    change { $0.all[0].query = "a" }
    change { $0.all[1].query = "b" }
    change { $0.all.insert(Search(id: 3, query: "new", isLive: true), at: 0) }
    change { $0.all.reverse() }
    change { $0.all.removeAll { $0.id == 1 } }
    pass(1)
    #expect(log.values == ["2 b"])
    change { $0.all.removeAll { $0.id == 3 } }
    #expect(log.values == ["2 b", "3 is no longer live"])
    change { $0.all.append(Search(id: 1, query: "again")) }
    pass(1)
    #expect(log.values.count == 2)
  }

  @Test func `F3 a part with another id is another part: its value has not changed, its effects are its own`() {
    struct Screen: Sendable { var search: Search? = Search(id: 1) }
    struct Change: Sendable { let apply: @Sendable (inout Screen) -> Void }
    let log = RecordedValues<String>()
    func live(_ name: String) -> @Sendable (Search) -> Effect<Change> {
      { [clock] state in
        .run { _ in
          log.append("\(name) \(state.id)")
          do { try await clock.sleep(for: .seconds(60)) } catch { log.append("\(name) \(state.id) ends") }
        }
      }
    }
    let search = Feature<Search, Change>(
      stateEffects: [
        StateEffect(onChange: \.query, effect: live("query")),
        StateEffect(\.job, effect: live("job")),
      ]
    )
    let factory = StoreFactory(
      initialState: Screen(),
      feature: Feature<Screen, Change>.combined(
        Feature { state, change in change.apply(&state) },
        search.scoped(toOptional: \.search, action: { $0 }, extract: { _ in nil })
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    func change(_ apply: @escaping @Sendable (inout Screen) -> Void) {
      factory.dispatch(Change(apply: apply))
      executor.run()
    }
    executor.run()
    change { $0.search?.query = "a" }
    change { $0.search?.job.run() }
    #expect(log.values == ["query 1", "job 1"])
    change { state in
      state.search = Search(id: 2, query: "b")
      state.search?.job.run()
    }
    #expect(Set(log.values.dropFirst(2)) == ["query 1 ends", "job 1 ends", "job 2"])
    change { $0.search?.query = "c" }
    #expect(log.values.last == "query 2")
    change { $0.search = nil }
    #expect(clock.sleepers == 0)
  }

  @Test func `L1 neither a watched part nor its timer keeps the store alive`() {
    weak var object: Object?
    struct Both: Sendable {
      var object: Object?
      var count = 0
    }
    var factory: StoreFactory<Both, Int>?
    do {
      let new = Object()
      object = new
      factory = StoreFactory(
        initialState: Both(object: new),
        feature: Feature(
          stateEffects: [
            StateEffect(onChange: \.count, mode: .debounce(.seconds(1))) { _ in .run { _ in } },
            StateEffect(onChange: \.count) { [clock] _ in .run { _ in try await clock.sleep(for: .seconds(9)) } },
          ]
        ) { state, number in state.count += number },
        settings: TreeSettings(clock: clock, executor: executor)
      )
    }
    executor.run()
    factory?.rootStore().dispatch(1)
    executor.run()
    #expect(clock.sleepers == 2)
    factory = nil
    executor.run()
    #expect(object == nil)
    clock.advance(by: .seconds(1))
    executor.run()
  }

  // MARK: Conditions

  @Test func `an effect runs while its condition holds, from the initial state on`() {
    let factory = factory(
      from: Search(isLive: true),
      StateEffect(while: \.isLive) { [clock] _ in
        .run { dispatch in
          dispatch(.note("live"))
          do { try await clock.sleep(for: .seconds(1)) } catch { return dispatch(.note("never")) }
          dispatch(.note("over"))
        }
      }
    )
    executor.run()
    change(factory) { $0.query = "a" }
    #expect(factory.state.log == ["live"])
    change(factory) { $0.isLive = false }
    #expect(clock.sleepers == 0)
    change(factory) { $0.isLive = true }
    pass(1)
    change(factory) { $0.query = "b" }
    #expect(factory.state.log == ["live", "live", "over"])
  }

  @Test func `an error restarts it after the backoff, as often as allowed, and then goes to the factory`() {
    let errors = RecordedValues<String>()
    let factory = factory(
      errors: errors,
      StateEffect(while: \.isLive, retries: 2, backoff: .exponential(initial: .seconds(1))) { _ in
        .run { dispatch in
          dispatch(.note("live"))
          throw Refusal()
        }
      }
    )
    change(factory) { $0.isLive = true }
    #expect(factory.state.log.count == 1)
    pass(0.5)
    #expect(factory.state.log.count == 1)
    pass(0.5)
    #expect(factory.state.log.count == 2)
    pass(1.5)
    #expect((factory.state.log.count, errors.values.count) == (2, 0))
    pass(0.5)
    #expect(factory.state.log.count == 3)
    #expect(errors.values == ["Refusal()"])
    #expect(clock.sleepers == 0)
    change(factory) { $0.isLive = false }
    change(factory) { $0.isLive = true }
    #expect(clock.sleepers == 1)
    change(factory) { $0.isLive = false }
    #expect(clock.sleepers == 0)
    #expect(factory.state.log.count == 4)
  }

  // MARK: Failures

  @Test func `an error is sent as the action that fails the job, after the retries of its run`() {
    let errors = RecordedValues<String>()
    let factory = factory(
      errors: errors,
      StateEffect(\.job, failure: SearchAction.failed) { _ in
        .run { dispatch in
          dispatch(.note("tried"))
          throw Refusal()
        }
      }
    )
    change(factory) { $0.job.run(maxAttempts: 2, backoff: .constant(.seconds(1)), delay: .seconds(3)) }
    #expect(factory.state.log == [])
    pass(3)
    #expect(factory.state.job.status == .inProgress(attempt: 2))
    pass(1)
    #expect(factory.state.job.reason == "Refusal()")
    #expect(factory.state.log == ["tried", "tried"])
    #expect(errors.values == [])
  }

  @Test func `a cancellation without a cause fails the job, and is not reported`() {
    let errors = RecordedValues<String>()
    let factory = factory(
      errors: errors,
      StateEffect(\.job, failure: SearchAction.failed) { _ in .run { _ in throw CancellationError() } },
      StateEffect(onChange: \.query) { _ in .run { _ in throw CancellationError() } }
    )
    change(factory) { $0.job.run() }
    #expect(factory.state.job.reason == "CancellationError()")
    change(factory) { $0.query = "leaves" }
    #expect(errors.values == [])
  }

  @Test func `an error of an attempt that was abandoned meanwhile fails nothing`() {
    let factory = factory(
      StateEffect(\.job, failure: SearchAction.failed) { state in
        .run { [isFirst = state.job.attemptsBegun == 1] dispatch in
          guard isFirst else { return }
          // The action of the error waits after this one.
          dispatch(.change { $0.job.restart() })
          throw Refusal()
        }
      }
    )
    change(factory) { $0.job.run() }
    #expect(factory.state.job.status == .inProgress(attempt: 1))
    #expect(factory.state.job.attemptsBegun == 2)
  }

  @Test func `the error of an element's attempt is sent with its id`() {
    struct Searches: Sendable {
      var all = [Search(id: 1), Search(id: 2)]
      var failed: [Int] = []
    }
    let factory = StoreFactory<Searches, Int>(
      initialState: Searches(),
      feature: Feature(
        stateEffects: [
          StateEffect(each: \.all, \.job, failure: { id, _ in id }) { _, _ in .run { _ in throw Refusal() } }
        ]
      ) { state, id in
        if id == 0 {
          for index in state.all.indices { state.all[index].job.run() }
        } else {
          state.failed.append(id)
          state.all[id - 1].job.fail(Refusal())
        }
      },
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(0)
    executor.run()
    #expect(factory.state.failed == [1, 2])
  }

  @Test func `a store of commits records the error of a job by itself`() {
    let attempts = RecordedValues<Int>()
    let factory = CommitStore(
      initialState: Search(),
      feature: Feature(
        stateEffects: [
          StateEffect(at: \.job) { state in
            .run { [attempt = state.job.attempt] _ in
              attempts.append(attempt ?? 0)
              throw Refusal()
            }
          }
        ]
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.commitLater { $0.job.run(maxAttempts: 3) }
    executor.run()
    #expect(attempts.values == [1, 2, 3])
    #expect(factory.state.job.reason == "Refusal()")
  }
}
