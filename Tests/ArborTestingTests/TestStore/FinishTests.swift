import Arbor
import ArborTesting
import Testing

@Suite("Reports of a test store at the end")
struct FinishTests {
  private struct Note: Equatable, Sendable {
    var text: String
  }

  private func store(
    clock: any Clock<Duration> = TestClock(),
    exhaustivity: Exhaustivity = .on
  ) -> TestStore<Shop, ShopAction> {
    TestStore(
      initialState: Shop(),
      effects: { _, action in
        switch action {
        case .load:
          .run(key: "load") { dispatch in
            try await clock.sleep(for: .seconds(1))
            dispatch(.loaded([]))
          }
        case .stop: .cancel("load")
        default: .none
        }
      },
      clock: clock,
      exhaustivity: exhaustivity,
      reducer: shopReducer
    )
  }

  @Test func `actions that were not received are reported`() async {
    let text = await onlyFailure {
      let store = store()
      store.store().dispatch(.tick)
      store.store().dispatch(.visit)
      await store.finish()
      #expect(store.state.visits == 2)
    }
    #expect(
      text == """
        2 actions were not received.

        Expected: no action is held at the end
        Happened: held, in this order:
                  .tick
                  .visit
        To fix this, receive them with `await store.receive(…)`, or skip them with `await store.skipReceivedActions()`.
        """
    )
  }

  @Test(arguments: [20, 21])
  func `up to twenty actions are listed, and the others are counted`(count: Int) async {
    let text = await onlyFailure {
      let store = store()
      store.store().dispatch(batch: Array(repeating: .visit, count: count))
      await store.finish()
    }
    let listed = text.split(separator: "\n").filter { $0.hasSuffix(".visit") }
    #expect(listed.count == 20)
    #expect(text.contains("and 1 more") == (count == 21))
    #expect(!text.contains("and 0 more"))
  }

  @Test func `a running effect is reported`() async {
    let clock = TestClock()
    let text = await onlyFailure {
      let store = store(clock: clock)
      await store.send(.load) { $0.isLoading = true }
      await store.finish()
    }
    #expect(
      text == """
        1 effect or task is running at the end.

        Expected: all of them have ended
        Happened: the effect "load", started by .load: sleeps on a clock that the test advances
        To fix this, end each of them (advance its clock, or trigger the event that it waits for), cancel it in the test as the program would, \
        or skip it with `await store.skipRunningEffects()`.
        """
    )
    #expect(clock.sleepers == 0)
  }

  @Test func `an effect that was canceled by its key is not reported`() async {
    let store = store()
    await store.send(.load) { $0.isLoading = true }
    await store.send(.stop) { $0.isLoading = false }
    await store.finish()
  }

  @Test func `an effect that the test skips is not reported`() async {
    let store = store()
    await store.send(.load) { $0.isLoading = true }
    await store.skipRunningEffects()
    await store.finish()
  }

  @Test func `actions of a canceled effect need not be received`() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: Shop(),
      effects: { _, action in
        guard action == .load else { return .none }
        return .run(key: "load") { dispatch in
          dispatch(.loaded([]))
          try await clock.sleep(for: .seconds(1))
        }
      },
      clock: clock,
      reducer: shopReducer
    )
    await store.send(.load) { $0.isLoading = true }
    store.store().cancel("load")
    await store.finish()
    #expect(store.transcript == "sent .load\n  isLoading: false → true")
  }

  @Test func `activities that were not received are reported`() async {
    let text = await onlyFailure {
      let store = store()
      store.store().emit(Note(text: "a"))
      store.store().emit(3)
      await store.finish()
    }
    #expect(
      text == """
        2 activities were not received.

        Expected: the test receives all activities
        Happened: emitted, in this order:
                  Note(text: "a")
                  3
        To fix this, receive them with `await store.receive(activity: …)`.
        """
    )
  }

  @Test func `activities are received in order`() async {
    let store = store()
    store.store().emit(Note(text: "a"))
    store.store().emit(Note(text: "b"))
    await store.receive(activity: Note(text: "a"))
    let found = await failures {
      await store.receive(activity: Note(text: "c"))
      await store.receive(activity: Note(text: "b"))
    }
    #expect(
      found.map(\.failure.text) == [
        """
        Note(text: "c") was not the next activity.

        Expected: Note(text: "c")
        Happened: emitted, in this order:
                  Note(text: "b")
        To fix this, receive the activities in the order in which they were emitted, or fix the code that emits them.
        """,
        """
        Note(text: "b") was not received.

        Expected: Note(text: "b")
        Happened: no activity was emitted
        To fix this, emit it, or do not receive it.
        """,
      ]
    )
    await store.finish()
  }

  @Test func `a store released without finish is one failure, where it was created`() async {
    let found = await failures {
      let store = TestStore(initialState: Shop(), reducer: shopReducer)
      await store.send(.visit) { $0.visits = 1 }
    }
    #expect(
      found.map(\.failure.text) == [
        """
        A test store was released without a call of `finish()`.

        Expected: `finish()` at the end of the test, which asserts that nothing is left
        Happened: the test store made here was released without it
        To fix this, call `await store.finish()` at the end of the test.
        """
      ]
    )
    #expect(found.map(\.place.line) == [#line - 14])
  }

  @Test func `calls after finish require another finish`() async {
    let found = await failures {
      let store = store()
      await store.finish()
      await store.finish()
      await store.send(.visit) { $0.visits = 1 }
    }
    #expect(found.count == 1)
  }

  @Test func `an error that is not handled is a failure`() async {
    struct Broken: Error {}
    let text = await onlyFailure {
      let store = TestStore(
        initialState: Shop(),
        effects: { _, action in action == .load ? .run(key: "load") { _ in throw Broken() } : .none },
        reducer: shopReducer
      )
      await store.send(.load) { $0.isLoading = true }
      await store.finish()
    }
    #expect(
      text == """
        The effect "load" threw an error that no code handles.

        Expected: an effect that turns its errors into actions, or an `onEffectError:` that handles them
        Happened: Broken(), in the effect that .load started
        To fix this, catch the error in the effect, or give the test store an `onEffectError:`.
        """
    )
  }
}
