import Arbor
import ArborRequests
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Changes on the server")
struct ChangeTests {
  let world = RequestWorld(freshFor: nil)

  /// A world with the answer 10.
  func loaded() -> Derived<RequestState<Int>> {
    let observed = world.observe()
    world.answer("number 1", 10)
    return observed
  }

  @Test func `a change is seen at once, and stays when the server confirms it`() {
    let observed = loaded()
    world.send(world.add.action(.init(amount: 5)))
    #expect((observed.value.value, observed.value.isPending) == (15, true))
    #expect(world.factory.state.changes.compactMap(world.add.input) == [.init(amount: 5)])
    #expect(world.factory.state.changes.compactMap(world.rename.input).isEmpty)
    #expect(world.server.open == ["add 5"])
    world.answer("add 5", 0)
    #expect(!observed.value.isPending)
    #expect((observed.value.value, observed.value.isStale) == (15, true))
    #expect(world.server.open == ["number 1"])
    world.answer("number 1", 15)
    #expect((observed.value.value, observed.value.isStale) == (15, false))
  }

  @Test func `R3 a change that fails takes back only itself`() {
    let observed = loaded()
    world.send(world.add.action(.init(amount: 5)))
    world.send(world.add.action(.init(amount: 100)))
    #expect(observed.value.value == 115)
    world.fail("add 5")
    #expect(observed.value.value == 110)
    world.answer("add 100", 0)
    #expect(observed.value.value == 110)
  }

  @Test func `R3 an answer from before a change doesn't hide it`() {
    let observed = loaded()
    world.send(.refetch(world.number.id(1)))
    world.send(world.add.action(.init(amount: 5)))
    world.answer("number 1", 11)
    #expect(observed.value.value == 16)
  }

  @Test func `R4 an answer from before a confirmation is not shown, and another fetch follows`() {
    let observed = loaded()
    world.send(.refetch(world.number.id(1)))
    world.send(world.add.action(.init(amount: 5)))
    world.answer("add 5", 0)
    world.answer("number 1", 10)
    #expect((observed.value.value, observed.value.isFetching) == (15, true))
    world.answer("number 1", 15)
    #expect((observed.value.value, observed.value.isFetching) == (15, false))
  }

  @Test func `R4 changes of one record are sent one after the other, and the fetch follows the last one`() {
    let observed = loaded()
    world.send(world.add.action(.init(amount: 1)))
    world.send(world.add.action(.init(amount: 2)))
    world.send(world.add.action(.init(id: 2, amount: 3)))
    #expect(world.server.open == ["add 1", "add 3"])
    world.answer("add 1", 0)
    #expect(world.server.open == ["add 3", "add 2"])
    world.answer("add 2", 0)
    #expect(world.server.open == ["add 3", "number 1"])
    #expect(observed.value.value == 13)
  }

  @Test func `a caller receives the server's answer to its change, or its failure`() async throws {
    let observed = loaded()
    let (store, add) = (world.store, world.add)
    let sent = Task { try await store.perform(add, .init(amount: 5)) }
    await world.untilCalled()
    world.answer("add 5", 42)
    #expect(try await sent.value == 42)
    world.executor.run()
    #expect(world.factory.state.changes.isEmpty)
    world.answer("number 1", 15)
    let refused = Task { try await store.perform(add, .init(amount: 6)) }
    await world.untilCalled()
    world.fail("add 6")
    await #expect(throws: RequestFailure.self) { try await refused.value }
    #expect(observed.value.value == 15)
  }

  @Test func `R3 a canceled change is taken back`() {
    let observed = loaded()
    world.send(world.add.action(.init(amount: 5)))
    world.send(.cancelChange(world.factory.state.changes.first!.id))
    #expect(observed.value.value == 10)
    #expect(world.server.open == ["number 1"])
  }

  @Test func `R4 a change made offline waits, also over a restart, and is sent with the same key`() throws {
    let observed = loaded()
    world.send(.becameOffline)
    world.send(world.add.action(.init(amount: 5)))
    #expect(observed.value.value == 15)
    #expect(world.server.open.isEmpty)
    let id = world.factory.state.changes.first!.id
    let stored = try JSONEncoder().encode(world.factory.state)
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: stored), freshFor: nil)
    #expect(later.server.open == ["add 5"])
    #expect(later.factory.state.changes.map(\.id) == [id])
    let restored = later.observe()
    #expect((restored.value.value, restored.value.isStale, restored.value.isFetching) == (15, true, true))
    later.answer("add 5", 0)
    #expect((restored.value.value, later.factory.state.changes.count) == (15, 0))
  }

  @Test func `a failed change without a caller stays, also over a restart, until it is retried or removed`() throws {
    let observed = loaded()
    world.send(world.add.action(.init(amount: 5)))
    world.fail("add 5")
    let stored = try JSONEncoder().encode(world.factory.state)
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: stored), freshFor: nil)
    let restored = later.observe()
    #expect(later.server.open == ["number 1"])
    let failed = try #require(later.factory.state.changes.first)
    guard case .failed(let failure) = failed.status else { return #expect(Bool(false), "\(failed.status)") }
    #expect((failure.kind, later.add.input(of: failed)?.amount) == (.thrown, 5))
    #expect((restored.value.value, restored.value.isPending) == (10, false))
    later.send(.retryChange(failed.id))
    #expect((restored.value.value, later.server.open) == (15, ["number 1", "add 5"]))
    later.fail("add 5")
    later.send(.cancelChange(failed.id))
    #expect(later.factory.state.changes.isEmpty)
    withExtendedLifetime(observed) {}
  }

  @Test func `a stored change that the cache doesn't know is a failed one`() throws {
    world.send(.becameOffline)
    world.send(world.add.action(.init(amount: 5)))
    let stored = try JSONEncoder().encode(world.factory.state)
    let factory = StoreFactory(
      initialState: try JSONDecoder().decode(Requests.self, from: stored),
      feature: Requests.feature(),
      settings: TreeSettings(executor: world.executor)
    )
    world.executor.run()
    #expect(factory.state.changes.map(\.failure) == [RequestFailure(.undecodable, "the cache has no change “add”")])
  }

  @Test func `a stored change with another input is a failed one, and isn't repeated`() throws {
    world.send(.becameOffline)
    world.send(world.add.action(.init(amount: 5)))
    let stored = try JSONEncoder().encode(world.factory.state)
    let add = Change<String, Int>("add", retries: 5) { _, _ in 0 }
    let factory = StoreFactory(
      initialState: try JSONDecoder().decode(Requests.self, from: stored),
      feature: Requests.feature(add),
      settings: TreeSettings(clock: TestClock(), executor: world.executor)
    )
    world.executor.run()
    #expect(factory.state.changes.map(\.failure?.kind) == [.undecodable])
  }

  @Test func `a cache that begins without a connection sends nothing`() throws {
    let observed = loaded()
    world.send(.becameOffline)
    world.send(world.add.action(.init(amount: 5)))
    let stored = try JSONEncoder().encode(world.factory.state)
    var cache = try JSONDecoder().decode(Requests.self, from: stored)
    cache.isOnline = false
    let later = RequestWorld(cache, freshFor: nil)
    let restored = later.observe()
    #expect((restored.value.value, later.server.log.values) == (15, []))
    later.send(.becameOnline)
    // The answer that the change makes stale is fetched after it.
    #expect(later.server.open == ["add 5"])
    later.answer("add 5", 0)
    #expect(later.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `a stored answer that has no observer is removed in its time`() throws {
    let observed = loaded()
    let stored = try JSONEncoder().encode(world.factory.state)
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: stored), freshFor: nil)
    #expect(later.factory.state.entries.count == 1)
    later.pass(59)
    #expect(later.factory.state.entries.count == 1)
    later.pass(1)
    #expect(later.factory.state.entries.isEmpty)
    withExtendedLifetime(observed) {}
  }

  @Test func `a stored answer of another type is a failure of its entry`() throws {
    let observed = loaded()
    var stored = String(decoding: try JSONEncoder().encode(world.factory.state), as: UTF8.self)
    stored = stored.replacingOccurrences(of: "\"10\"", with: "\"true\"")
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: Data(stored.utf8)), freshFor: nil)
    let restored = later.observe()
    #expect(restored.value.failure?.kind == .undecodable)
    #expect(restored.value.isFetching)
    _ = observed
  }

  @Test func `a change of all answers reaches each argument, and later answers, too`() {
    let (executor, server) = (world.executor, world.server)
    let search = Request<String, [Int]>("search", freshFor: nil) { text in
      let number = try await server.call("search \(text)")
      return [number, number + 1]
    }
    let delete = Change<Int, Int>(
      "delete",
      optimistic: { number in [search.patchAll { $0.removeAll { $0 == number } }] },
      send: { number, _ in try await server.call("delete \(number)") }
    )
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(search, delete),
      settings: TreeSettings(clock: world.clock, executor: executor)
    )
    let observed = ["a", "b"].map { factory.rootStore().request(search, $0) }
    executor.run()
    var values: [[Int]?] { observed.map { $0?.value.value } }
    world.answer("search a", 1)
    factory.rootStore().dispatch(delete.action(2))
    executor.run()
    #expect(values == [[1], nil])
    world.answer("search b", 2)
    #expect(values == [[1], [3]])
    world.fail("delete 2")
    #expect(values == [[1, 2], [2, 3]])
    factory.rootStore().dispatch(delete.action(2))
    factory.rootStore().dispatch(.refetch(search.id("b")))
    executor.run()
    world.answer("delete 2", 0)
    // This answer is from before the confirmation.
    world.answer("search b", 2)
    #expect(values == [[1], [3]])
    world.answer("search b", 5)
    #expect(values == [[1], [5, 6]])
  }

  @Test func `only answers, failures and changes make a difference for a stored cache`() {
    func stored() -> Requests.Stored { world.factory.state.stored }
    var last = stored()
    func isDifferent() -> Bool {
      defer { last = stored() }
      return stored() != last
    }
    var observed: Derived<RequestState<Int>>? = world.observe()
    #expect(!isDifferent())
    world.answer("number 1", 10)
    #expect(isDifferent())
    world.send(.refetch(world.number.id(1)))
    #expect(!isDifferent())
    world.answer("number 1", 10)
    #expect(!isDifferent())
    observed = nil
    world.send(.becameOffline)
    #expect(!isDifferent())
    world.send(world.add.action(.init(amount: 5)))
    #expect(isDifferent())
    world.send(.becameOnline)
    #expect(!isDifferent())
    world.fail("add 5")
    #expect(isDifferent())
    world.pass(60)
    #expect(isDifferent() && world.factory.state.entries.isEmpty)
    withExtendedLifetime(observed) {}
  }
}
