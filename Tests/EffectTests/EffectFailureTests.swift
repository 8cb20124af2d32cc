import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Failures of effects: retries and reverted changes")
struct EffectFailureTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let errors = RecordedValues<String>()

  struct Refusal: Error, Equatable {}

  func factory(
    stateEffects: [StateEffect<[Int], Int>] = [],
    effects: (@Sendable (_ state: [Int], _ action: Int) -> Effect<Int>)? = nil
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(effects: effects, stateEffects: stateEffects, reducer: appending),
      settings: TreeSettings(
        clock: clock,
        onEffectError: { [errors] key, _, error in errors.append("\(key ?? "none") \(error)") },
        executor: executor
      )
    )
  }

  /// Advances the clock and runs the due work.
  func pass(_ seconds: Double) {
    clock.advance(by: .seconds(seconds))
    executor.run()
  }

  // MARK: Retries of tasks

  @Test func `a task whose body throws is retried after the backoff, as often as allowed`() {
    let factory = factory { _, action in
      guard action == 1 else { return .none }
      return .run(key: "load", retries: 2, backoff: .exponential(initial: .seconds(1))) { dispatch in
        dispatch(2)
        throw Refusal()
      }
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(factory.state == [1, 2])
    #expect(factory.rootStore().isRunning("load"))
    pass(1)
    #expect(factory.state == [1, 2, 2])
    pass(1)
    #expect((factory.state.count, errors.values) == (3, []))
    pass(1)
    #expect(factory.state == [1, 2, 2, 2])
    #expect(errors.values == ["load Refusal()"])
    #expect(!factory.rootStore().isRunning("load"))
    #expect(clock.sleepers == 0)
  }

  @Test func `a retry that succeeds ends the task, even with activities and another type of actions`() {
    let attempts = RecordedValues<Int>()
    let effect = Effect<String>.run(retries: 3) { dispatch, emit in
      attempts.append(1)
      emit("tried")
      guard attempts.values.count == 2 else { throw Refusal() }
      dispatch("5")
    }
    let factory = factory { _, action in action == 1 ? effect.map { Int($0)! } : .none }
    let heard = RecordedValues<String>()
    let hearing = factory.rootStore().observe(activities: String.self) { heard.append($0) }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(factory.state == [1, 5])
    #expect(attempts.values.count == 2)
    #expect(heard.values == ["tried", "tried"])
    #expect(errors.values == [])
    hearing.cancel()
  }

  @Test func `a canceled task and a CancellationError are not retried`() {
    let attempts = RecordedValues<Int>()
    let factory = factory { _, action in
      switch action {
      case 1:
        .run(key: 1, retries: 5, backoff: .constant(.seconds(1))) { _ in
          attempts.append(1)
          throw Refusal()
        }
      case 2:
        .run(key: 2, retries: 5) { _ in
          attempts.append(2)
          throw CancellationError()
        }
      default: .cancel(1)
      }
    }
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(clock.sleepers == 0)
    pass(5)
    #expect(attempts.values == [1, 2])
    #expect(errors.values == [])
  }

  @Test func `a task between two attempts counts as running for every mode of its key`() {
    for (mode, attempts) in [
      (TaskMode.parallel, [1, 2, 1, 2]),
      (.keepCurrent, [1, 1]),
      (.waitInCurrent, [1, 1, 2, 2]),
      (.dropCurrent, [1, 2, 2]),
      (.throttle(.seconds(3), latest: false), [1, 1]),
      (.debounce(.seconds(3)), [2, 2]),
    ] {
      let made = RecordedValues<Int>()
      let factory = factory { _, action in
        .run(key: "load", mode: mode, retries: 1, backoff: .constant(.seconds(2))) { _ in
          made.append(action)
          throw Refusal()
        }
      }
      factory.rootStore().dispatch(1)
      executor.run()
      factory.rootStore().dispatch(2)
      executor.run()
      for _ in 1...10 { pass(1) }
      #expect(made.values == attempts, "\(mode)")
      #expect(!factory.rootStore().isRunning("load"), "\(mode)")
      #expect(clock.sleepers == 0)
    }
  }

  // MARK: Retries of jobs

  struct Upload: Sendable { var job = JobState() }

  func upload(
    _ stateEffect: StateEffect<Upload, Bool>,
    attempts: Int
  ) -> StoreFactory<Upload, Bool> {
    let factory = StoreFactory<Upload, Bool>(
      initialState: Upload(),
      feature: Feature(
        stateEffects: [stateEffect],
        reducer: { state, begins in
          if begins {
            state.job.run(maxAttempts: attempts, backoff: .linear(initial: .seconds(1), step: .seconds(1)))
          } else {
            state.job.succeed()
          }
        }
      ),
      settings: TreeSettings(
        clock: clock,
        onEffectError: { [errors] _, _, error in errors.append("\(error)") },
        executor: executor
      )
    )
    factory.rootStore().dispatch(true)
    executor.run()
    return factory
  }

  @Test func `a job without an action for its errors makes its remaining attempts by itself`() {
    let begun = RecordedValues<Int>()
    let effect = StateEffect<Upload, Bool>(\.job) { _ in
      .run { _ in
        begun.append(1)
        throw Refusal()
      }
    }
    let factory = upload(effect, attempts: 3)
    #expect(begun.values.count == 1)
    pass(1)
    #expect(begun.values.count == 2)
    pass(1)
    #expect((begun.values.count, errors.values) == (2, []))
    pass(1)
    #expect(begun.values.count == 3)
    #expect(errors.values == ["Refusal()"])
    #expect(factory.state.job.status == .inProgress(attempt: 1))
    pass(9)
    #expect(begun.values.count == 3)
  }

  @Test func `a job that ends while it waits for its next attempt makes no attempt`() {
    let begun = RecordedValues<Int>()
    let effect = StateEffect<Upload, Bool>(\.job) { _ in
      .run { _ in
        begun.append(1)
        throw Refusal()
      }
    }
    let factory = upload(effect, attempts: 3)
    factory.rootStore().dispatch(false)
    executor.run()
    pass(9)
    #expect(begun.values.count == 1)
    #expect(factory.state.job.status == .succeeded)
  }

  @Test func `an abandoned attempt that ignores its cancellation does not delay the next one`() {
    for abandons in [false, true] {
      let gate = Gate()
      let begun = RecordedValues<Int>()
      let effect = StateEffect<Upload, Bool>(\.job) { _ in
        .run { dispatch in
          begun.append(1)
          await gate.pass()
          dispatch(false)
        }
      }
      let factory = upload(abandons ? effect.abandoningAttempts : effect, attempts: 1)
      factory.rootStore().dispatch(batch: [false])
      factory.rootStore().dispatch(true)
      executor.run()
      #expect(begun.values.count == (abandons ? 2 : 1))
      #expect(factory.state.job.isInProgress)
      gate.open()
      executor.run()
      #expect(factory.state.job.status == .succeeded)
      #expect(begun.values.count == 2)
    }
  }

  // MARK: What takes a change back

  /// An effect that fails, sleeps or succeeds, with -1 for a failure and -2 for a cancellation.
  func liking(_ action: Int) -> Effect<Int> {
    let effect: Effect<Int> =
      switch action {
      case 1: .run(key: "like") { _ in throw Refusal() }
      case 2:
        .run(key: "like") { [clock] dispatch in
          dispatch(20)
          try await clock.sleep(for: .seconds(1))
        }
      case 3: .run(key: "like", mode: .keepCurrent) { dispatch in dispatch(30) }
      case 4: .cancel("like")
      default: .none
      }
    return effect.onFailure { error in error is CancellationError ? -2 : -1 }
  }

  @Test func `a failing effect sends its action, and its error goes nowhere else`() {
    let factory = factory { [self] _, action in liking(action) }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(factory.state == [1, -1])
    #expect(errors.values == [])
  }

  @Test func `an effect that succeeds, or ends with its store, sends no such action`() {
    let factory = factory { [self] _, action in liking(action) }
    factory.rootStore().dispatch(2)
    executor.run()
    pass(1)
    #expect(factory.state == [2, 20])
    let states = RecordedValues<[Int]>()
    var other: StoreFactory<[Int], Int>? = self.factory { [self] _, action in liking(action) }
    other?.rootStore().subscribe(observer: .recording(in: states))
    other?.rootStore().dispatch(2)
    executor.run()
    other = nil
    executor.run()
    #expect(states.values.last == [2, 20])
    #expect(clock.sleepers == 0)
  }

  @Test(arguments: [false, true])
  func `a canceled effect sends its action immediately, and nothing revokes it`(isEffect: Bool) {
    let factory = factory { [self] _, action in liking(action) }
    let store = factory.rootStore()
    store.dispatch(2)
    executor.run()
    if isEffect { store.dispatch(4) } else { store.cancel("like") }
    store.cancelAllTasks()
    executor.run()
    #expect(factory.state == (isEffect ? [2, 20, 4, -2] : [2, 20, -2]))
  }

  @Test func `an effect whose success is revoked sends its action`() {
    let factory = factory { [self] _, action in liking(action) }
    let store = factory.rootStore()
    store.dispatch(3)
    // The step, and the body, whose action is waiting.
    for _ in 1...2 { executor.step() }
    store.cancel("like")
    executor.run()
    #expect(factory.state == [3, -2])
  }

  @Test func `an effect sends no action for an error for which its closure returns nil`() async {
    let factory = factory { _, action in
      guard action == 1 else { return .none }
      return .concatenate(
        .run { _ in throw Refusal() },
        .run { _ in throw CancellationError() },
        .run { _ in throw Refusal() }
      ).onFailure { error in error is CancellationError ? -2 : nil }
    }
    await factory.rootStore().perform(1)
    #expect(factory.state == [1, -2])
    #expect(errors.values == [])
  }

  @Test func `an effect that its mode drops sends its action`() {
    let factory = factory { [self] _, action in liking(action) }
    factory.rootStore().dispatch(2)
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(factory.state == [2, 3, 20, -2])
  }

  @Test func `the effect of a job that the state abandons sends its action`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        stateEffects: [
          StateEffect(while: { $0.last == 1 }) { [clock] _ in
            .run { _ in try await clock.sleep(for: .seconds(1)) }.onFailure { _ in 3 }
          }
        ],
        reducer: appending
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(factory.state == [1, 2, 3])
  }

  @Test func `an effect of several tasks sends its action once, and an inner one has its own`() async {
    let factory = factory { _, action in
      guard action == 1 else { return .none }
      return .merge(
        .run { _ in throw Refusal() },
        .run { _ in throw Refusal() }.onFailure { _ in 2 },
        .concatenate(.run { _ in throw Refusal() }, .run { dispatch in dispatch(3) })
      ).map { $0 }.onFailure { _ in -1 }
    }
    await factory.rootStore().perform(1)
    #expect(factory.state.sorted() == [-1, 1, 2, 3])
    #expect(errors.values == [])
  }

  @Test func `a caller that waits for an effect waits for its revert action, even if canceled before`() async {
    let factory = factory { [self] _, action in liking(action) }
    await factory.rootStore().perform(1)
    #expect(factory.state == [1, -1])
    let store = factory.rootStore()
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await store.perform(2)
    }
    await waiting.value
    await factory.settled()
    #expect(factory.state == [1, -1, 2, -2])
  }

  @Test func `the later parts of a canceled sequence send their actions, and nothing else`() {
    let factory = factory { [clock] _, action in
      switch action {
      case 1:
        .concatenate(
          .run(key: "first") { _ in try await clock.sleep(for: .seconds(1)) }.onFailure { _ in 2 },
          .merge(.run { dispatch in dispatch(3) }.onFailure { _ in 4 }, .send(5).onFailure { _ in 6 }),
          .run { _ in }.onFailure { _ in 7 }
        ).onFailure { _ in 8 }
      case 9: .concatenate(.run { _ in throw Refusal() }.onFailure { _ in 10 }, .run { dispatch in dispatch(11) })
      default: .none
      }
    }
    factory.rootStore().dispatch(1)
    executor.run()
    factory.rootStore().cancel("first")
    executor.run()
    #expect(factory.state == [1, 2, 4, 7])
    factory.rootStore().dispatch(9)
    executor.run()
    #expect(factory.state.dropFirst(4) == [9, 10, 11])
  }

  @Test func `a canceled caller reverts changes shown by a feature of an optional part`() async {
    struct Whole: Sendable { var part: [Int]? = [] }
    let feature = Feature<[Int], Int>(effects: { [self] _, action in liking(action) }, reducer: appending)
    let factory = StoreFactory(
      initialState: Whole(),
      feature: feature.scoped(toOptional: \Whole.part, action: { $0 }, extract: { $0 }),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let store = factory.rootStore()
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await store.perform(2)
    }
    await waiting.value
    await factory.settled()
    #expect(factory.state.part == [2, -2])
  }
}
