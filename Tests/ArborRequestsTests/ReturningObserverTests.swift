import Arbor
import ArborRequests
import ArborTesting
import TestSupport
import Testing

@Suite("Observers that leave and return")
struct ReturningObserverTests {
  /// A stream of numbers, and the continuations of its calls.
  private struct StreamWorld {
    let executor = ManualExecutor()
    let clock = TestClock()
    let calls = RecordedValues<AsyncStream<Int>.Continuation>()
    let numbers: Request<NoValue, Int>
    let factory: StoreFactory<Requests, RequestAction>

    init() {
      let calls = calls
      numbers = Request(streaming: "numbers") { _ in
        let (stream, call) = AsyncStream<Int>.makeStream()
        calls.append(call)
        return stream
      }
      factory = StoreFactory(
        initialState: Requests(),
        feature: Requests.feature(numbers),
        settings: TreeSettings(clock: clock, executor: executor)
      )
    }

    func observe() -> Derived<RequestState<Int>> {
      let observed = factory.rootStore().request(numbers, NoValue())!
      executor.run()
      return observed
    }

    func send(_ value: Int?) {
      if let value { calls.values.last!.yield(value) } else { calls.values.last!.finish() }
      executor.run()
    }
  }

  @Test func `a stream begins again when an observer returns`() {
    let world = StreamWorld()
    var observed: Derived<RequestState<Int>>? = world.observe()
    world.send(1)
    #expect(observed?.value.value == 1)
    observed = nil
    world.executor.run()
    observed = world.observe()
    #expect((observed?.value.value, observed?.value.isStale, observed?.value.isFetching) == (1, true, true))
    #expect(world.calls.values.count == 2)
    world.send(2)
    #expect((observed?.value.value, observed?.value.isStale) == (2, false))
  }

  @Test func `a stream that ends without a value is a failure`() {
    let world = StreamWorld()
    let observed = world.observe()
    world.send(nil)
    #expect(observed.value.failure?.reason == "the stream ended without a value")
  }

  @Test func `R9 an answer is fetched at its interval after its observer has returned`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    var observed: Derived<RequestState<Int>>? = world.observe()
    world.answer("number 1", 1)
    observed = nil
    world.pass(2)
    observed = world.observe()
    #expect(world.server.open.isEmpty)
    world.pass(3)
    #expect(world.server.open == ["number 1"])
    world.answer("number 1", 2)
    observed = nil
    world.pass(6)
    observed = world.observe()
    #expect(world.server.open == ["number 1"])
    _ = observed
  }

  @Test func `R9 a prefetched answer is fetched at its interval`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    world.send(.prefetch(world.number.id(1)))
    world.answer("number 1", 1)
    let observed = world.observe()
    world.pass(5)
    #expect(world.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `R9 a connection in the background starts no fetch at an interval`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let observed = world.observe()
    world.answer("number 1", 1)
    world.send(.becameInactive)
    world.pass(5)
    world.send(.becameOnline)
    #expect(world.server.open.isEmpty)
    world.send(.becameActive)
    #expect(world.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `R8 fetch returns a fresh answer at once, in the background and after a failure`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let observed = world.observe()
    world.answer("number 1", 1)
    world.send(.refetch(world.number.id(1)))
    world.fail("number 1")
    world.send(.becameInactive)
    world.pass(5)
    let answers = RecordedValues<Int?>()
    let (store, number) = (world.store, world.number)
    store.task { _ in answers.append(try? await store.fetch(number, 1)) }
    world.executor.run()
    #expect(answers.values == [1])
    withExtendedLifetime(observed) {}
  }
}
