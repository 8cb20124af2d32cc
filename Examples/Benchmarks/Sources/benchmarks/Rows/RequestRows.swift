import Arbor
import ArborRequests
import ArborTesting
import Synchronization

/// The cost of a cache of requests.
let requestRows = [
  Row(workload: "reading a fresh answer", limit: "reading a derived value", budget: 1.5) { scale in
    let reads = scale.count(1_000_000)
    let world = RequestWorld()
    let answer = world.observe(1)
    let derived = world.factory.rootStore().derived { $0.isOnline }!
    return (
      work: {
        nanoseconds(perOperationOf: reads) { for _ in 0..<reads { consume(answer.value.value) } }
      },
      limit: {
        nanoseconds(perOperationOf: reads) { for _ in 0..<reads { consume(derived.value) } }
      }
    )
  },
  Row(workload: "10,000 observed answers, one is refreshed with an equal value", limit: "20 µs", budget: 1) { scale in
    let (count, values) = (scale.count(10_000), scale.count(1_000))
    let world = RequestWorld()
    let calls = Calls()
    let observed = (0..<count).map { world.observe($0) }
    let stream = world.store.request(world.stream, 0)!
    let subscriptions = (observed + [stream]).map { answer in
      answer.derived { $0.value }.observe(initial: false) { _ in calls.count.add(1, ordering: .relaxed) }
    }
    world.send(0)
    calls.count.store(0, ordering: .relaxed)
    return (
      work: {
        let time = nanoseconds(perOperationOf: values) { for _ in 0..<values { world.send(0) } }
        precondition(calls.count.load(ordering: .relaxed) == 0, "an equal answer notified an observer of the value")
        consume(subscriptions)
        return time
      },
      limit: { 20_000 }
    )
  },
  Row(workload: "1,000 equal requests at once, a request", limit: "10 derived values", budget: 1) { scale in
    let count = scale.count(1_000)
    return (
      work: {
        let world = RequestWorld()
        let time = nanoseconds(perOperationOf: count) {
          let requests = (0..<count).map { _ in world.store.request(world.request, 1) }
          world.executor.run()
          consume(requests)
        }
        precondition(world.fetches == 1, "equal requests were not shared")
        return time
      },
      limit: {
        let world = RequestWorld()
        return nanoseconds(perOperationOf: count) {
          let derived = (0..<10 * count).map { number in world.store.derived { $0.isOnline ? number : 0 } }
          consume(derived)
        }
      }
    )
  },
  Row(workload: "a fetch that begins and is canceled, beside 2,000 others", limit: "beside 10", budget: 3) { scale in
    let (others, fetches) = (scale.count(2_000), scale.count(1_000))
    func time(beside others: Int) -> Double {
      let world = RequestWorld()
      let observed = (0..<others).map { world.observe($0, of: world.endless) }
      defer { consume(observed) }
      return nanoseconds(perOperationOf: fetches) {
        for number in 0..<fetches {
          consume(world.observe(others + number, of: world.endless))
          world.executor.run()
        }
      }
    }
    return (work: { time(beside: others) }, limit: { time(beside: 10) })
  },
  Row(workload: "an idle answer, without its value (bytes)", limit: "fixed", budget: 1) { scale in
    let count = scale.count(10_000)
    return (
      work: {
        let world = RequestWorld()
        consume(world.factory.state)
        guard let before = allocatedBytes() else { return nil }
        for number in 0..<count {
          world.store.dispatch(.prefetch(world.request.id(number)))
          world.executor.run()
        }
        consume(world.factory.state)
        return allocatedBytes().map { Double($0 - before) / Double(count) }
      },
      limit: { 600 }
    )
  },
]

private final class Calls: Sendable {
  let count = Atomic(0)
}

/// A tree with a cache, whose server answers at once.
private final class RequestWorld: Sendable {
  let executor = ManualExecutor()
  let request: Request<Int, Int>
  let stream: Request<Int, Int>

  /// A request whose server never answers.
  let endless: Request<Int, Int>
  let factory: StoreFactory<Requests, RequestAction>
  private let calls: Calls
  private let values: AsyncStream<Int>.Continuation

  init() {
    let calls = Calls()
    self.calls = calls
    request = Request("number", freshFor: nil, keptFor: .seconds(3600)) { number in
      calls.count.add(1, ordering: .relaxed)
      return number
    }
    let (values, continuation) = AsyncStream<Int>.makeStream()
    self.values = continuation
    stream = Request(streaming: "stream") { _ in values }
    let clock = TestClock()
    endless = Request("endless") { number in
      try await clock.sleep(for: .seconds(1))
      return number
    }
    factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request, stream, endless),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  var store: Store<Requests, RequestAction> { factory.rootStore() }

  var fetches: Int { calls.count.load(ordering: .relaxed) }

  /// Sends a value of the stream.
  func send(_ value: Int) {
    values.yield(value)
    executor.run()
  }

  func observe(_ number: Int, of request: Request<Int, Int>? = nil) -> Derived<RequestState<Int>> {
    let answer = store.request(request ?? self.request, number)!
    executor.run()
    return answer
  }
}
