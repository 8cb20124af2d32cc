import Arbor
import ArborRequests
import ArborTesting
import TestSupport

/// A store with a cache, its server, and a clock in hand.
final class RequestWorld: Sendable {
  let executor = ManualExecutor()
  let clock = TestClock()
  let server: Server
  let number: Request<Int, Int>
  let slow: Request<Int, Int>
  let add: Change<Addition, Int>
  let factory: StoreFactory<Requests, RequestAction>

  struct Addition: Codable, Equatable, Sendable {
    var id = 1
    let amount: Int
  }

  init(
    _ cache: Requests = Requests(),
    freshFor: Duration? = .seconds(10),
    every interval: Duration? = nil,
    retries: Int = 0,
    timeout: Duration? = nil
  ) {
    let server = Server()
    let number = Request<Int, Int>(
      "number",
      freshFor: freshFor,
      keptFor: .seconds(60),
      retries: retries,
      backoff: .constant(.seconds(1)),
      every: interval,
      timeout: timeout,
      tags: { id, _ in [RequestTag("number", id)] },
      fetch: { id in try await server.call("number \(id)") }
    )
    let slow = Request<Int, Int>(
      "slow",
      tags: { _, value in [RequestTag("parity", value % 2)] },
      fetch: { id in try await server.call("slow \(id)") }
    )
    let add = Change<Addition, Int>(
      "add",
      inOrder: { RequestTag("number", $0.id) },
      invalidates: { [RequestTag("number", $0.id)] },
      optimistic: { input in [number.patch(input.id) { $0 += input.amount }] },
      send: { input, _ in try await server.call("add \(input.amount)") }
    )
    (self.server, self.number, self.slow, self.add) = (server, number, slow, add)
    factory = StoreFactory(
      initialState: cache,
      feature: Requests.feature(number, slow, add),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    executor.run()
  }

  var store: Store<Requests, RequestAction> { factory.rootStore() }

  func send(_ action: RequestAction) {
    store.dispatch(action)
    executor.run()
  }

  func answer(_ name: String, _ value: Int) {
    server.answer(name, value)
    executor.run()
  }

  func fail(_ name: String) {
    server.fail(name)
    executor.run()
  }

  /// Runs work until another task has called the server.
  func untilCalled() async {
    while server.open.isEmpty {
      await Task.yield()
      executor.run()
    }
  }

  /// Advances the clock and runs the due work.
  func pass(_ seconds: Double) {
    clock.advance(by: .seconds(seconds))
    executor.run()
  }

  /// Observes a number.
  func observe(_ id: Int = 1) -> Derived<RequestState<Int>> {
    let observed = store.request(number, id)!
    executor.run()
    return observed
  }
}
