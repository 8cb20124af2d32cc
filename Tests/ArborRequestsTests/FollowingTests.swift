import Arbor
import ArborRequests
import ArborTesting
import TestSupport
import Testing

@Suite("Changing arguments")
struct FollowingTests {
  let world = RequestWorld(freshFor: nil)
  let selection = StoreFactory<Int?, Int?>(initialState: nil) { state, action in state = action }

  func follow() -> Derived<RequestState<Int>> {
    let argument = selection.rootStore().derived { $0 }!
    let observed = world.store.request(world.number, following: argument)!
    world.executor.run()
    return observed
  }

  func select(_ argument: Int?) {
    selection.rootStore().dispatchAndWait(argument)
    world.executor.run()
  }

  @Test func `without an argument, nothing is fetched`() {
    let observed = follow()
    #expect(observed.value.phase == .idle)
    select(1)
    #expect(observed.value.phase == .loading)
    world.answer("number 1", 5)
    #expect(observed.value.phase == .loaded(5))
    select(nil)
    #expect((observed.value.phase, observed.value.value) == (.idle, nil))
  }

  @Test func `the last value stays until the answer to the new argument is here`() {
    let observed = follow()
    select(1)
    world.answer("number 1", 5)
    select(2)
    #expect((observed.value.value, observed.value.isPrevious, observed.value.isFetching) == (5, true, true))
    select(3)
    #expect((observed.value.value, observed.value.isPrevious, world.server.open) == (5, true, ["number 3"]))
    world.answer("number 3", 7)
    #expect((observed.value.value, observed.value.isPrevious, observed.value.isFetching) == (7, false, false))
  }

  @Test func `the last value isn't shown for an argument that failed, or waits for the connection`() {
    let observed = follow()
    select(1)
    world.answer("number 1", 5)
    select(2)
    world.fail("number 2")
    #expect((observed.value.value, observed.value.isPrevious, observed.value.failure?.kind) == (nil, false, .thrown))
    world.send(.becameOffline)
    select(3)
    #expect((observed.value.phase, observed.value.isWaiting) == (.idle, true))
  }

  @Test func `the last value with a change that isn't confirmed is pending`() {
    let observed = follow()
    select(1)
    world.answer("number 1", 5)
    world.send(world.add.action(.init(amount: 3)))
    #expect((observed.value.value, observed.value.isPending) == (8, true))
    select(2)
    #expect((observed.value.value, observed.value.isPrevious, observed.value.isPending) == (8, true, true))
    world.answer("number 2", 6)
    #expect((observed.value.value, observed.value.isPending) == (6, false))
  }

  @Test func `entries of old arguments are removed in their time`() {
    var observed: Derived<RequestState<Int>>? = follow()
    for argument in 1...3 {
      select(argument)
      world.answer("number \(argument)", argument)
    }
    world.pass(60)
    #expect(world.factory.state.entries.map(\.id.description) == ["number(3)"])
    observed = nil
    world.executor.run()
    world.pass(60)
    #expect(world.factory.state.entries.isEmpty)
    _ = observed
  }

  @Test func `going back to the last argument fetches nothing`() {
    let observed = follow()
    select(1)
    world.answer("number 1", 5)
    select(2)
    world.answer("number 2", 6)
    select(1)
    #expect((observed.value.phase, observed.value.isPrevious, world.server.open) == (.loaded(5), false, []))
  }
}
