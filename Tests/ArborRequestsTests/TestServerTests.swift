import Arbor
import ArborRequests
import ArborRequestsTesting
import ArborTesting
import TestSupport
import Testing

@Suite("The server of a test store")
struct TestServerTests {
  struct App: Equatable, Sendable {
    var requests = Requests()
  }

  struct Refusal: Error {}

  static let number = Request<Int, Int>("number", freshFor: nil, retries: 0) { _ in throw Refusal() }
  static let list = Request<NoValue, Pages<Int, [Int]>>(
    pages: "list", first: 0, next: { $0.first }, fetch: { _, _ in throw Refusal() }
  )
  static let ticker = Request<NoValue, Int>(streaming: "ticker") { _ in AsyncStream<Int> { $0.finish() } }
  static let double = Change<Int, Int>(
    "double",
    optimistic: { input in [number.patch(input) { $0 *= 2 }] },
    send: { _, _ in throw Refusal() }
  )

  let store = TestStore(
    initialState: Requests(),
    feature: Requests.feature(number, list, ticker, double),
    exhaustivity: .off
  )
  var requests: Store<Requests, RequestAction> { store.store() }

  @Test func `answers, failures and calls that hang come as the test says`() async {
    store.server.answers(Self.number, 1, with: 10)
    store.server.fails(Self.number, 2, with: RequestFailure(.thrown, "gone"))
    store.server.hangs(Self.number, 3)
    let observed = (1...3).map { requests.request(Self.number, $0)! }
    await store.skipReceivedActions()
    #expect(observed.map(\.value.phase) == [.loaded(10), .failed(RequestFailure(.thrown, "gone")), .loading])
    store.server.answers(Self.number, 3, with: 30)
    await store.skipReceivedActions()
    #expect(observed[2].value.phase == .loaded(30))
    #expect(store.server.calls == ["number(1)", "number(2)", "number(3)"])
    await store.finish()
  }

  @Test func `a call without an answer is a failure that names it`() async {
    let failures = await TestRunner.catching {
      _ = store.server
      let observed = requests.request(Self.number, 4)
      await store.skipReceivedActions()
      #expect(observed?.value.failure?.reason == "the server of the test has no answer to number(4)")
    }
    .failures
    #expect(
      failures.map(\.failure.summary) == ["number(4) was called, but the server of the test has no answer to it."])
    await store.finish()
  }

  @Test func `pages have a rule for each cursor`() async {
    store.server.answers(Self.list, NoValue(), at: 0, with: [5, 6])
    store.server.answers(Self.list, NoValue(), at: 5, with: [9])
    let observed = requests.request(Self.list, NoValue())
    await store.skipReceivedActions()
    await store.send(.fetchPage(Self.list.id(NoValue()), .next))
    await store.skipReceivedActions()
    #expect(observed?.value.value?.pages == [[5, 6], [9]])
    #expect(store.server.calls == ["list() at 0", "list() at 5"])
    await store.finish()
  }

  @Test func `a stream goes on with each rule`() async {
    store.server.hangs(Self.ticker, NoValue())
    var observed = requests.request(Self.ticker, NoValue())
    await store.skipReceivedActions()
    for value in 1...3 {
      store.server.answers(Self.ticker, NoValue(), with: value)
      await store.skipReceivedActions()
      #expect((observed?.value.value, observed?.value.isFetching) == (value, true))
    }
    observed = nil
    await store.skipReceivedActions()
    #expect(!store.state[Self.ticker, NoValue()].isFetching)
    await store.finish()
  }

  @Test func `a change that hangs is seen, and taken back when it fails`() async {
    store.server.answers(Self.number, 1, with: 10)
    store.server.hangs(Self.double, 1)
    let observed = requests.request(Self.number, 1)
    await store.skipReceivedActions()
    await store.send(Self.double.action(1))
    #expect((observed?.value.value, store.state[Self.number, 1].value) == (20, 20))
    store.server.fails(Self.double, 1, with: Refusal())
    await store.skipReceivedActions()
    #expect(observed?.value.value == 10)
    await store.finish()
  }

  @Test func `an answer of another type is a failure of the test and of its entry`() async {
    let failures = await TestRunner.catching {
      store.server.answers(Self.number, 1, with: "ten")
      store.server.answers(Self.double, 1, with: "ten")
      let observed = requests.request(Self.number, 1)
      await store.skipReceivedActions()
      #expect(observed?.value.failure?.kind == .undecodable)
      await store.finish()
    }
    .failures
    #expect(
      failures.map(\.failure.summary)
        == ["number(1)", "double(1)"].map {
          "The rule for \($0) doesn't fit its definition: the answer is a String, not a Int."
        }
    )
  }
}
