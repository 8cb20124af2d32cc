import Arbor
import ArborRequests
import ArborTesting
import TestSupport
import Testing

@Suite("The metrics of a cache")
struct RequestMetricsTests {
  struct AppState: Equatable, Sendable {
    var requests = Requests()
  }

  enum AppAction: Sendable {
    case requests(RequestAction)
    case other

    var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
  }

  let world = RequestWorld()
  let metrics = RequestMetrics(\AppState.requests) { (action: AppAction) in action.requests }
  let factory: StoreFactory<AppState, AppAction>

  init() {
    factory = StoreFactory(
      initialState: AppState(),
      feature: Requests.feature(world.number, world.slow)
        .scoped(to: \.requests, action: AppAction.requests, extract: \.requests),
      settings: TreeSettings(clock: world.clock, monitors: [metrics], executor: world.executor)
    )
    world.executor.run()
  }

  var store: Store<Requests, RequestAction> {
    factory.rootStore().scope(to: \.requests, action: AppAction.requests)
  }

  func observe(_ request: Request<Int, Int>) -> Derived<RequestState<Int>>? {
    defer { world.executor.run() }
    return store.request(request, 1)
  }

  func send(_ action: RequestAction) {
    store.dispatch(action)
    world.executor.run()
  }

  @Test func `observers are hits, misses, or share a fetch`() {
    let first = observe(world.number)
    let second = observe(world.number)
    world.pass(2)
    world.answer("number 1", 5)
    let third = observe(world.number)
    world.pass(10)
    let fourth = observe(world.number)
    world.pass(1)
    world.fail("number 1")
    withExtendedLifetime([first, second, third, fourth]) {
      let counts = metrics.report.requests["number"]
      #expect((counts?.hits, counts?.misses, counts?.shared, counts?.failures) == (1, 2, 1, 1))
      #expect((counts?.durations.count, counts?.durations.maximum) == (1, .seconds(2)))
      #expect(metrics.report.requests.count == 1)
      #expect(
        "\(metrics.report)"
          == "number: 1 hits, 2 misses, 1 shared, 1 failed; 1 fetches, half of them within 2.0 seconds, the longest 2.0 seconds"
      )
    }
  }

  @Test func `without a connection an observer is a miss, and a canceled fetch has no duration`() {
    send(.becameOffline)
    var observed = observe(world.number)
    send(.becameOnline)
    withExtendedLifetime(observed) {}
    observed = nil
    world.executor.run()
    let counts = metrics.report.requests["number"]
    #expect((counts?.misses, counts?.failures, counts?.durations.count) == (1, 0, 0))
  }
}
