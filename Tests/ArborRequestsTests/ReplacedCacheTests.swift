import Arbor
import ArborDevTools
import ArborRequests
import ArborTesting
import TestSupport
import Testing

/// A cache that another state replaces, while observers exist.
@Suite("A replaced cache")
struct ReplacedCacheTests {
  struct AppState: Sendable {
    var requests = Requests()
    var selection: Int?
    var session: Session?
  }

  struct Session: Identifiable, Sendable {
    let id: Int
    var requests = Requests()
  }

  enum AppAction: Sendable {
    case requests(RequestAction)
    case select(Int?)
    case signOut
    case session(RequestAction)
    case setSession(Session?)
  }

  let world = RequestWorld()
  let recorder = Recorder<AppState, AppAction>()
  let factory: StoreFactory<AppState, AppAction>

  init() {
    factory = StoreFactory(
      initialState: AppState(),
      feature: .combined(
        Requests.feature(world.number, world.slow, world.add).scoped(to: \.requests, action: AppAction.requests) {
          action in
          if case .requests(let action) = action { action } else { nil }
        },
        Requests.feature(world.number, world.slow, world.add).scoped(
          to: \Session.requests, action: { $0 }, extract: { $0 }
        )
        .scoped(toOptional: \AppState.session, action: AppAction.session) { action in
          if case .session(let action) = action { action } else { nil }
        },
        Feature { state, action in
          switch action {
          case .requests, .session: break
          case .setSession(let session): state.session = session
          case .select(let argument): state.selection = argument
          case .signOut: state.requests = Requests()
          }
        }
      ),
      settings: TreeSettings(clock: world.clock, monitors: [recorder], executor: world.executor)
    )
    world.executor.run()
  }

  private var store: Store<Requests, RequestAction> {
    factory.rootStore().scope(to: \.requests, action: AppAction.requests)
  }

  private func observe(_ id: Int) -> Derived<RequestState<Int>>? {
    defer { world.executor.run() }
    return store.request(world.number, id)
  }

  private func count(_ id: Int) -> Int { factory.state.requests.observerCount(of: world.number.id(id)) }

  private func send(_ action: AppAction) {
    factory.dispatch(action)
    world.executor.run()
  }

  private func goBack(to position: Int) throws {
    try recorder.travel(to: position)
    recorder.continueFromHere()
    world.executor.run()
  }

  @Test func `R10 observers of an assigned cache observe the new one`() {
    let observed = observe(1)
    world.answer("number 1", 5)
    send(.signOut)
    #expect((observed?.value.phase, world.server.open, count(1)) == (.loading, ["number 1"], 1))
    world.answer("number 1", 6)
    #expect(observed?.value.value == 6)
  }

  @Test func `R10 an observer that came after the moment from which the program continues observes it`() throws {
    let first = observe(1)
    world.answer("number 1", 5)
    let position = recorder.recording!.count
    let second = observe(2)
    #expect(world.server.open == ["number 2"])
    try goBack(to: position)
    #expect((count(1), count(2), world.server.open) == (1, 1, ["number 2"]))
    world.answer("number 2", 6)
    #expect((first?.value.value, second?.value.value) == (5, 6))
  }

  @Test func `R10 an observer that left after the moment from which the program continues doesn't come back`() throws {
    var observed = observe(1)
    world.answer("number 1", 5)
    let position = recorder.recording!.count
    observed = nil
    world.executor.run()
    try goBack(to: position)
    #expect(count(1) == 0)
    world.pass(60)
    #expect(factory.state.requests.entries.isEmpty)
    withExtendedLifetime(observed) {}
  }

  @Test func `R10 an observer with a changing argument has its present argument`() throws {
    let selection = factory.rootStore().derived { $0.selection }
    let observed = selection.flatMap { store.request(world.number, following: $0) }
    send(.select(1))
    world.answer("number 1", 5)
    let position = recorder.recording!.count
    send(.select(2))
    world.answer("number 2", 6)
    try goBack(to: position)
    // The selection has gone back with the rest of the state.
    #expect((count(1), count(2), observed?.value.value) == (1, 0, 5))
    send(.signOut)
    #expect((count(1), world.server.open) == (1, ["number 1"]))
  }

  @Test func `R10 an observer whose argument is in another tree keeps its present argument`() throws {
    let argument = StoreFactory<Int?, Int?>(
      initialState: 1,
      settings: TreeSettings(executor: world.executor)
    ) { $0 = $1 }
    let observed = argument.rootStore().derived { $0 }.flatMap { store.request(world.number, following: $0) }
    world.executor.run()
    world.answer("number 1", 5)
    let position = recorder.recording!.count
    argument.dispatch(2)
    world.executor.run()
    world.answer("number 2", 6)
    try goBack(to: position)
    #expect((count(1), count(2), world.server.open) == (0, 1, ["number 2"]))
    world.answer("number 2", 7)
    #expect(observed?.value.value == 7)
  }

  @Test func `a fetch in progress at the moment from which the program continues begins again`() throws {
    let observed = observe(1)
    let position = recorder.recording!.count
    world.answer("number 1", 5)
    try goBack(to: position)
    #expect((observed?.value.phase, world.server.open) == (.loading, ["number 1"]))
    world.answer("number 1", 6)
    #expect(observed?.value.value == 6)
  }

  @Test(arguments: [true, false])
  func `a change whose caller has its result ends, although an earlier state returns`(isConfirmed: Bool) async throws {
    let sent = Task { [add = world.add, store] in try? await store.perform(add, .init(amount: 5)) }
    await world.untilCalled()
    let sending = recorder.recording!.count
    if isConfirmed { world.answer("add 5", 1) } else { world.fail("add 5") }
    let ended = recorder.recording!.count
    while factory.state.requests.changes.count > 0 {
      await Task.yield()
      world.executor.run()
    }
    #expect(await sent.value == (isConfirmed ? 1 : nil))
    try goBack(to: ended)
    #expect(factory.state.requests.changes.isEmpty)
    try goBack(to: sending)
    #expect(world.server.open == ["add 5"])
    if isConfirmed { world.answer("add 5", 1) } else { world.fail("add 5") }
    // Without its caller, a failed change stays.
    #expect(factory.state.requests.changes.map { $0.failure?.kind } == (isConfirmed ? [] : [.thrown]))
  }

  @Test func `a fetch of another branch of time has another identity`() throws {
    let first = observe(1)
    let position = recorder.recording!.count
    let second = observe(2)
    try goBack(to: 0)
    #expect(Set(world.server.open) == ["number 1", "number 2"])
    world.answer("number 2", 6)
    world.answer("number 1", 5)
    #expect((first?.value.value, second?.value.value, position) == (5, 6, 1))
  }

  @Test func `R10 a cache that begins with observers of another run has none`() {
    let old = observe(1)
    let factory = StoreFactory<Requests, RequestAction>(
      initialState: factory.state.requests,
      feature: Requests.feature(world.number, world.slow),
      settings: TreeSettings(clock: world.clock, executor: world.executor)
    )
    factory.dispatch(.becameInactive)
    world.executor.run()
    #expect(factory.state.observerCount(of: world.number.id(1)) == 0)
    withExtendedLifetime(old) {}
  }

  @Test(arguments: [nil, Session(id: 2)])
  func `R7 calls that wait for a cache end when its part goes away`(next: Session?) async throws {
    send(.setSession(Session(id: 1)))
    let (session, number, add) = (session, world.number, world.add)
    let fetched = Task { try await session.fetch(number, 1) }
    let changed = Task { try await session.perform(add, .init(amount: 5)) }
    while world.server.open.count < 2 {
      await Task.yield()
      world.executor.run()
    }
    send(.setSession(next))
    let results = Task { (await fetched.result, await changed.result) }
    let ended = RecordedValues<Bool>()
    Task {
      _ = await results.value
      ended.append(true)
    }
    while ended.values.isEmpty {
      await Task.yield()
      world.executor.run()
    }
    let (fetch, change) = await results.value
    #expect(throws: RequestFailure.self) { try fetch.get() }
    #expect(throws: RequestFailure.self) { try change.get() }
  }

  @Test func `calls that wait for a cache in a part receive their answers, and can be canceled`() async throws {
    send(.setSession(Session(id: 1)))
    let (session, number, add) = (session, world.number, world.add)
    let fetched = [1, 2].map { id in Task { try await session.fetch(number, id) } }
    let changed = Task { try await session.perform(add, .init(amount: 5)) }
    while world.server.open.count < 3 {
      await Task.yield()
      world.executor.run()
    }
    send(.select(7))
    fetched[1].cancel()
    await #expect(throws: CancellationError.self) { try await fetched[1].value }
    world.answer("add 5", 42)
    #expect(try await changed.value == 42)
    while world.server.open.contains("number 1") {
      world.answer("number 1", 8)
      await Task.yield()
    }
    #expect(try await fetched[0].value == 8)
  }

  private var session: Store<Requests, RequestAction> {
    factory.rootStore().scope(toOptional: \.session, action: AppAction.session).scope(to: \.requests, action: { $0 })
  }

  private func sessionCount(_ id: Int) -> Int? {
    factory.state.session?.requests.observerCount(of: world.number.id(id))
  }

  @Test(arguments: [true, false])
  func `R10 observers of a cache in another part observe the new one`(isMissing: Bool) {
    send(.setSession(Session(id: 1)))
    let observed = session.request(world.number, 1)
    world.executor.run()
    world.answer("number 1", 5)
    if isMissing { send(.setSession(nil)) }
    send(.setSession(Session(id: 2)))
    #expect((sessionCount(1), world.server.open) == (1, ["number 1"]))
    world.answer("number 1", 6)
    #expect(factory.state.session?.requests[world.number, 1].value == 6)
    withExtendedLifetime(observed) {}
  }

  @Test func `R10 an observer that left while its cache was missing doesn't come back`() {
    send(.setSession(Session(id: 1)))
    var observed = session.request(world.number, 1)
    world.executor.run()
    world.answer("number 1", 5)
    let saved = factory.state.session
    send(.setSession(nil))
    observed = nil
    world.executor.run()
    send(.setSession(saved))
    #expect(sessionCount(1) == 0)
    world.pass(60)
    #expect(factory.state.session?.requests.entries.isEmpty == true)
    withExtendedLifetime(observed) {}
  }

  @Test func `R10 an argument that changed while the cache was missing is the one that is observed`() {
    send(.setSession(Session(id: 1)))
    let selection = factory.rootStore().derived { $0.selection }
    let observed = selection.flatMap { session.request(world.number, following: $0) }
    send(.select(1))
    world.answer("number 1", 5)
    let saved = factory.state.session
    send(.setSession(nil))
    send(.select(2))
    send(.setSession(saved))
    #expect((sessionCount(1), sessionCount(2), world.server.open) == (0, 1, ["number 2"]))
    withExtendedLifetime(observed) {}
  }

  @Test func `R10 a released action with the number of an observer that exists does no harm`() {
    let observed = observe(1)
    send(.requests(.released(observer: 1, at: .zero)))
    #expect(count(1) == 1)
    withExtendedLifetime(observed) {}
  }

  @Test func `R9 a cache that appears with a time has its alarm`() {
    send(.setSession(Session(id: 1)))
    session.dispatch(.prefetch(world.number.id(1)))
    world.executor.run()
    world.answer("number 1", 5)
    let saved = factory.state.session
    send(.setSession(nil))
    send(.setSession(saved))
    world.pass(10)
    #expect(factory.state.session?.requests[world.number, 1].isStale == true)
    world.pass(60)
    #expect(factory.state.session?.requests.entries.isEmpty == true)
  }
}
