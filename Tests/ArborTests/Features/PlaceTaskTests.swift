import Arbor
import ArborTesting
import Testing

@Suite("Places: the tasks of scopes and of features")
struct PlaceTaskTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let log = Recorder<String>()

  /// Starts a task that lasts until it is cancelled.
  private func start<State, Action>(_ key: String, at store: Store<State, Action>) {
    store.task(key: key) { [log, clock] _ in
      do {
        try await clock.sleep(for: .seconds(100))
      } catch {
        log.append("cancelled \(key)")
      }
    }
    executor.run()
  }

  private var cancelled: [String] { log.values.filter { $0.hasPrefix("cancelled") } }

  private func makeShop(_ state: Shop.State) -> StoreFactory<Shop.State, Shop.Action> {
    StoreFactory(initialState: state, feature: Shop.app(log: log, clock: clock), clock: clock, executor: executor)
  }

  // MARK: Optional parts

  @Test func `F3 a scope's task is cancelled with its part, though a feature has used the place before`() {
    let factory = makeShop(Shop.State(second: Shop.Counter(count: 1)))
    factory.dispatchAndWait(.second(.work))
    executor.run()
    start("scope", at: factory.scope(toOptional: \.second, action: Shop.Action.second))
    factory.change { $0.second?.count = 2 }
    executor.run()
    #expect(cancelled == [])
    factory.change { $0.second = nil }
    executor.run()
    #expect(cancelled.sorted() == ["cancelled at 1", "cancelled scope"])
  }

  @Test func `F3 a scope's task is cancelled with its part, though the place was only asked for before`() {
    let factory = makeShop(Shop.State(second: Shop.Counter()))
    let second = factory.scope(toOptional: \.second, action: Shop.Action.second)
    // Another scope to the same place, which need not be optional.
    let other = factory.scope(to: \.second) { (_: Int) in Shop.Action.second(.load) }
    start("other", at: other)
    start("scope", at: second)
    factory.change { $0.second = nil }
    executor.run()
    #expect(cancelled == ["cancelled scope"])
    #expect(second.isRunning("other"))
    factory.cancel("other", at: \.second)
    executor.run()
    #expect(cancelled == ["cancelled scope", "cancelled other"])
  }
}
