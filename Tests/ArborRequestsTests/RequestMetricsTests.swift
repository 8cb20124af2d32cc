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
      let line = "hits 1, misses 2, shared 1, failed 1; fetches 1, median 2.0 seconds, longest 2.0 seconds"
      #expect("\(metrics.report)" == "number: \(line)")
    }
  }

  @Test func `an observer with another argument counts again`() {
    let selection = StoreFactory<Int?, Int?>(initialState: 1) { state, action in state = action }
    let observed = store.request(world.number, following: selection.rootStore().derived { $0 }!)
    world.executor.run()
    world.answer("number 1", 5)
    for argument in [2, nil, 1] {
      selection.rootStore().dispatchAndWait(argument)
      world.executor.run()
    }
    withExtendedLifetime(observed) {
      let counts = metrics.report.requests["number"]
      #expect((counts?.hits, counts?.misses, counts?.shared) == (1, 2, 0))
    }
  }

  @Test func `percentiles of fetches are close to the durations`() throws {
    let observed = observe(world.slow)
    for _ in 1...99 {
      world.pass(0.1)
      world.answer("slow 1", 1)
      send(.refetch(world.slow.id(1)))
    }
    world.pass(5)
    world.answer("slow 1", 1)
    try withExtendedLifetime(observed) {
      let durations = try #require(metrics.report.requests["slow"]?.durations)
      #expect((durations.count, durations.maximum) == (100, .seconds(5)))
      for percent in [0.0, 50, 99] {
        let time = try #require(durations.percentile(percent))
        #expect(abs(time / .milliseconds(100) - 1) < 0.05)
      }
      for percent in [100, 1000, .nan] {
        #expect(try #require(durations.percentile(percent)) / .seconds(5) > 0.95)
      }
      #expect(durations.percentile(-1) == durations.percentile(0))
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
