import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Activities")
struct ActivityTests {
  let executor = ManualExecutor()
  let log = RecordedValues<String>()

  struct Saved: Equatable, Sendable { let number: Int }
  struct Failed: Equatable, Sendable {}

  func factory() -> StoreFactory<[Int], Int> {
    StoreFactory(initialState: [], settings: TreeSettings(executor: executor), reducer: appending)
  }

  func child(of factory: StoreFactory<[Int], Int>) -> StoreObject<([Int], [Int]), Int> {
    factory.childStore(initialState: [], reducer: appending)
  }

  func listen(_ name: String, at store: Store<some Sendable, Int>) -> StoreSubscription {
    store.observe(activities: Saved.self) { [log] saved in log.append("\(name) receives \(saved.number)") }
  }

  @Test func `activities and states come in order`() {
    let factory = factory()
    let child = child(of: factory)
    let states = child.store().observe { [log] (state: ([Int], [Int])) in log.append("state \(state.1)") }
    let activities = listen("child", at: child.store())
    executor.run()
    log.removeAll()
    child.dispatch(1)
    child.emit(Saved(number: 1))
    child.dispatch(2)
    child.emit(Saved(number: 2))
    child.emit(Saved(number: 3))
    executor.run()
    #expect(log.values == ["state [1]", "child receives 1", "state [1, 2]", "child receives 2", "child receives 3"])
    withExtendedLifetime((states, activities)) {}
  }

  @Test func `waiting activities are delivered only above an owner that is released`() {
    let factory = factory()
    var child: StoreObject? = child(of: factory)
    let store = child!.store()
    let listening = [listen("child", at: store), listen("root", at: factory.rootStore())]
    store.emit(Saved(number: 1))
    executor.run()
    store.emit(Saved(number: 2))
    child = nil
    executor.run()
    #expect(log.values == ["root receives 1", "child receives 1", "root receives 2"])
    withExtendedLifetime(listening) {}
  }

  @Test func `an activity is received where it is emitted and above, first at the root, never below or at siblings`() {
    let factory = factory()
    let (first, second) = (child(of: factory), child(of: factory))
    let grandchild = first.childStore(initialState: [], reducer: appending)
    let stores = [
      listen("grandchild", at: grandchild.store()), listen("first", at: first.store()),
      listen("second", at: second.store()), listen("root", at: factory.rootStore()),
    ]
    first.emit(Saved(number: 1))
    executor.run()
    #expect(log.values == ["root receives 1", "first receives 1"])
    log.removeAll()
    grandchild.scope(to: { _ in 0 }).emit(Saved(number: 2))
    executor.run()
    #expect(log.values == ["root receives 2", "first receives 2", "grandchild receives 2"])
    withExtendedLifetime(stores) {}
  }

  @Test func `only activities of exactly this type are received, and only those emitted after the call`() {
    let factory = factory()
    factory.rootStore().emit(Saved(number: 1))
    let subscription = listen("root", at: factory.rootStore())
    factory.rootStore().emit(Failed())
    factory.rootStore().emit(Saved(number: 2))
    factory.rootStore().emit(Saved(number: 2))
    executor.run()
    #expect(log.values == ["root receives 2", "root receives 2"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `N4 after a cancel no activity is received, even inside the callback`() {
    let factory = factory()
    let store = factory.rootStore()
    let kept = Protected<StoreSubscription?>(nil)
    let own = store.observe(activities: Saved.self) { [log] saved in
      log.append("own receives \(saved.number)")
      kept.withLock { $0 }?.cancel()
    }
    kept.withLock { $0 = own }
    let released = listen("released", at: store)
    store.emit(Saved(number: 1))
    store.emit(Saved(number: 2))
    released.cancel()
    executor.run()
    #expect(log.values == ["own receives 1"])
    kept.withLock { $0 = nil }
  }

  @Test func `N5 an observer added inside a callback receives the next activity, but not this one`() {
    let factory = factory()
    let store = factory.rootStore()
    let later = RecordedValues<StoreSubscription>()
    let first = store.observe(activities: Saved.self) { saved in
      if saved.number == 1 { later.append(self.listen("later", at: store)) }
    }
    store.emit(Saved(number: 1))
    executor.run()
    store.emit(Saved(number: 2))
    executor.run()
    #expect(log.values == ["later receives 2"])
    withExtendedLifetime(first) {}
  }

  @Test func `O3 an activity emitted inside a callback goes after the waiting work`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptors: [
          Interceptor { [log] action, context in
            log.append("intercepts \(action)")
            context.emit(Saved(number: action))
            return .pass
          }
        ],
        reducer: appending
      ),
      settings: TreeSettings(executor: executor)
    )
    let subscription = listen("root", at: factory.rootStore())
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(log.values == ["intercepts 1", "intercepts 2", "root receives 1", "root receives 2"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `an interceptor emits at the store that has it`() {
    let factory = factory()
    let child = factory.childStore(
      initialState: [],
      stateMapping: { ($0, $1) },
      feature: Feature(
        interceptors: [
          Interceptor { action, context in
            context.emit(Saved(number: action))
            return .drop
          }
        ],
        reducer: appending
      )
    )
    let subscriptions = [listen("child", at: child.store()), listen("root", at: factory.rootStore())]
    child.dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(log.values == ["root receives 1", "child receives 1"])
    withExtendedLifetime((child, subscriptions)) {}
  }

  @Test func `when the owner is released, its observers end and are freed, but the ancestors' continue`() {
    weak var object: Object?
    let factory = factory()
    var child: StoreObject<([Int], [Int]), Int>? = child(of: factory)
    let root = listen("root", at: factory.rootStore())
    let inner: StoreSubscription
    do {
      let new = Object()
      object = new
      inner = child!.observe(activities: Saved.self) { [log] _ in
        withExtendedLifetime(new) { log.append("child hears") }
      }
    }
    child?.emit(Saved(number: 1))
    child = nil
    executor.run()
    #expect(log.values == ["root receives 1"])
    #expect(object == nil)
    withExtendedLifetime((root, inner)) {}
  }

  @Test(.reports("used after its owner was released"))
  func `a stream of activities misses none and ends with the owner`() async {
    var factory: StoreFactory<[Int], Int>? = StoreFactory(initialState: [], reducer: appending)
    let store = factory!.rootStore()
    let stream = store.activities(of: Saved.self)
    for number in 0..<100 { store.emit(Saved(number: number)) }
    _ = factory?.state
    factory = nil
    var heard: [Int] = []
    for await saved in stream { heard.append(saved.number) }
    #expect(heard == Array(0..<100))
    for await _ in store.activities(of: Saved.self) { Issue.record("the owner is gone") }
  }

  @Test func `activities are delivered in order on a custom queue`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let done = DispatchSemaphore(value: 0)
    let heard = RecordedValues<Int>()
    let subscription = factory.observe(activities: Saved.self, on: .global()) { saved in
      heard.append(saved.number)
      if saved.number == 99 { done.signal() }
    }
    for number in 0..<100 { factory.rootStore().emit(Saved(number: number)) }
    withExtendedLifetime((factory, subscription)) { done.wait() }
    #expect(heard.values == Array(0..<100))
  }

  @Test func `threads that emit, observe, cancel and release at once lose nothing of each other's`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: { _, _ in })
    let heard = RecordedValues<Int>()
    let subscription = factory.observe(activities: Saved.self) { saved in heard.append(saved.number) }
    onThreads(4) { thread in
      for number in 0..<200 {
        let child = factory.childStore(initialState: 0) { (_: inout Int, _: Int) in }
        let listening = child.observe(activities: Saved.self) { _ in }
        child.emit(Saved(number: thread * 200 + number))
        if number.isMultiple(of: 2) { listening.cancel() }
      }
    }
    _ = factory.state
    #expect(heard.values.sorted() == Array(0..<800))
    for thread in 0..<4 {
      #expect(heard.values.filter { $0 / 200 == thread } == Array(thread * 200..<(thread + 1) * 200))
    }
    withExtendedLifetime(subscription) {}
  }
}
