import ArborCore
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Laws of lifetime: releases inside callbacks and on other threads.
extension LifetimeTests {
  // MARK: L2

  @Test(arguments: [false, true])
  func `L2 an object released in its own observer is not called again, and is freed after the waiting work`(
    isReturning: Bool
  ) {
    let factory = StoreFactory.appending(on: executor)
    let (objects, seen, freed) = (
      RecordedValues<StoreObject<[Int], Int>>(), RecordedValues<Int>(), RecordedValues<Int>()
    )
    let status: @Sendable (Object, Int) -> ObserverStatus = { object, count in
      withExtendedLifetime(object) { seen.append(count) }
      if count == 1 { objects.removeAll() }
      return count == 1 ? .dead : .active
    }
    do {
      let object = Object { freed.append(1) }
      objects.append(factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in }))
      objects.values[0].subscribe(
        observer: isReturning
          ? Observer { state in status(object, state.count) }
          : Observer { state, complete in complete(status(object, state.count)) }
      )
      objects.values[0].scope(to: \.count).subscribe(observer: .recording(in: seen))
    }
    executor.run()
    seen.removeAll()
    for number in 1...3 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(seen.values == [1])
    #expect(freed.values == [1])
    #expect(factory.state == [1, 2, 3])
  }

  @Test func `L2 a factory released in its own observer calls no other observer, and is freed after the waiting work`()
  {
    let (factories, seen) = (RecordedValues<StoreFactory<[Int], Int>>(), RecordedValues<Int>())
    weak var captured: Object?
    let reduced = RecordedValues<Int>()
    do {
      let object = Object()
      captured = object
      factories.append(
        StoreFactory(
          initialState: [],
          settings: TreeSettings(executor: executor),
          reducer: { state, action in
            withExtendedLifetime(object) { reduced.append(action) }
            state.append(action)
          }
        )
      )
      factories.values[0].rootStore().subscribe(
        observer: Observer { state in
          seen.append(state.count)
          if state.count == 1 { factories.removeAll() }
          return .active
        }
      )
      factories.values[0].scopeStore(to: { -$0.count }).subscribe(observer: .recording(in: seen))
    }
    for number in 1...3 { factories.values[0].rootStore().dispatch(number) }
    executor.step()
    executor.step()
    executor.step()
    #expect(seen.values == [0, 0, 1])
    #expect(captured != nil)
    executor.run()
    #expect(captured == nil)
    #expect(seen.values == [0, 0, 1])
    #expect(reduced.values == [1, 2, 3])
  }

  @Test func `L2 a factory released in its own interceptor still reduces the action`() {
    let (factories, reduced, freed) = (
      RecordedValues<StoreFactory<[Int], Int>>(), RecordedValues<Int>(), RecordedValues<Int>()
    )
    do {
      let object = Object { freed.append(1) }
      factories.append(
        StoreFactory(
          initialState: [],
          interceptor: { action, dispatch in
            factories.removeAll()
            dispatch(action + 1)
          },
          settings: TreeSettings(executor: executor),
          reducer: { _, action in withExtendedLifetime(object) { reduced.append(action) } }
        )
      )
      factories.values[0].rootStore().dispatch(1)
    }
    executor.run()
    #expect(reduced.values == [1])
    #expect(freed.values == [1])
  }

  @Test(arguments: [false, true])
  func `L2 objects freed with a node may use and release other objects of the tree`(isWaiting: Bool) {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let (siblings, freed, seen) = (
      RecordedValues<StoreObject<[Int], Int>>(), RecordedValues<String>(), RecordedValues<[Int]>()
    )
    var child: StoreObject<[Int], Int>?
    do {
      let inSibling = Object { freed.append("sibling") }
      siblings.append(
        factory.childStore(
          initialState: 0,
          stateMapping: { root, _ in root },
          reducer: { _, _ in withExtendedLifetime(inSibling) {} }
        )
      )
      let inReducer = Object {
        store.dispatch(1)
        siblings.removeAll()
        freed.append("reducer")
        store.subscribe(observer: .recording(in: seen))
      }
      let inObserver = Object {
        freed.append("observer")
        store.dispatch(2)
      }
      child = factory.childStore(
        initialState: 0,
        stateMapping: { root, _ in root },
        reducer: { _, _ in withExtendedLifetime(inReducer) {} }
      )
      child?.subscribe(observer: Observer { _ in withExtendedLifetime(inObserver) { .active } })
    }
    executor.run()
    if isWaiting { store.dispatch(0) }
    child = nil
    if isWaiting { executor.run() }
    #expect(Set(freed.values).isSuperset(of: ["reducer", "observer"]))
    executor.run()
    #expect(Set(freed.values) == ["reducer", "observer", "sibling"])
    #expect(factory.state.sorted() == (isWaiting ? [0, 1, 2] : [1, 2]))
    #expect(seen.values.last == factory.state)
    #expect(child == nil)
  }

  @Test func `L2 nothing runs after a wait, so a release frees immediately on the dispatch queue too`() {
    for number in 1...200 {
      var factory: StoreFactory<Object?, Int>?
      weak var captured: Object?
      do {
        let object = Object()
        captured = object
        factory = StoreFactory(initialState: object, reducer: { _, _ in })
      }
      factory?.rootStore().dispatch(number)
      factory?.rootStore().dispatchAndWait(number)
      #expect(captured != nil)
      factory = nil
      #expect(captured == nil)
    }
  }

  @Test func `L2 nothing runs after an asynchronous wait either`() async {
    for _ in 1...500 {
      weak var captured: Object?
      var factory: StoreFactory<Object, Int>? = StoreFactory(initialState: Object()) { _, _ in }
      captured = factory?.state
      await factory?.rootStore().dispatchAndWait(1)
      factory = nil
      #expect(captured == nil)
    }
  }

  @Test func `L2 a child that another thread releases during a step is not called by that step`() {
    let (inside, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (seen, freed) = (RecordedValues<Int>(), DispatchSemaphore(value: 0))
    let objects = RecordedValues<StoreObject<[Int], Int>>()
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    factory.rootStore().subscribe(
      observer: Observer { state in
        guard state.count == 1 else { return .active }
        inside.signal()
        released.wait()
        return .active
      }
    )
    do {
      let object = Object { freed.signal() }
      objects.append(factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in }))
      objects.values[0].subscribe(
        observer: Observer { state in
          withExtendedLifetime(object) { seen.append(state.count) }
          return .active
        }
      )
    }
    _ = factory.state
    objects.values[0].dispatch(1)
    onThreads(1) { _ in
      inside.wait()
      objects.removeAll()
      released.signal()
    }
    freed.wait()
    #expect(seen.values == [0])
    #expect(factory.state == [1])
  }

  @Test func `L2 releasing a tree's owners on several threads at once frees everything once`() {
    for _ in 0..<50 {
      let freed = DispatchSemaphore(value: 0)
      let owners = Protected<[any Sendable & AnyObject]>([])
      do {
        let objects = (0..<3).map { _ in Object { freed.signal() } }
        let factory = StoreFactory<Object, Int>(initialState: objects[0], reducer: { _, _ in })
        let child = factory.childStore(initialState: objects[1], stateMapping: { $1 }, reducer: { _, _ in })
        let grandchild = child.childStore(initialState: objects[2], stateMapping: { $1 }, reducer: { _, _ in })
        grandchild.subscribe(observer: Observer { _ in .active })
        grandchild.dispatch(1)
        owners.withLock { $0 = [factory, child, grandchild] }
      }
      onThreads(3) { _ in
        let owner = owners.withLock { $0.popLast() }
        withExtendedLifetime(owner) {}
      }
      for _ in 0..<3 { freed.wait() }
    }
    #expect(executor.pending == 0)
  }
}
