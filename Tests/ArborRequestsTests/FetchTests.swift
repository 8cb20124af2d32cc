import Arbor
import ArborRequests
import ArborTesting
import TestSupport
import Testing

@Suite("Fetching answers")
struct FetchTests {
  @Test func `the first observer starts a fetch, and receives its phases`() {
    let world = RequestWorld()
    let observed = world.observe()
    #expect(observed.value.phase == .loading)
    #expect(world.server.open == ["number 1"])
    world.answer("number 1", 5)
    #expect(observed.value.phase == .loaded(5))
    #expect(!observed.value.isFetching && !observed.value.isStale)
  }

  @Test func `R1 observers of equal requests share one fetch`() {
    let world = RequestWorld()
    let all = (0..<1_000).map { _ in world.store.request(world.number, 1)! }
    world.executor.run()
    #expect(world.server.log.values == ["number 1"])
    world.answer("number 1", 5)
    #expect(all.allSatisfy { $0.value.value == 5 })
  }

  @Test func `a new observer of a fresh answer starts no fetch, and one of a stale answer does`() {
    let world = RequestWorld()
    let first = world.observe()
    world.answer("number 1", 5)
    world.pass(9)
    let second = world.observe()
    #expect(world.server.log.values.count == 1)
    world.pass(1)
    #expect(first.value.isStale)
    #expect(world.server.open.isEmpty)
    let third = world.observe()
    #expect((third.value.phase, third.value.isFetching) == (.loaded(5), true))
    world.answer("number 1", 6)
    #expect([first, second, third].allSatisfy { $0.value.phase == .loaded(6) && !$0.value.isStale })
  }

  @Test func `R5 an equal answer notifies no observer of the value`() {
    let world = RequestWorld()
    let observed = world.observe()
    world.answer("number 1", 5)
    let values = RecordedValues<Int?>()
    let subscription = observed.derived { $0.value }.observe { values.append($0) }
    world.executor.run()
    world.send(.refetch(world.number.id(1)))
    world.answer("number 1", 5)
    #expect(values.values == [5])
    world.send(.refetch(world.number.id(1)))
    world.answer("number 1", 6)
    #expect(values.values == [5, 6])
    withExtendedLifetime(subscription) {}
  }

  @Test func `R1 the end of the last observer cancels the fetch, and later removes the entry`() {
    let world = RequestWorld()
    var observed: Derived<RequestState<Int>>? = world.observe()
    var other: Derived<RequestState<Int>>? = world.observe()
    observed = nil
    world.executor.run()
    #expect(world.server.open == ["number 1"])
    other = nil
    world.executor.run()
    #expect(world.server.open.isEmpty)
    #expect(world.factory.state.entries.count == 1)
    world.pass(59)
    #expect(world.factory.state.entries.count == 1)
    world.pass(1)
    #expect(world.factory.state.entries.isEmpty)
    _ = (observed, other)
  }

  @Test func `an observer that returns in time finds the answer`() {
    let world = RequestWorld(freshFor: nil)
    var observed: Derived<RequestState<Int>>? = world.observe()
    world.answer("number 1", 5)
    observed = nil
    world.executor.run()
    world.pass(59)
    observed = world.observe()
    world.pass(10)
    #expect(observed?.value.phase == .loaded(5))
    #expect(world.server.log.values.count == 1)
  }

  @Test func `R8 a failed first fetch and a failed later fetch are different states`() {
    let world = RequestWorld()
    let observed = world.observe()
    world.fail("number 1")
    guard case .failed = observed.value.phase else { return #expect(Bool(false), "\(observed.value)") }
    world.send(.refetch(world.number.id(1)))
    #expect(observed.value.phase == .loading)
    world.answer("number 1", 5)
    world.send(.refetch(world.number.id(1)))
    world.fail("number 1")
    #expect(observed.value.phase == .loaded(5))
    #expect(observed.value.failure?.kind == .thrown)
  }

  @Test func `a fetch is repeated after an error, as often as allowed`() {
    let world = RequestWorld(retries: 1)
    let observed = world.observe()
    world.fail("number 1")
    #expect(observed.value.phase == .loading)
    world.pass(1)
    #expect(world.server.log.values.count == 2)
    world.fail("number 1")
    #expect(observed.value.failure != nil)
    world.pass(10)
    #expect(world.server.log.values.count == 2)
  }

  @Test func `a fetch that takes too long fails`() {
    let world = RequestWorld(timeout: .seconds(3))
    let observed = world.observe()
    world.pass(3)
    #expect(observed.value.failure?.kind == .timedOut)
    #expect(world.server.open.isEmpty)
  }

  @Test func `a fetch that ignores its cancellation fails in time, too`() {
    let calls = RecordedValues<CheckedContinuation<Int, Never>>()
    let request = Request<Int, Int>(
      "deaf",
      retries: 1,
      backoff: .constant(.seconds(1)),
      timeout: .seconds(3),
      fetch: { _ in await withCheckedContinuation { calls.append($0) } }
    )
    let (clock, executor) = (TestClock(), ManualExecutor())
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let observed = factory.rootStore().request(request, 1)
    for _ in 0..<7 {
      executor.run()
      clock.advance(by: .seconds(1))
    }
    executor.run()
    #expect((observed?.value.failure?.kind, calls.values.count) == (.timedOut, 2))
    for call in calls.values { call.resume(returning: 5) }
    executor.run()
    #expect(observed?.value.value == nil)
  }

  @Test func `R9 an observed answer is fetched at its interval, but not in the background`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let observed = world.observe()
    world.answer("number 1", 1)
    world.pass(5)
    world.answer("number 1", 2)
    #expect(observed.value.value == 2)
    world.send(.becameInactive)
    world.pass(20)
    #expect(world.server.open.isEmpty)
    world.send(.becameActive)
    #expect(world.server.open == ["number 1"])
  }

  @Test(arguments: [true, false])
  func `R9 in the background, a returning connection fetches what waits for it, but not because of an interval`(
    isWanted: Bool
  ) {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let observed = world.observe()
    world.answer("number 1", 1)
    world.send(.becameOffline)
    world.pass(5)
    world.send(.becameInactive)
    if isWanted { world.send(.refetch(world.number.id(1))) }
    world.send(.becameOnline)
    #expect(world.server.open == (isWanted ? ["number 1"] : []))
    world.send(.becameActive)
    #expect(world.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `R2 the value of a running stream is fresh, even after an invalidation`() async throws {
    let executor = ManualExecutor()
    let values = RecordedValues<AsyncStream<Int>.Continuation>()
    let stream = Request<Int, Int>(streaming: "stream") { _ in AsyncStream { values.append($0) } }
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(stream),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    let store = factory.rootStore()
    let observed = store.request(stream, 1)
    executor.run()
    values.values.first?.yield(5)
    executor.run()
    factory.dispatch(.invalidateRequest(name: "stream"))
    executor.run()
    #expect((observed?.value.value, observed?.value.isStale, observed?.value.isFetching) == (5, false, true))
    #expect(values.values.count == 1)
  }

  @Test func `R9 a cache without times waits for none`() {
    let world = RequestWorld()
    var observed: Derived<RequestState<Int>>? = world.observe()
    world.answer("number 1", 1)
    #expect(world.clock.sleepers == 1)
    _ = observed.take()
    world.send(.removeAll)
    #expect(world.clock.sleepers == 0)
  }

  @Test func `without a connection, fetches wait for it`() {
    let world = RequestWorld()
    world.send(.becameOffline)
    let observed = world.observe()
    #expect(observed.value.phase == .idle)
    #expect(world.server.log.values.isEmpty)
    world.send(.becameOnline)
    #expect(observed.value.phase == .loading)
  }

  @Test func `R2 an invalidation during a fetch makes its answer stale, and another fetch follows`() {
    let world = RequestWorld()
    let observed = world.observe()
    world.send(.invalidate([RequestTag("number", 1)]))
    world.answer("number 1", 5)
    #expect((observed.value.phase, observed.value.isStale, observed.value.isFetching) == (.loaded(5), true, true))
    world.answer("number 1", 6)
    #expect((observed.value.phase, observed.value.isStale, observed.value.isFetching) == (.loaded(6), false, false))
  }

  @Test func `R2 an invalidation keeps the value, and reaches only its tags`() {
    let world = RequestWorld()
    let (one, two) = (world.observe(1), world.observe(2))
    world.answer("number 1", 1)
    world.answer("number 2", 2)
    world.send(.invalidate([RequestTag("number", 1)]))
    #expect((one.value.phase, one.value.isStale) == (.loaded(1), true))
    #expect(!two.value.isStale)
    #expect(world.server.open == ["number 1"])
    world.send(.invalidate([RequestTag("number")]))
    #expect(two.value.isStale)
  }

  @Test func `R6 a refetch replaces the fetch in progress, and its callers receive the newer answer`() async throws {
    let world = RequestWorld()
    let store = world.store
    let answer = Task { try await store.fetch(world.number, 1) }
    await world.untilCalled()
    world.send(.refetch(world.number.id(1)))
    #expect(world.server.log.values.count == 2)
    world.answer("number 1", 7)
    #expect(try await answer.value == 7)
  }

  @Test func `R7 a canceled wait throws, and cancels a fetch that no observer needs`() async {
    let world = RequestWorld()
    let store = world.store
    let answer = Task { try await store.fetch(world.number, 1) }
    await world.untilCalled()
    answer.cancel()
    await #expect(throws: CancellationError.self) { try await answer.value }
    world.executor.run()
    #expect((world.server.open, world.factory.state[world.number, 1].isFetching) == ([], false))
  }

  @Test func `R7 a canceled wait leaves the fetch to other observers`() async {
    let world = RequestWorld()
    let store = world.store
    let observed = world.observe()
    let answer = Task { try await store.fetch(world.number, 1) }
    while world.factory.state.observerCount(of: world.number.id(1)) < 2 {
      await Task.yield()
      world.executor.run()
    }
    answer.cancel()
    _ = await answer.result
    world.executor.run()
    #expect(observed.value.isFetching)
    world.answer("number 1", 5)
    #expect(observed.value.phase == .loaded(5))
  }

  @Test func `R1 a late answer changes nothing and notifies no observer`() {
    let calls = RecordedValues<CheckedContinuation<Int, Never>>()
    let request = Request<Int, Int>("deaf") { _ in await withCheckedContinuation { calls.append($0) } }
    let executor = ManualExecutor()
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    let states = RecordedValues<Requests>()
    let subscription = factory.rootStore().observe { states.append($0) }
    var observed = factory.rootStore().request(request, 1)
    executor.run()
    observed = nil
    executor.run()
    let before = states.values.count
    calls.values[0].resume(returning: 5)
    executor.run()
    #expect((states.values.count, factory.state[request, 1].value) == (before, nil))
    withExtendedLifetime((subscription, observed)) {}
  }

  @Test func `fetch throws the failure`() async {
    let world = RequestWorld()
    let store = world.store
    let answer = Task { try await store.fetch(world.number, 1) }
    await world.untilCalled()
    world.fail("number 1")
    await #expect(throws: RequestFailure.self) { try await answer.value }
  }

  @Test func `a prefetched answer needs no observer`() {
    let world = RequestWorld()
    world.send(.prefetch(world.number.id(1)))
    world.answer("number 1", 5)
    let observed = world.observe()
    #expect(observed.value.phase == .loaded(5))
    #expect(world.server.log.values.count == 1)
  }

  @Test func `without a connection, an answer without an observer is not prefetched`() {
    let world = RequestWorld()
    world.send(.becameOffline)
    world.send(.prefetch(world.number.id(1)))
    world.send(.refetch(world.number.id(2)))
    world.send(.becameOnline)
    #expect(world.factory.state.entries.isEmpty)
    #expect(world.server.log.values.isEmpty)
  }

  @Test(arguments: [Int.min, -1, .max])
  func `any number is a time or a limit`(number: Int) {
    let time = Duration.seconds(number)
    let request = Request<Int, Int>(
      "hostile", freshFor: time, keptFor: time, retries: number, backoff: .none, every: time, timeout: time,
      fetch: { $0 })
    let change = Change<Int, Int>("hostile", retries: number) { input, _ in input }
    let (clock, executor) = (TestClock(), ManualExecutor())
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request, change),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    var observed = factory.rootStore().request(request, 5)
    factory.rootStore().dispatch(change.action(1))
    executor.run()
    #expect(observed?.value.value == 5 || observed?.value.failure?.kind == .timedOut)
    #expect(factory.state.changes.isEmpty)
    observed = nil
    executor.run()
    #expect(factory.state.entries.count <= 1)
  }

  @Test func `removing everything cancels it, and fetches observed entries again`() {
    let world = RequestWorld(freshFor: nil)
    let (one, two) = (world.observe(1), world.observe(2))
    world.answer("number 1", 10)
    world.send(.prefetch(world.number.id(3)))
    world.send(world.add.action(.init(amount: 5)))
    #expect(one.value.value == 15)
    world.send(.removeAll)
    #expect((one.value.phase, two.value.phase) == (.loading, .loading))
    #expect(world.server.open == ["number 1", "number 2"])
    #expect((world.factory.state.entries.count, world.factory.state.changes.count) == (2, 0))
    world.answer("number 1", 10)
    #expect(one.value.phase == .loaded(10))
  }

  @Test func `a stream begins again with the next observer`() {
    let streams = RecordedValues<AsyncStream<Int>.Continuation>()
    let request = Request<Int, Int>(streaming: "stream") { _ in AsyncStream { streams.append($0) } }
    let executor = ManualExecutor()
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    factory.rootStore().dispatch(.prefetch(request.id(1)))
    executor.run()
    #expect(streams.values.isEmpty)
    var observed: Derived<RequestState<Int>>?
    for value in 1...2 {
      observed = factory.rootStore().request(request, 1)
      executor.run()
      #expect(streams.values.count == value)
      streams.values[value - 1].yield(value)
      executor.run()
      #expect((observed?.value.value, observed?.value.isStale) == (value, false))
      observed = nil
      executor.run()
    }
    #expect(factory.state[request, 1].isStale)
  }

  @Test func `nothing is left of a cache whose observers are gone`() {
    let world = RequestWorld()
    var all: [Derived<RequestState<Int>>] = (0..<100).map { world.observe($0) }
    for number in 0..<50 { world.answer("number \(number)", number) }
    all = []
    world.executor.run()
    world.pass(60)
    #expect(world.factory.state.entries.isEmpty)
    #expect(world.clock.sleepers == 0)
    _ = all
  }

  @Test func `a stream has all its retries again after each value, and is stale after its end`() {
    let streams = RecordedValues<AsyncThrowingStream<Int, any Error>.Continuation>()
    let request = Request<Int, Int>(streaming: "stream", retries: 1, backoff: .constant(.seconds(1))) { _ in
      AsyncThrowingStream { streams.append($0) }
    }
    let (clock, executor) = (TestClock(), ManualExecutor())
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(request),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let observed = factory.rootStore().request(request, 1)!
    executor.run()
    func fail() {
      streams.values.last?.finish(throwing: Server.Refusal())
      executor.run()
      clock.advance(by: .seconds(1))
      executor.run()
    }
    for value in 1...4 {
      streams.values.last?.yield(value)
      executor.run()
      #expect((observed.value.value, observed.value.isFetching, streams.values.count) == (value, true, value))
      fail()
    }
    #expect((observed.value.isFetching, observed.value.isStale) == (true, false))
    fail()
    #expect((observed.value.isFetching, observed.value.isStale, observed.value.failure?.kind) == (false, true, .thrown))
    let another = factory.rootStore().request(request, 1)
    executor.run()
    #expect((streams.values.count, another?.value.isFetching) == (6, true))
  }
}
