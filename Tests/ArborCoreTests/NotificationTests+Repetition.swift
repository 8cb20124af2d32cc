import ArborCore
import ArborTesting
import TestSupport
import Testing

/// Laws of notification for observers that are subscribed more than once.
extension NotificationTests {
  // MARK: N6

  @Test func `N6 an observer subscribed again to the same store is not doubled, but gets the current state again`() {
    let factory = StoreFactory.appending(on: executor)
    for form in [Observer<[Int]>.recording, Observer<[Int]>.recordingWithCompletion] {
      let seen = RecordedValues<[Int]>()
      let observer = form(seen)
      factory.rootStore().subscribe(observer: observer)
      factory.rootStore().subscribe(observer: observer)
      executor.run()
      let before = factory.state
      #expect(seen.values == [before, before])
      factory.rootStore().dispatch(1)
      executor.run()
      #expect(seen.values == [before, before, before + [1]])
    }
  }

  @Test func `N6 an observer on scopes from different calls, or on different nodes, has two subscriptions`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
    let seen = RecordedValues<[Int]>()
    let observer = Observer.recording(in: seen)
    let scope = factory.scopeStore(to: { $0 })
    scope.subscribe(observer: observer)
    scope.subscribe(observer: observer)
    factory.scopeStore(to: { $0 }).subscribe(observer: observer)
    factory.rootStore().subscribe(observer: observer)
    child.subscribe(observer: observer)
    child.store().subscribe(observer: observer)
    executor.run()
    seen.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [[1], [1], [1], [1]])
  }

  @Test func `N6 an observer may subscribe again after it was dead, even in the call that reported it`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let seen = RecordedValues<Int>()
    let again = RecordedValues<Observer<[Int]>>()
    defer { again.removeAll() }
    let observer = Observer<[Int]> { state, complete in
      seen.append(state.count)
      complete(.dead)
      if state.count == 1 { store.subscribe(observer: again.values[0]) }
    }
    again.append(observer)
    store.subscribe(observer: observer)
    store.dispatch(1)
    executor.run()
    #expect(seen.values == [0])
    store.subscribe(observer: observer)
    executor.step()
    #expect(seen.values == [0, 1])
    executor.step()
    #expect(seen.values == [0, 1, 1])
  }

  @Test func `N6 dead reported while a repeated subscription waits ends the first; the second begins in its turn`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    let completions = RecordedValues<Observer<[Int]>.StatusHandler>()
    let observer = Observer<[Int]> { state, complete in
      seen.append(state.count)
      completions.append(complete)
    }
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    factory.rootStore().dispatch(1)
    factory.rootStore().subscribe(observer: observer)
    completions.values[0](.dead)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(seen.values == [0, 1, 2])
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    #expect(seen.values == [0, 1, 2, 2])
  }

  @Test func `N6 an observer that subscribes again in its own call receives the current state once more`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let (seen, observers) = (RecordedValues<Int>(), RecordedValues<Observer<[Int]>>())
    let isFirst = Protected(true)
    let observer = Observer<[Int]> { state in
      seen.append(state.count)
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isFirst { store.subscribe(observer: observers.values[0]) }
      return .active
    }
    observers.append(observer)
    store.subscribe(observer: observer)
    store.dispatch(1)
    executor.run()
    #expect(seen.values == [0, 1, 1])
    store.dispatch(2)
    executor.run()
    #expect(seen.values == [0, 1, 1, 2])
    observers.removeAll()
  }

  @Test func `N6 copies of a store are the same store, and a second store of the same parts is a different one`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
    let seen = RecordedValues<[Int]>()
    let observer = Observer.recording(in: seen)
    let scope = child.scope(to: { $0 })
    let copy = scope
    for store in [scope, copy, child.store(), child.store()] { store.subscribe(observer: observer) }
    executor.run()
    #expect(seen.values == [[], [], [], []])
    seen.removeAll()
    child.dispatch(1)
    executor.run()
    #expect(seen.values == [[1], [1]])
  }

  @Test func `N6 returning dead ends one subscription, and the observer may subscribe to that store again`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    let observer = Observer<Int> { state in
      seen.append(state)
      return state == 1 ? .dead : .active
    }
    let (count, double) = (factory.scopeStore(to: \.count), factory.scopeStore(to: { $0.count * 2 }))
    count.subscribe(observer: observer)
    double.subscribe(observer: observer)
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(seen.values == [0, 0, 1, 2, 4])
    seen.removeAll()
    count.subscribe(observer: observer)
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(seen.values == [2, 6, 3])
  }
}
