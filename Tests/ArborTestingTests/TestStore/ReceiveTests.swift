import Arbor
import ArborTesting
import Testing

@Suite("Receiving in a test store")
struct ReceiveTests {
  /// An interceptor that dispatches two actions for each visit.
  private static let twice = Interceptor<Shop, ShopAction> { action, context in
    if action == .visit {
      context.dispatch(.tick)
      context.dispatch(.add("tea", price: 3))
    }
    return .pass
  }

  private func store(_ interceptors: [Interceptor<Shop, ShopAction>] = [twice]) -> TestStore<Shop, ShopAction> {
    TestStore(initialState: Shop(), interceptors: interceptors, reducer: shopReducer)
  }

  @Test func `dispatched actions are held until they are received`() async {
    let store = store()
    await store.send(.visit) { $0.visits = 1 }
    #expect(store.state == Shop(visits: 1))
    await store.receive(.tick) { $0.visits = 2 }
    #expect(store.state.basket == Shop.Basket())
    await store.receive(.add("tea", price: 3)) {
      $0.basket.items = ["tea"]
      $0.basket.prices = ["tea": 3]
    }
    await store.finish()
  }

  @Test func `actions are received by a predicate, and by an extracted payload`() async {
    let store = store()
    await store.send(.visit) { $0.visits = 1 }
    await store.receive(where: { $0 == .tick }, { $0.visits = 2 })
    let item = await store.receive(extract: \.addedItem) { shop, item in
      shop.basket.items = [item]
      shop.basket.prices = [item: 3]
    }
    #expect(item == "tea")
    await store.finish()
  }

  @Test func `a batch is received as a whole`() async {
    let store = store([])
    store.store().dispatch(batch: [.visit, .tick])
    await store.receive(batch: [.visit, .tick]) { $0.visits = 2 }
    await store.send(batch: [.visit, .look]) { $0.visits = 3 }
    await store.finish()
    let text = await onlyFailure {
      let store = self.store([])
      store.store().dispatch(batch: [.visit, .tick])
      await store.receive(.visit) { $0.visits = 1 }
      await store.finish()
    }
    #expect(
      text == """
        The next action is not .visit.

        Expected: .visit
        Happened: the batch .visit, .tick
        To fix this, expect the batch .visit, .tick, or fix the code that dispatches it.
        """
    )
  }

  @Test func `receiving a different action is a failure`() async {
    let store = store([])
    store.store().dispatch(.add("tea", price: 3))
    let text = await onlyFailure {
      await store.receive(.add("tea", price: 4)) { $0.visits = 1 }
    }
    #expect(
      text == """
        The next action is not .add("tea", price: 4).

        Expected: .add("tea", price: 4)
        Happened: .add("tea", price: 3)
          add.price: 4 → 3
        To fix this, expect .add("tea", price: 3), or fix the code that dispatches it.
        """
    )
    #expect(store.state.basket.items == ["tea"])
    await store.finish()
  }

  @Test func `receiving actions in the wrong order is a failure`() async {
    let text = await onlyFailure {
      let store = store()
      await store.send(.visit) { $0.visits = 1 }
      await store.receive(.add("tea", price: 3))
      await store.skipReceivedActions()
      await store.finish()
    }
    #expect(
      text == """
        The next action is not .add("tea", price: 3).

        Expected: .add("tea", price: 3)
        Happened: .tick
        To fix this, receive .tick first: .add("tea", price: 3) is held after it.
        """
    )
  }

  @Test func `receiving an action that fails the predicate or has no payload is a failure`() async {
    let found = await failures {
      let store = store()
      await store.send(.visit) { $0.visits = 1 }
      await store.receive(where: { $0 == .stop })
      let nothing = await store.receive(extract: \.loadedItems)
      #expect(nothing == nil)
      await store.finish()
    }
    #expect(
      found.map(\.failure.text) == [
        """
        The next action is not an action that matches the predicate.

        Expected: an action that matches the predicate
        Happened: .tick
        To fix this, expect .tick, or fix the code that dispatches it.
        """,
        """
        The next action is not an action with a payload of type Array<String>.

        Expected: an action with a payload of type Array<String>
        Happened: .add("tea", price: 3)
        To fix this, expect .add("tea", price: 3), or fix the code that dispatches it.
        """,
      ]
    )
  }

  @Test func `receiving an action that was never sent is a failure`() async {
    let text = await onlyFailure {
      let store = store([])
      await store.receive(.tick)
      await store.finish()
    }
    #expect(
      text == """
        .tick was not received.

        Expected: .tick
        Happened: no action is held, and no running effect could send one
        To fix this, dispatch it in an effect, an interceptor or an observer, or do not receive it.
        """
    )
  }

  @Test func `receiving an action too early is a failure`() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: Shop(),
      effects: { _, action in
        guard action == .load else { return .none }
        return .run(key: "load") { dispatch in
          try await clock.sleep(for: .seconds(1))
          dispatch(.loaded(["tea"]))
        }
      },
      clock: clock,
      reducer: shopReducer
    )
    await store.send(.load) { $0.isLoading = true }
    let text = await onlyFailure { await store.receive(.loaded(["tea"])) }
    #expect(
      text == """
        .loaded(["tea"]) was not received.

        Expected: .loaded(["tea"])
        Happened: no action is held; still running or waiting:
                  the effect "load", started by .load: sleeps on a clock that the test advances
        To fix this, advance the clock before this line, `clock.advance(by: …)`, or do not receive it.
        """
    )
    clock.advance(by: .seconds(1))
    await store.receive(.loaded(["tea"])) {
      $0.isLoading = false
      $0.basket.items = ["tea"]
    }
    await store.finish()
  }

  @Test func `sending while others are held is a failure`() async {
    let store = store()
    await store.send(.visit) { $0.visits = 1 }
    let text = await onlyFailure { await store.send(.look) }
    #expect(
      text == """
        .look was sent while 2 actions are held.

        Expected: the test receives all dispatched actions before it sends another
        Happened: held, in this order:
                  .tick
                  .add("tea", price: 3)
        To fix this, receive them first, with `await store.receive(…)`, or set the exhaustivity to `.off`.
        """
    )
    #expect(store.state.visits == 2)
    await store.finish()
  }

  @Test func `a waiting call while actions are held is a failure`() async {
    let store = store()
    await store.send(.visit) { $0.visits = 1 }
    let text = await onlyFailure {
      #expect(store.store().state?.visits == 2)
      await store.send(.look)
    }
    #expect(
      text == """
        After this call, code waited for a store while 2 actions were held.

        Expected: the test receives all dispatched actions before code waits for them
        Happened: these were reduced without being received:
                  .tick
                  .add("tea", price: 3)
        To fix this, receive them before a call that waits (`state`, `dispatchAndWait`, `commit`), or run the code that waits by \
        `await store.during { … } expect: { … }`.
        """
    )
    await store.finish()
  }

  @Test func `an action reduced for a waiting caller is a failure`() async {
    let store = store([])
    let text = await onlyFailure {
      await store.store().dispatchAndWait(.visit)
      await store.send(.look)
    }
    #expect(
      text == """
        After this call, code waited for a store while 1 action was held.

        Expected: the test receives all dispatched actions before code waits for them
        Happened: these were reduced without being received:
                  .visit
        To fix this, receive them before a call that waits (`state`, `dispatchAndWait`, `commit`), or run the code that waits by \
        `await store.during { … } expect: { … }`.
        """
    )
    await store.finish()
  }

  @Test func `ten thousand actions of an interceptor are a failure`() async {
    let store = TestStore(
      initialState: Shop(),
      interceptor: { action, dispatch in
        guard action == .load else { return }
        for _ in 1...10_000 { dispatch(.tick) }
      },
      reducer: shopReducer
    )
    await store.send(.load) { $0.isLoading = true }
    for count in 1...10_000 {
      await store.receive(.tick) { $0.visits = count }
    }
    await store.finish()
    #expect(store.history.count == 10_001)
  }

  @Test func `a dropped action changes nothing, and is received anyway`() async {
    let store = store([
      Interceptor { action, context in
        if action == .visit { context.dispatch(.tick) }
        return action == .tick ? .drop : .pass
      }
    ])
    await store.send(.visit) { $0.visits = 1 }
    await store.receive(.tick)
    await store.finish()
    #expect(store.transcript == "sent .visit\n  visits: 0 → 1\nreceived .tick, dropped")
  }
}
