import Arbor
import ArborTesting
import Testing

@Suite("Children and scopes of a test store")
struct TestStoreTreeTests {
  private struct Selection: Equatable, Sendable {
    var index = 0
  }

  private func child(of store: TestStore<Shop, ShopAction>) -> TestStore<ChildState<Shop, Selection>, ShopAction> {
    store.childStore(
      initialState: Selection(),
      feature: Feature(
        interceptor: { action, dispatch in if action == .load { dispatch(.tick) } },
        reducer: { selection, action in if action == .visit { selection.index += 1 } }
      )
    )
  }

  @Test func `a child asserts its own state and the one above`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let child = child(of: store)
    await child.send(.visit) {
      $0.local.index = 1
      $0.parent.visits = 1
    }
    await store.send(.visit) { $0.visits = 2 }
    await child.send(.load) { $0.parent.isLoading = true }
    await child.receive(.tick) { $0.parent.visits = 3 }
    #expect(child.state == ChildState(parent: store.state, local: Selection(index: 1)))
    await store.finish()
    #expect(
      store.transcript == """
        sent .visit, to Selection#1
          Selection#1: index: 0 → 1
          Shop: visits: 0 → 1
        sent .visit
          visits: 1 → 2
        sent .load, to Selection#1
          Shop: isLoading: false → true
        received .tick, to Selection#1
          Shop: visits: 2 → 3
        """
    )
    #expect(child.history.map(\.after.local.index) == [1, 1, 1])
    #expect(store.history.map(\.after.visits) == [1, 2, 2, 3])
  }

  @Test func `receiving an action of another store is a failure`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let child = child(of: store)
    await child.send(.load) { $0.parent.isLoading = true }
    let text = await onlyFailure { await store.receive(.tick) { $0.visits = 1 } }
    #expect(
      text == """
        The next action is not .tick.

        Expected: .tick
        Happened: .tick, dispatched to Selection#1
        To fix this, receive it on the test store of the store that it was dispatched to, or skip it with \
        `await store.skipReceivedActions()`.
        """
    )
    #expect(store.state.visits == 1)
    await store.finish()
  }

  @Test func `a child is created and released within a test`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    for visits in 1...3 {
      let child = child(of: store)
      await child.send(.visit) {
        $0.local.index = 1
        $0.parent.visits = visits
      }
    }
    do {
      let child = child(of: store)
      await child.send(.load) { $0.parent.isLoading = true }
    }
    #expect(store.state.visits == 3)
    let text = await onlyFailure { await store.finish() }
    #expect(text.hasPrefix("1 action was not received."))
    #expect(store.state.visits == 4, "an accepted action is reduced, although its store is gone")
  }

  @Test func `a child may compose its state in its own way`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let child = store.childStore(
      initialState: 0,
      stateMapping: { shop, own in [shop.visits, own] },
      feature: Feature { own, action in if action == .visit { own += 10 } }
    )
    await child.send(.visit) { $0 = [1, 10] }
    await child.childStore(initialState: 5, feature: Feature()).send(.tick) { $0.parent[0] = 2 }
    await child.finish()
  }

  @Test func `a scope asserts its part, with its own actions`() async {
    enum BasketAction: Equatable, Sendable {
      case add(String, price: Int)
    }
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let basket = store.scope(to: \.basket) { (action: BasketAction) in
      switch action {
      case .add(let item, let price): .add(item, price: price)
      }
    } extract: { action in
      if case .add(let item, let price) = action { .add(item, price: price) } else { nil }
    }
    await basket.send(.add("tea", price: 3)) {
      $0.items = ["tea"]
      $0.prices["tea"] = 3
    }
    basket.store().dispatch(.add("rum", price: 9))
    await basket.receive(.add("rum", price: 9)) {
      $0.items.append("rum")
      $0.prices["rum"] = 9
    }
    let visits = store.scope(to: \.visits)
    await visits.send(.visit) { $0 = 1 }
    await store.finish()
    #expect(basket.history.map(\.after.items.count) == [1, 2, 2])
    #expect(visits.history.map(\.after) == [0, 0, 1])
  }

  @Test func `activities emitted below are received above, but not the reverse`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let child = child(of: store)
    store.store().emit("above")
    child.store().emit("below")
    await child.receive(activity: "below")
    await store.receive(activity: "above")
    child.store().emit("again")
    await store.receive(activity: "again")
    await store.finish()
  }

  @Test func `two simultaneous test stores do not interfere`() async {
    let stores = (1...2).map { _ in TestStore(initialState: Shop(), reducer: shopReducer) }
    for store in stores { store.store().dispatch(.tick) }
    await stores[1].receive(.tick) { $0.visits = 1 }
    #expect(stores[0].state.visits == 0)
    await stores[0].receive(.tick) { $0.visits = 1 }
    for store in stores { await store.finish() }
  }

  @Test func `two test stores share an executor, and each holds its own actions`() async {
    let executor = ManualExecutor()
    let clock = TestClock()
    let stores = (1...2).map { _ in
      TestStore(
        initialState: Shop(),
        effects: { _, action in action == .load ? .run { $0(.loaded([])) } : .none },
        clock: clock,
        executor: executor,
        reducer: shopReducer
      )
    }
    await stores[0].send(.load) { $0.isLoading = true }
    await stores[1].send(.load) { $0.isLoading = true }
    await stores[1].receive(.loaded([])) { $0.isLoading = false }
    await stores[0].receive(.loaded([])) { $0.isLoading = false }
    for store in stores { await store.finish() }
    #expect(executor.pending == 0)
  }

  @Test func `observers are called, and the actions that they dispatch are held`() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    let proxy = store.store()
    let seen = Log()
    let subscription = proxy.observe(removeDuplicates: .by(\.visits)) { (shop: Shop) in
      seen.add("\(shop.visits)")
      if shop.visits == 1 { proxy.dispatch(.coupon("thanks")) }
    }
    await store.send(.visit) { $0.visits = 1 }
    await store.receive(.coupon("thanks")) { $0.coupon = "thanks" }
    #expect(seen.lines == ["0", "1"])
    await store.finish()
    subscription.cancel()
  }

  @Test func `commits are received by name, and waiting ones are asserted by during`() async {
    let store = TestStore(initialState: Shop())
    func rename() {
      store.store().commitLater(named: "rename") { $0.coupon = "new" }
    }
    rename()
    await store.receive(where: { $0.name == "rename" }, { $0.coupon = "new" })
    let visits = await store.during {
      store.store().commit { shop in
        shop.visits += 1
        return shop.visits
      }
    } expect: {
      $0.visits = 1
    }
    #expect(visits == 1)
    await store.send(Mutation { $0.visits = 5 }) { $0.visits = 5 }
    let text = await onlyFailure {
      store.store().commit(named: "alone") { $0.visits = 7 }
      await store.send(Mutation { $0.visits = 8 }) { $0.visits = 8 }
    }
    #expect(
      text == """
        After this call, 1 action was reduced that the test neither sent nor received.

        Expected: the test sends or receives every action
        Happened: a waiting call (`dispatchAndWait`, `commit`) ran them, so they were not held:
                  alone
        To fix this, run the waiting code in `await store.during { … } expect: { … }`, or dispatch them without waiting and receive them.
        """
    )
    await store.finish()
  }
}
