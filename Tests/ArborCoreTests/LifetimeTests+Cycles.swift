import ArborCore
import ArborTesting
import Foundation
import TestSupport
import Testing

/// Laws of lifetime: references between objects, and objects that are gone.
extension LifetimeTests {
  // MARK: L3

  @Test func `L3 interceptors, reducers, mappings, scopes and states may hold stores of their own tree`() {
    let freed = RecordedValues<Int>()
    do {
      let stores = RecordedValues<Store<[Int], Int>>()
      let object = Object { freed.append(1) }
      let held: @Sendable () -> Int = { withExtendedLifetime(object) { stores.values.count } }
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        interceptor: { _, _ in _ = held() },
        settings: TreeSettings(executor: executor),
        reducer: { state, _ in state.append(held()) }
      )
      let child = factory.childStore(
        initialState: [factory.rootStore()],
        stateMapping: { root, own in root + [held(), own.count] },
        interceptor: { _, _ in _ = held() },
        reducer: { state, _ in state += stores.values }
      )
      stores.append(factory.rootStore())
      stores.append(child.store())
      let scope = child.scope(to: { $0.count + held() })
      scope.subscribe(observer: Observer { _, complete in withExtendedLifetime(scope) { complete(.active) } })
      child.dispatch(1)
      executor.run()
      #expect(child.state == [2, 2, 3])
    }
    #expect(freed.values == [1])
  }

  @Test func `L3 an interceptor may keep its dispatch, and an observer its handler, forever`() {
    let freed = RecordedValues<Int>()
    do {
      let object = Object { freed.append(1) }
      let dispatches = RecordedValues<@Sendable (Int) -> Void>()
      let completions = RecordedValues<Observer<[Int]>.StatusHandler>()
      let factory = StoreFactory.appending(
        on: executor,
        interceptor: { _, dispatch in withExtendedLifetime(object) { dispatches.append(dispatch) } }
      )
      factory.rootStore().subscribe(
        observer: Observer { _, complete in withExtendedLifetime(object) { completions.append(complete) } }
      )
      factory.rootStore().dispatch(1)
      executor.run()
      #expect(dispatches.values.count == 1 && completions.values.count == 2)
    }
    #expect(freed.values == [1])
  }

  @Test func `L3 an observer may hold objects of other trees and of its siblings`() {
    let freed = RecordedValues<Int>()
    do {
      let object = Object { freed.append(1) }
      let (factory, other) = (StoreFactory.appending(on: executor), StoreFactory.appending(on: executor))
      let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
      let sibling = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
      let elsewhere = other.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
      child.subscribe(
        observer: Observer { _ in withExtendedLifetime((sibling, elsewhere, factory, object)) { .active } }
      )
      executor.run()
    }
    #expect(freed.values == [1])
  }

  @Test(.reports("used after its owner was released"))
  func `L3 a store that outlives its tree keeps nothing of it alive`() {
    let probe = Probe()
    var store: Store<Object?, Int>?
    var scope: Store<Bool, Int>?
    do {
      let factory = probe.factory(on: executor)
      store = factory.rootStore()
      scope = store?.scope(to: { $0 == nil })
      executor.run()
    }
    #expect(!probe.isAlive)
    #expect(store?.state == nil && scope?.state == nil)
  }

  // MARK: L4

  #if DEBUG
    @Test func `L4 debug builds report a child's store once and the root's once, whichever calls are made`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        LifetimeTests.useTwoDeadStores()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "a Store was used after its owner was released").count == 3, "\(text)")
    }

    private static func useTwoDeadStores() {
      var factory: StoreFactory<Int, Int>? = StoreFactory(initialState: 0, reducer: { $0 += $1 })
      let store = factory!.rootStore()
      var child = factory?.childStore(initialState: 0, reducer: { $0 += $1 })
      let below = child!.store()
      factory = nil
      child = nil
      for _ in 1...2 {
        store.subscribe(observer: Observer { _ in .active })
        store.dispatch(batch: [1])
        _ = below.childStore(initialState: 0, reducer: { _, _ in })
        below.dispatchAndWait(1)
      }
    }

    @Test func `L4 calls that are allowed to come late report nothing`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        LifetimeTests.comeLate()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(!text.contains("Arbor"), "\(text)")
    }

    /// The `dispatch` of an interceptor and the handler of an observer, after their tree is gone.
    private static func comeLate() {
      let dispatches = RecordedValues<@Sendable (Int) -> Void>()
      let completions = RecordedValues<Observer<Int>.StatusHandler>()
      var factory: StoreFactory<Int, Int>? = StoreFactory(
        initialState: 0,
        interceptor: { _, dispatch in dispatches.append(dispatch) },
        reducer: { $0 += $1 }
      )
      factory?.rootStore().subscribe(observer: Observer { _, complete in completions.append(complete) })
      factory?.rootStore().dispatchAndWait(1)
      factory = nil
      dispatches.values[0](1)
      completions.values[0](.dead)
      completions.values[1](.active)
    }
  #endif

  // MARK: L5

  @Test(arguments: [false, true])
  func `L5 no stateMapping runs after the last observer below it is gone`(isWaiting: Bool) {
    let runs = RecordedValues<String>()
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, _ in
        runs.append("child")
        return root
      },
      reducer: { _, _ in }
    )
    var grandchild: StoreObject<Int, Int>? = child.childStore(
      initialState: 0,
      stateMapping: { above, _ in
        runs.append("grandchild")
        return above.count
      },
      reducer: { _, _ in }
    )
    grandchild?.subscribe(observer: Observer { _ in .active })
    executor.run()
    runs.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(runs.values == ["child", "grandchild"])
    if isWaiting { factory.rootStore().dispatch(0) }
    grandchild = nil
    executor.run()
    runs.removeAll()
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(runs.values == [])
    #expect(grandchild == nil)
  }

  @Test func `L5 children that are gone are skipped, and the others keep their order`() {
    let factory = StoreFactory.appending(on: executor)
    let called = RecordedValues<Int>()
    var children: [Int: StoreObject<[Int], Int>] = [:]
    for number in 0..<100 {
      let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
      child.subscribe(
        observer: Observer { _ in
          called.append(number)
          return .active
        }
      )
      children[number] = child
    }
    executor.run()
    called.removeAll()
    factory.rootStore().dispatch(1)
    for number in 0..<100 where number % 10 != 5 { children[number] = nil }
    executor.run()
    #expect(called.values == Array(stride(from: 5, to: 100, by: 10)))
    called.removeAll()
    children = [:]
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(called.values == [])
  }
}
