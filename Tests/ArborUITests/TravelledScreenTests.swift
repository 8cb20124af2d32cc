import Arbor
import ArborDevTools
import ArborTesting
import ArborUI
import Dispatch
import Testing

/// Observers on other queues than the store's, to which another moment is shown.
@Suite("Screens that show another moment")
@MainActor
struct TravelledScreenTests {
  enum Way: CaseIterable, Sendable {
    case each, latest, main, apply
  }

  private let recorder = Recorder<Int, Int>()
  private let executor = ManualExecutor()
  private let factory: StoreFactory<Int, Int>

  init() {
    factory = StoreFactory(initialState: 0, settings: TreeSettings(monitors: [recorder], executor: executor)) {
      state, action in state += action
    }
  }

  /// A store without a recorder.
  private func makeOther() -> StoreFactory<Int, Int> {
    StoreFactory(initialState: 0, settings: TreeSettings(executor: executor)) { state, action in state += action }
  }

  private func observe(by way: Way, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription {
    switch way {
    case .each: return factory.observe(on: .each(on: .global())) { (state: Int) in body(state) }
    case .latest: return factory.observe(on: .latest(on: .global())) { (state: Int) in body(state) }
    case .main: return factory.observe(on: .main) { (state: Int) in body(state) }
    case .apply:
      let screen = factory.observable()
      return ArborUI.observe {
        screen[\.self]
      } apply: { state in
        body(state)
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `T2 actions that an observer on another queue dispatches for another moment are dropped`(way: Way) throws {
    let store = factory.rootStore()
    let subscription = observe(by: way) { state in
      if state == 0 { store.dispatch(7) }
    }
    executor.run()
    #expect(factory.state == 7)
    try recorder.travel(to: 0)
    executor.run()
    #expect(factory.state == 0)
    #expect(recorder.moment?.droppedActions == 1)
    // Other actions arrive.
    store.dispatch(100)
    recorder.resume()
    executor.run()
    #expect(factory.state == 107)
    subscription.cancel()
    executor.run()
  }

  @Test(arguments: Way.allCases)
  func `T2 actions dispatched because of the present arrive`(way: Way) throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    try recorder.travel(to: 0)
    let subscription = observe(by: way) { state in
      if state == 5 { store.dispatch(1) }
    }
    executor.run()
    #expect(factory.state == 0)
    recorder.resume()
    executor.run()
    #expect(factory.state == 6)
    subscription.cancel()
    executor.run()
  }

  @Test func `T2 an observer that returns to the present is called with it like any other`() throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    let subscription = factory.observe(initial: false, on: .main) { (state: Int) in
      if state == 0 { store.dispatchAndWait(10) }
      if state == 15 { store.dispatch(1) }
    }
    try recorder.travel(to: 0)
    executor.run()
    #expect(recorder.moment == nil)
    #expect(factory.state == 16)
    subscription.cancel()
    executor.run()
  }

  @Test func `T2 an applied observation returns to the present, and then reacts to the present`() throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    let subscription = observe(by: .apply) { state in
      if state == 0 { store.dispatchAndWait(10) }
      if state == 15 { store.dispatch(1) }
    }
    executor.run()
    try recorder.travel(to: 0)
    executor.run()
    #expect(recorder.moment == nil)
    #expect(factory.state == 16)
    subscription.cancel()
    executor.run()
  }

  @Test(arguments: Way.allCases)
  func `T2 creating an observer while another moment is shown changes nothing`(way: Way) throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    try recorder.travel(to: 0)
    let subscription = observe(by: way) { state in
      if state == 0 { store.dispatch(7) }
    }
    executor.run()
    #expect(recorder.moment?.droppedActions == 1)
    recorder.resume()
    executor.run()
    #expect(factory.state == 5)
    subscription.cancel()
    executor.run()
  }

  @Test func `T2 an observation of two stores drops its actions if one shows another moment`() throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    let other = makeOther()
    let (screen, otherScreen) = (factory.observable(), other.observable())
    let subscription = ArborUI.observe {
      (screen[\.self], otherScreen[\.self])
    } apply: { state, otherState in
      if otherState == 1, state < 100 { store.dispatch(state == 0 ? 7 : 100) }
    }
    executor.run()
    try recorder.travel(to: 0)
    executor.run()
    other.dispatch(1)
    executor.run()
    #expect(recorder.moment?.droppedActions == 1)
    recorder.resume()
    executor.run()
    #expect(factory.state == 105)
    subscription.cancel()
    executor.run()
  }

  @Test func `T2 an observation made while another one reads shows its moment to both`() throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    try recorder.travel(to: 0)
    let screen = factory.observable()
    var inner: StoreSubscription?
    let outer = ArborUI.observe {
      inner = ArborUI.observe {
        screen[\.self]
      } apply: { _ in
      }
    } apply: {
      if recorder.moment != nil { store.dispatch(7) }
    }
    executor.run()
    #expect(recorder.moment?.droppedActions == 1)
    recorder.resume()
    executor.run()
    #expect(factory.state == 5)
    for subscription in [inner, outer] { subscription?.cancel() }
    executor.run()
  }

  @Test func `T2 another store that changes because of a moment does not show a moment itself`() throws {
    let store = factory.rootStore()
    factory.dispatch(5)
    executor.run()
    let other = makeOther()
    let otherStore = other.rootStore()
    let watching = factory.observe(initial: false, on: .main) { (state: Int) in
      if state == 0 { otherStore.dispatchAndWait(1) }
    }
    let otherScreen = other.observable()
    try recorder.travel(to: 0)
    executor.run()
    #expect(otherScreen[untracked: \.self] == 1)
    recorder.resume()
    executor.run()
    let subscription = ArborUI.observe {
      otherScreen[\.self]
    } apply: { _ in
      store.dispatch(100)
    }
    executor.run()
    #expect(factory.state == 105)
    for subscription in [watching, subscription] { subscription.cancel() }
    executor.run()
  }

  @Test func `T2 the rows of a list that shows another moment show it too`() throws {
    struct Row: Equatable, Identifiable, Sendable { var id: Int }
    let recorder = Recorder<[Row], Int>()
    let factory = StoreFactory<[Row], Int>(
      initialState: [],
      settings: TreeSettings(monitors: [recorder], executor: executor)
    ) { rows, id in
      rows.append(Row(id: id))
    }
    let store = factory.rootStore()
    for id in 1...2 { factory.dispatch(id) }
    executor.run()
    try recorder.travel(to: 1)
    let rows = factory.observable().rows(of: \.self)
    let subscription = ArborUI.observe {
      rows[1]?.id
    } apply: { _ in
      if recorder.moment != nil { store.dispatch(9) }
    }
    executor.run()
    #expect(recorder.moment?.droppedActions == 1)
    recorder.resume()
    executor.run()
    #expect(!factory.state.contains { $0.id == 9 })
    subscription.cancel()
    executor.run()
  }
}
