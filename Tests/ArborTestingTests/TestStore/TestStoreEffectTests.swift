import Arbor
import ArborTesting
import Dispatch
import Testing

@Suite("Effects under a test store")
struct TestStoreEffectTests {
  let clock = TestClock()

  private func store(
    timeout: Duration = .generous,
    _ effect: @escaping @Sendable (ShopAction) -> Effect<ShopAction>
  ) -> TestStore<Shop, ShopAction> {
    TestStore(
      initialState: Shop(),
      effects: { _, action in effect(action) },
      clock: clock,
      timeout: timeout,
      reducer: shopReducer
    )
  }

  @Test func `a debounced effect runs when its time is over`() async {
    let store = store { action in
      action == .look ? .run(key: "look", mode: .debounce(.seconds(1))) { $0(.visit) } : .none
    }
    await store.send(.look)
    clock.advance(by: .milliseconds(900))
    await store.send(.look)
    clock.advance(by: .milliseconds(900))
    await store.send(.look)
    clock.advance(by: .seconds(1))
    await store.receive(.visit) { $0.visits = 1 }
    await store.finish()
  }

  @Test func `a throttled effect runs immediately, and at the end of its window`() async {
    let store = store { action in
      action == .look ? .run(key: "look", mode: .throttle(.seconds(1), latest: true)) { $0(.visit) } : .none
    }
    await store.send(.look)
    await store.receive(.visit) { $0.visits = 1 }
    await store.send(.look)
    await store.send(.look)
    clock.advance(by: .seconds(1))
    await store.receive(.visit) { $0.visits = 2 }
    clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func `an effect is retried with a backoff`() async {
    struct Upload: Equatable, Sendable {
      var job = JobState()
    }
    enum UploadAction: Equatable, Sendable {
      case start, failed, done
    }
    let attempts = Protected(0)
    let store = TestStore(
      initialState: Upload(),
      stateEffects: [
        StateEffect(\.job) { _ in
          .run(key: "upload") { dispatch in
            let attempt = attempts.withLockInAsync { attempts in
              attempts += 1
              return attempts
            }
            dispatch(attempt < 3 ? UploadAction.failed : .done)
          }
        }
      ],
      clock: clock
    ) { state, action in
      switch action {
      case .start: state.job.run(maxAttempts: 4, backoff: .exponential(initial: .seconds(1)))
      case .failed: state.job.retryOrFail("no connection")
      case .done: state.job.succeed()
      }
    }
    store.exhaustivity = .off
    await store.send(.start)
    await store.receive(.failed)
    #expect(attempts.withLockInAsync { $0 } == 1)
    clock.advance(by: .seconds(1))
    await store.receive(.failed)
    #expect(attempts.withLockInAsync { $0 } == 2)
    clock.advance(by: .milliseconds(1_999))
    await store.skipReceivedActions()
    #expect(attempts.withLockInAsync { $0 } == 2)
    clock.advance(by: .milliseconds(1))
    await store.receive(.done)
    #expect(store.state.job.status == .succeeded)
    await store.finish()
  }

  @Test func `an unhandled error names the state effect that has thrown it`() async {
    struct Refusal: Error {}
    let line: UInt = #line + 4
    let text = await onlyFailure {
      let store = TestStore<Bool, Bool>(
        initialState: false,
        stateEffects: [StateEffect(while: { $0 }) { _ in .run { _ in throw Refusal() } }]
      ) { $0 = $1 }
      await store.send(true) { $0 = true }
      await store.finish()
    }
    let place = "ArborTestingTests/TestStoreEffectTests.swift:\(line)"
    #expect(text.contains("Happened: Refusal(), in the state effect at \(place)\n"), "\(text)")
  }

  @Test func `a manual executor describes work that waits for a state effect by its declaration`() async {
    let executor = ManualExecutor()
    let line: UInt = #line + 3
    let factory = StoreFactory<JobState, Int>(
      initialState: JobState(),
      feature: Feature(stateEffects: [StateEffect({ $0 }) { _ in .none }]) { job, _ in job.run(delay: .seconds(1)) },
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.dispatch(1)
    executor.run()
    let place = "the state effect at ArborTestingTests/TestStoreEffectTests.swift:\(line)"
    #expect(executor.description.contains("not ended: the effect without a key, started by \(place)"), "\(executor)")
    #expect(await factory.settled() == ["a task with no key, started by \(place)"])
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(await factory.settled() == [])
    withExtendedLifetime(factory) {}
  }

  @Test func `a repeating timer fires at its times, even if the clock moves far`() async {
    let store = store { [clock] action in
      guard action == .load else { return .none }
      return .run(key: "timer") { dispatch in
        while true {
          try await clock.sleep(for: .seconds(1))
          dispatch(.tick)
        }
      }
    }
    await store.send(.load) { $0.isLoading = true }
    clock.advance(by: .seconds(3))
    for visits in 1...3 { await store.receive(.tick) { $0.visits = visits } }
    await store.skipRunningEffects()
    await store.finish()
  }

  @Test func `a test waits for an effect that leaves for another actor`() async {
    actor Warehouse {
      func items() -> [String] { ["tea"] }
    }
    let warehouse = Warehouse()
    let store = store { action in
      guard action == .load else { return .none }
      return .run(key: "load") { dispatch in
        let items = await warehouse.items()
        dispatch(.loaded(items))
        await Task.detached { dispatch(.tick) }.value
      }
    }
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.loaded(["tea"])) {
      $0.isLoading = false
      $0.basket.items = ["tea"]
    }
    await store.receive(.tick) { $0.visits = 1 }
    await store.finish()
  }

  @Test func `a test waits for an effect that waits for a callback`() async {
    let queue = DispatchQueue(label: "callbacks")
    let store = store { action in
      guard action == .load else { return .none }
      return .run(key: "load") { dispatch in
        let items = await withCheckedContinuation { continuation in
          queue.async { continuation.resume(returning: ["tea"]) }
        }
        dispatch(.loaded(items))
      }
    }
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.loaded(["tea"])) {
      $0.isLoading = false
      $0.basket.items = ["tea"]
    }
    await store.finish()
  }

  @Test @MainActor func `a test waits for an effect that switches to the main actor, even on the main actor`() async {
    let store = store { action in
      guard action == .load else { return .none }
      return .run(key: "load") { dispatch in
        await MainActor.run { dispatch(.tick) }
      }
    }
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.tick) { $0.visits = 1 }
    await store.finish()
  }

  @Test func `an effect that does not return is named`() async {
    let gate = AsyncStream<Void>.makeStream()
    let found = await failures {
      let store = store(timeout: .milliseconds(1)) { action in
        guard action == .load else { return .none }
        return .run(key: "load") { dispatch in
          for await _ in gate.stream { dispatch(.tick) }
        }
      }
      await store.send(.load) { $0.isLoading = true }
      await store.receive(.tick)
      await store.finish()
    }
    #expect(
      found.map(\.failure.text) == [
        """
        .tick was not received.

        Expected: .tick
        Happened: no action is held; still running or waiting:
                  the effect "load", started by .load: runs elsewhere: on another actor, in a callback, or in real time
        To fix this, make the event that the effect waits for happen in the test, or allow it more time than 0.001 seconds with the test store's `timeout:`.
        """,
        """
        1 effect or task is running at the end.

        Expected: all of them have ended
        Happened: the effect "load", started by .load: runs elsewhere: on another actor, in a callback, or in real time
        To fix this, end each of them (advance its clock, or trigger the event that it waits for), cancel it in the test as the program would, \
        or skip it with `await store.skipRunningEffects()`.
        """,
      ]
    )
  }

  @Test func `actions that an effect waits for in its store are held like all others`() async {
    let factory = Protected<Store<Shop, ShopAction>?>(nil)
    let store = store { action in
      guard action == .load else { return .none }
      return .run { dispatch in
        let store = factory.withLockInAsync { $0 }
        await store?.dispatchAndWait(.tick)
        dispatch(.loaded([]))
      }
    }
    factory.withLockInAsync { $0 = store.store() }
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.tick) { $0.visits = 1 }
    await store.receive(.loaded([])) { $0.isLoading = false }
    await store.finish()
  }

  @Test func `tasks of a store are named like effects`() async {
    let clock = clock
    let text = await onlyFailure {
      let store = store { _ in .none }
      store.store().task(key: 7) { _ in try await clock.sleep(for: .seconds(1)) }
      store.store().task { _ in try await clock.sleep(for: .seconds(1)) }
      await store.finish()
    }
    #expect(
      text == """
        2 effects or tasks are running at the end.

        Expected: all of them have ended
        Happened: the task 7, started by a store: sleeps on a clock that the test advances
                  the task without a key, started by a store: sleeps on a clock that the test advances
        To fix this, end each of them (advance its clock, or trigger the event that it waits for), cancel it in the test as the program would, \
        or skip it with `await store.skipRunningEffects()`.
        """
    )
  }

  @Test func `time passes immediately on an immediate clock`() async {
    let clock = ImmediateClock()
    let store = TestStore(
      initialState: Shop(),
      effects: { _, action in
        guard action == .load else { return .none }
        return .run(key: "load", mode: .debounce(.seconds(60))) { dispatch in
          for _ in 1...3 {
            try await clock.sleep(for: .seconds(1))
            dispatch(.tick)
          }
        }
      },
      clock: clock,
      reducer: shopReducer
    )
    await store.send(.load) { $0.isLoading = true }
    for visits in 1...3 { await store.receive(.tick) { $0.visits = visits } }
    await store.finish()
    #expect(clock.now.offset == .seconds(63))
  }
}

extension TestStoreEffectTests {
  @Test func `a test waits for an effect of which one part sleeps while another is elsewhere`() async {
    let queue = DispatchQueue(label: "callbacks")
    let store = TestStore(
      initialState: Shop(),
      effects: { [clock] _, action in
        guard action == .load else { return .none }
        return .run(key: "load") { dispatch in
          // Wait as long as necessary, but no longer than a second.
          let items = await withTaskGroup(of: [String].self) { group in
            group.addTask {
              await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: ["tea"]) }
              }
            }
            group.addTask {
              try? await clock.sleep(for: .seconds(1))
              return []
            }
            let first = await group.next() ?? []
            group.cancelAll()
            return first
          }
          dispatch(.loaded(items))
        }
      },
      clock: clock,
      timeout: .generous,
      reducer: shopReducer
    )
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.loaded(["tea"])) {
      $0.isLoading = false
      $0.basket.items = ["tea"]
    }
    await store.finish()
    #expect(clock.sleepers == 0)
  }
}
