import Arbor
import ArborTesting
import Testing

@Suite("Exploring schedules")
struct ExploreTests {
  private enum Race: Equatable, Sendable {
    case start
    case slow
    case quick
  }

  /// Two effects, one of which is assumed to be faster.
  private func race(on executor: ManualExecutor) -> TestStore<[Race], Race> {
    TestStore(
      initialState: [],
      effects: { _, action in
        guard action == .start else { return .none }
        return .merge(
          .run(key: "quick") { $0(.quick) },
          .run(key: "slow") { dispatch in
            await Task.yield()
            await Task.yield()
            dispatch(.slow)
          }
        )
      },
      executor: executor,
      reducer: { state, action in state.append(action) }
    )
  }

  private func expectInOrder(on executor: ManualExecutor) async {
    let store = race(on: executor)
    await store.send(.start) { $0 = [.start] }
    await store.receive(.quick) { $0 = [.start, .quick] }
    await store.receive(.slow) { $0 = [.start, .quick, .slow] }
    await store.finish()
  }

  @Test func `a test that depends on the order passes in the usual order`() async {
    await expectInOrder(on: ManualExecutor())
  }

  @Test func `the first failing seed is reported, with the shortest schedule`() async {
    let found = await failures {
      await ManualExecutor.explore(schedules: 100, patience: .generous, at: .here()) { executor in
        await expectInOrder(on: executor)
      }
    }
    #expect(
      found.first?.failure.text == """
        The test fails under schedule 41 of 100, with seed 40.

        Expected: it passes under every schedule
        Happened: ArborTestingTests/ExploreTests.swift:36: The next action is not .quick. (With the steps of seed 40.)

                  Expected: .quick
                  Happened: .slow
                  To fix this, receive .slow first: .quick is held after it.
        To fix this, run it with `ManualExecutor(seed: 40)`, or with the shortest failing schedule that was found, \
        `ManualExecutor(choices: [1, 2, 2, 2, 2])`, and remove the dependence on the order.
        """
    )
    let choices = [1, 2, 2, 2, 2]
    #expect(await !failures { await expectInOrder(on: ManualExecutor(choices: choices)) }.isEmpty)
    for index in choices.indices {
      var others = [choices, choices]
      others[0].remove(at: index)
      others[1][index] = 0
      for other in others {
        #expect(await failures { await expectInOrder(on: ManualExecutor(choices: other)) }.isEmpty)
      }
    }
  }

  @Test func `a thrown error is reported`() async {
    struct Late: Error {}
    var line = 0
    let found = await failures {
      line = #line + 1
      await ManualExecutor.explore(schedules: 100, seed: 1_000) { executor in
        let store = race(on: executor)
        store.exhaustivity = .off
        await store.send(.start)
        await store.skipReceivedActions()
        await store.finish()
        if store.state == [.start, .slow, .quick] { throw Late() }
      }
    }
    #expect(found.map(\.failure.happened) == ["Late()"])
    #expect(found.map { Int($0.place.line) } == [line])
  }

  @Test func `a condition that holds under each schedule causes no failure`() async {
    let orders = Log()
    await ManualExecutor.explore(schedules: 100) { executor in
      let store = race(on: executor)
      store.exhaustivity = .off
      await store.send(.start)
      await store.skipReceivedActions()
      #expect(store.state.count == 3)
      orders.add("\(store.state)")
      await store.finish()
    }
    #expect(orders.lines.count == 100)
    #expect(Set(orders.lines).count == 2)
  }

  @Test func `a schedule with only a warning passes`() async {
    let found = await failures {
      await ManualExecutor.explore(schedules: 5) { executor in
        let store = TestStore(initialState: 0, executor: executor, exhaustivity: .off(showSkipped: true)) {
          (state: inout Int, action: Int) in state += action
        }
        await store.send(1)
        await store.finish()
      }
    }
    #expect(found.isEmpty)
  }

  @Test func `zero schedules run nothing`() async {
    let runs = Log()
    await ManualExecutor.explore(schedules: 0) { _ in runs.add("run") }
    await ManualExecutor.explore(schedules: -1) { _ in runs.add("run") }
    #expect(runs.lines == [])
  }

  @Test func `a failure under a seed names the seed`() async {
    let found = await failures {
      let store = TestStore(initialState: 0, executor: ManualExecutor(seed: 12)) { (state: inout Int, action: Int) in
        state += action
      }
      await store.send(1)
      await store.finish()
    }
    #expect(
      found.map(\.failure.summary) == [
        "1 changed the state, but no change was expected. (With the steps of seed 12.)"
      ]
    )
  }
}

extension ExploreTests {
  @Test @MainActor func `deliveries to the main actor are explored on it`() async {
    let seen = Log()
    await ManualExecutor.explore(schedules: 20) { executor in
      let store = TestStore(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action }
      let subscription = store.store().observe(on: .main) { (state: Int) in
        MainActor.assertIsolated()
        seen.add("\(state)")
      }
      await store.send(1) { $0 = 1 }
      await store.finish()
      subscription.cancel()
    }
    #expect(seen.lines.filter { $0 == "1" }.count == 20)
  }

  @Test func `a body that does not use its executor explores nothing, and fails`() async {
    let text = await onlyFailure { await ManualExecutor.explore(schedules: 5) { _ in } }
    #expect(
      text == """
        The test fails under schedule 1 of 5, with seed 0.

        Expected: it passes under every schedule
        Happened: the body didn't use its executor: pass it to the test store or the factory, `executor: executor`
        To fix this, fix the failure in the usual order first: `ManualExecutor()`.
        """
    )
  }

  @Test func `a failure that does not repeat with the same steps is reported as such`() async {
    let isFirst = Protected(true)
    let text = await onlyFailure {
      await ManualExecutor.explore(schedules: 5) { executor in
        let store = TestStore(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action
        }
        let expected = isFirst.withLockInAsync { isFirst in
          defer { isFirst = false }
          return isFirst ? 2 : 1
        }
        await store.send(1) { $0 = expected }
        await store.finish()
      }
    }
    #expect(
      text.hasSuffix(
        "To fix this, run everything in the test on its executor: with the same steps, it does not fail again."))
  }

  @Test func `a canceled test fails under no schedule`() async {
    let found = Protected(0)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let failures = await failures {
        await ManualExecutor.explore(schedules: 5) { executor in
          _ = executor
          try Task.checkCancellation()
        }
      }
      found.withLockInAsync { $0 = failures.count }
    }
    await task.value
    #expect(found.withLockInAsync { $0 } == 0)
  }
}
