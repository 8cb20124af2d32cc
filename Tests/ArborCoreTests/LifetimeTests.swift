import ArborCore
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Lifetime")
struct LifetimeTests {
  let executor = ManualExecutor()

  // MARK: L1

  @Test(.reports("used after its owner was released"))
  func `L1 a child object keeps its ancestors alive, but a store keeps nothing alive`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let root = factory!.rootStore()
    var child = factory?.childStore(initialState: [], reducer: appending)
    var grandchild = child?.childStore(initialState: [], stateMapping: { [$0.0, $0.1, $1] }, reducer: appending)
    factory = nil
    child = nil
    grandchild?.dispatch(1)
    executor.run()
    #expect(root.state == [1])
    #expect(grandchild?.state == [[1], [1], [1]])
    grandchild = nil
    #expect(root.state == nil)
    #expect(child == nil)
  }

  @Test(.reports("used after its owner was released"))
  func `L1 a child made from a store keeps the tree alive, and is closed once the owner is gone`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let scope = factory!.scopeStore(to: \.count)
    var child = Optional(scope.childStore(initialState: 0, stateMapping: { $0 + $1 }, reducer: { $0 += $1 }))
    factory = nil
    child?.dispatch(5)
    executor.run()
    #expect(scope.state == 1)
    #expect(child?.state == 6)
    child = nil
    #expect(scope.state == nil)
    let late = scope.childStore(initialState: 0, stateMapping: { $1 }, reducer: { $0 += $1 })
    let seen = RecordedValues<Int>()
    late.subscribe(observer: .recording(in: seen))
    late.dispatch(5)
    late.dispatch(batch: [5])
    late.childStore(initialState: 0, reducer: { $0 += $1 }).dispatch(5)
    executor.run()
    #expect(late.state == nil && late.scope(to: { $0 }).state == nil)
    #expect(seen.values == [])
  }

  // MARK: L2

  @Test func `L2 an owner released while nothing waits is freed before the release returns`() {
    let root = Probe()
    let child = Probe()
    var factory: StoreFactory<Object?, Int>? = root.factory(on: executor)
    var object = child.child(of: factory!)
    executor.run()
    #expect(root.isAlive && child.isAlive)
    object = nil
    #expect(root.isAlive && !child.isAlive)
    factory = nil
    #expect(!root.isAlive)
    _ = object
  }

  @Test func `L2 a wake-up that finds no work does not keep released objects`() {
    let root = Probe()
    var factory: StoreFactory<Object?, Int>? = root.factory(on: executor)
    _ = factory?.state
    #expect(executor.pending == 0)
    factory = nil
    #expect(!root.isAlive)
    executor.run()
  }

  @Test func `L2 an owner released while work waits is freed after the work`() {
    let root = Probe()
    let child = Probe()
    var factory: StoreFactory<Object?, Int>? = root.factory(on: executor)
    var object = child.child(of: factory!)
    executor.run()
    object?.dispatch(1)
    object = nil
    factory = nil
    #expect(root.isAlive && child.isAlive)
    executor.step()
    #expect(root.isAlive && child.isAlive, "the action was reduced, but the releases still wait")
    executor.run()
    #expect(!root.isAlive && !child.isAlive)
    _ = object
  }

  @Test func `L2 a release inside the tree's own callbacks does not wait`() {
    let objects = RecordedValues<StoreObject<Int, Int>>()
    let freed = RecordedValues<Int>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, _ in if action == 1 { objects.removeAll() } },
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    objects.append(
      factory.childStore(
        initialState: Object { freed.append(1) }, stateMapping: { root, _ in root }, reducer: { _, _ in })
    )
    objects.values[0].subscribe(observer: Observer { _ in .active })
    executor.run()
    factory.rootStore().dispatch(1)
    executor.step()
    #expect(freed.values == [])
    executor.run()
    #expect(freed.values == [1])
    #expect(factory.state == 1)
  }

  @Test func `L2 a release while a step runs on another thread does not wait for it`() {
    let (inside, release, freed) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in
        inside.signal()
        release.wait()
      },
      reducer: { $0 += $1 }
    )
    var child: StoreObject<Int, Int>? = factory.childStore(
      initialState: Object { freed.signal() },
      stateMapping: { root, _ in root },
      reducer: { _, _ in }
    )
    _ = factory.state
    child?.dispatch(1)
    inside.wait()
    child = nil
    release.signal()
    freed.wait()
    #expect(factory.state == 1)
    #expect(child == nil)
  }

  // MARK: L3

  @Test func `L3 observers and interceptors that capture stores make no cycle`() {
    let root = Probe()
    let child = Probe()
    do {
      let factory = root.factory(on: executor)
      let object = child.child(of: factory)
      let (store, scope) = (factory.rootStore(), object!.store().scope(to: { $0 == nil }))
      let completions = RecordedValues<Observer<Bool>.StatusHandler>()
      scope.subscribe(
        observer: Observer { _, complete in
          completions.append(complete)
          _ = (store, scope)
        }
      )
      store.subscribe(
        observer: Observer { _ in
          _ = (store, scope)
          return .active
        }
      )
      factory.rootStore().dispatch(1)
      executor.run()
      #expect(completions.values.count == 2)
    }
    #expect(!root.isAlive && !child.isAlive)
  }

  // MARK: L4

  @Test(.reports("used after its owner was released")) func `L4 calls on a store whose owner is gone do nothing`() async
  {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let store = factory!.rootStore()
    let scope = store.scope(to: \.count)
    executor.run()
    factory = nil
    let seen = RecordedValues<[Int]>()
    store.dispatch(1)
    store.dispatch(batch: [2])
    scope.dispatch(3)
    store.subscribe(observer: .recording(in: seen))
    await store.dispatchAndWait(4)
    waitForNothing(store)
    #expect(store.state == nil && scope.state == nil)
    #expect(executor.pending == 0)
    #expect(seen.values == [])
    #expect(factory == nil)
  }

  private func waitForNothing(_ store: Store<[Int], Int>) {
    store.dispatchAndWait(5)
  }

  #if DEBUG
    @Test func `L4 debug builds report once per store, and once per scope, that its owner is gone`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        LifetimeTests.useDeadStore()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "a Store was used after its owner was released").count == 4, "\(text)")
      #expect(text.contains("(a store of Int)"), "\(text)")
    }

    private static func useDeadStore() {
      var factory: StoreFactory<Int, Int>? = StoreFactory(initialState: 0, reducer: { $0 += $1 })
      let store = factory!.rootStore()
      let scopes = [store.scope(to: { $0 }), store.scope(to: { $0 })]
      _ = factory?.state
      factory = nil
      for store in [store, store] + scopes {
        store.dispatch(1)
        store.dispatch(2)
        _ = store.state
      }
    }
  #endif

  // MARK: L5

  @Test func `L5 a child without an owner is not notified from the next step on`() {
    let factory = StoreFactory.appending(on: executor)
    let (mapped, seen) = (RecordedValues<Int>(), RecordedValues<Int>())
    var child: StoreObject<Int, Int>? = factory.childStore(
      initialState: 0,
      stateMapping: { root, _ in
        mapped.append(root.count)
        return root.count
      },
      reducer: { _, _ in }
    )
    child?.subscribe(observer: .recording(in: seen))
    executor.run()
    factory.rootStore().dispatch(1)
    child = nil
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(seen.values == [0])
    #expect(mapped.values == [0])
    #expect(factory.state == [1, 2])
    #expect(child == nil)
  }
}
