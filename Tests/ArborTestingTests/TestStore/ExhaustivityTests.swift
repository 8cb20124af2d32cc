import Arbor
import ArborTesting
import Testing

@Suite("Exhaustivity of a test")
struct ExhaustivityTests {
  private func store(_ exhaustivity: Exhaustivity) -> TestStore<Shop, ShopAction> {
    TestStore(
      initialState: Shop(),
      interceptors: [
        Interceptor { action, context in
          if action == .load {
            context.dispatch(.tick)
            context.dispatch(.visit)
            context.emit("loading")
          }
          return .pass
        }
      ],
      effects: { _, action in action == .load ? .run { _ in try await TestClock().sleep(for: .seconds(1)) } : .none },
      exhaustivity: exhaustivity,
      reducer: shopReducer
    )
  }

  @Test func `with off a closure asserts only the parts that it sets`() async {
    let store = store(.off)
    await store.send(.add("tea", price: 3)) { $0.basket.items = ["tea"] }
    await store.send(.add("rum", price: 9))
    await store.send(.visit) { $0.visits += 1 }
    await store.finish()
  }

  @Test func `with off a wrong value is still a failure`() async {
    let text = await onlyFailure {
      let store = store(.off)
      await store.send(.add("tea", price: 3)) { $0.basket.items = ["rum"] }
      await store.finish()
    }
    #expect(
      text == """
        The state after .add("tea", price: 3) is not the expected one.

        Expected: the previous state, as the closure changes it
        Happened: 1 part differs, expected → happened:
          basket.items[0]: "rum" → "tea"
        To fix this, set the values in the closure that the reducers set, or fix the reducers. The closure receives the state \
        after the reducers: set values, and don't add to existing ones.
        """
    )
  }

  @Test func `with off actions that the test does not mention are received in their turn`() async {
    let store = store(.off)
    await store.send(.load) { $0.isLoading = true }
    #expect(store.state.visits == 0)
    await store.receive(.visit) { $0.visits = 2 }
    await store.send(.load)
    await store.send(.look) { $0.visits = 4 }
    await store.send(.load)
    await store.skipReceivedActions()
    #expect(store.state.visits == 6)
    await store.finish()
  }

  @Test func `with off an action that is never sent is still a failure`() async {
    let text = await onlyFailure {
      let store = store(.off)
      await store.send(.load)
      await store.skipRunningEffects()
      await store.receive(.stop)
      await store.finish()
    }
    #expect(
      text == """
        .stop was not received.

        Expected: .stop
        Happened: no action is held, and no running effect could send one
        To fix this, dispatch it in an effect, an interceptor or an observer, or do not receive it.
        """
    )
  }

  @Test func `with off a wait receives held actions`() async {
    let store = store(.off)
    await store.send(.load)
    #expect(store.store().state?.visits == 2)
    await store.finish()
  }

  @Test func `with off activities are found after others`() async {
    let store = store(.off)
    store.store().emit("a")
    store.store().emit("b")
    store.store().emit("c")
    await store.receive(activity: "b")
    let text = await onlyFailure { await store.receive(activity: "a") }
    #expect(
      text == """
        "a" was not the next activity.

        Expected: "a"
        Happened: emitted, in this order:
                  "c"
        To fix this, receive the activities in the order in which they were emitted, or fix the code that emits them.
        """
    )
    await store.finish()
  }

  @Test func `skipped events are reported on request`() async {
    let found = await failures {
      let store = store(.off(showSkipped: true))
      await store.send(.add("tea", price: 3)) { $0.basket.items = ["tea"] }
      await store.send(.load) { $0.isLoading = true }
      await store.send(.look)
      await store.finish()
    }
    #expect(found.allSatisfy { $0.failure.severity == .warning })
    #expect(
      found.map(\.failure.text) == [
        """
        .add("tea", price: 3) changed more than the test asserts.

        Happened: 1 part differs, expected → happened:
          basket.prices["tea"]: + 3
        To fix this, assert these changes, too, or set the exhaustivity to `.off`, which doesn't report it.
        """,
        """
        2 actions were received without an assertion of the test.

        Happened: .tick
                  .visit
        To fix this, receive them with `await store.receive(…)`, or set the exhaustivity to `.off`, which doesn't report it.
        """,
        """
        1 effect or task was cancelled at the end.

        Happened: the effect without a key, started by .load: sleeps on a clock that the test advances
        To fix this, end each of them in the test, or set the exhaustivity to `.off`, which doesn't report it.
        """,
        """
        1 activity was emitted and not received by the test.

        Happened: "loading"
        To fix this, receive them with `await store.receive(activity: …)`, or set the exhaustivity to `.off`, which doesn't report it.
        """,
      ]
    )
  }

  @Test func `exhaustivity may change during a test`() async {
    let store = store(.on)
    store.exhaustivity = .off
    await store.send(.load)
    await store.skipRunningEffects()
    store.exhaustivity = .on
    let found = await failures { await store.send(.visit) }
    #expect(found.count == 2, "what is held, and what is not asserted")
    store.exhaustivity = .off
    await store.finish()
  }
}
