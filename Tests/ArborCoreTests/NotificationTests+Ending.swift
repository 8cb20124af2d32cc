import ArborCore
import ArborTesting
import TestSupport
import Testing

/// Laws of notification: the end of observers.
extension NotificationTests {
  // MARK: N4

  @Test func `N4 after dead no call follows, in either form, and the closure is released when that call ends`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<String>()
    weak var returning: RecordedValues<Int>?
    weak var completing: RecordedValues<Int>?
    do {
      let (first, second) = (RecordedValues<Int>(), RecordedValues<Int>())
      (returning, completing) = (first, second)
      factory.rootStore().subscribe(
        observer: Observer { state in
          first.append(state.count)
          calls.append("returning")
          return state.isEmpty ? .active : .dead
        }
      )
      factory.rootStore().subscribe(
        observer: Observer { state, complete in
          second.append(state.count)
          calls.append("completing")
          complete(state.isEmpty ? .active : .dead)
        }
      )
    }
    executor.run()
    #expect(returning != nil && completing != nil)
    factory.rootStore().dispatch(1)
    executor.step()
    #expect(returning == nil && completing == nil)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(calls.values == ["returning", "completing", "returning", "completing"])
  }

  @Test func `N4 dead may be reported later, on another thread, twice, and after the store is gone`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let calls = RecordedValues<Int>()
    let completions = RecordedValues<Observer<[Int]>.StatusHandler>()
    factory?.rootStore().subscribe(
      observer: Observer { state, complete in
        calls.append(state.count)
        completions.append(complete)
      }
    )
    factory?.rootStore().dispatch(1)
    executor.run()
    #expect(calls.values == [0, 1])
    onThreads(2) { _ in completions.values[0](.dead) }
    factory?.rootStore().dispatch(2)
    executor.run()
    completions.values[1](.dead)
    completions.values[1](.active)
    factory?.rootStore().dispatch(3)
    executor.run()
    factory = nil
    completions.values[0](.dead)
    executor.run()
    #expect(calls.values == [0, 1])
  }

  @Test func `N4 dead reported elsewhere while the tree is idle releases the closure immediately`() {
    let factory = StoreFactory.appending(on: executor)
    let completions = RecordedValues<Observer<[Int]>.StatusHandler>()
    weak var captured: RecordedValues<Int>?
    do {
      let object = RecordedValues<Int>()
      captured = object
      factory.rootStore().subscribe(
        observer: Observer { state, complete in
          object.append(state.count)
          completions.append(complete)
        }
      )
    }
    executor.run()
    #expect(captured != nil)
    completions.values[0](.dead)
    #expect(captured == nil)
    #expect(executor.pending == 0)
  }

  @Test func `N4 nothing waits for complete`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<Int>()
    factory.rootStore().subscribe(observer: Observer<[Int]> { state, _ in calls.append(state.count) })
    factory.rootStore().dispatch(batch: [1])
    factory.rootStore().dispatchAndWait(2)
    #expect(calls.values == [0, 1, 2])
  }

  @Test(arguments: [false, true])
  func `N4 an observer that is dead in its first call is released after the call, in either form`(isReturning: Bool) {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { $0.count + $1 }, reducer: { _, _ in })
    let calls = RecordedValues<Int>()
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      child.subscribe(
        observer: isReturning
          ? Observer { state in
            withExtendedLifetime(object) { calls.append(state) }
            return .dead
          }
          : Observer { state, complete in
            withExtendedLifetime(object) { calls.append(state) }
            complete(.dead)
          }
      )
    }
    child.dispatch(1)
    executor.step()
    #expect(captured == nil)
    executor.run()
    #expect(calls.values == [0])
  }

  @Test func `N4 dead reported on another thread during the call prevents further calls and releases the closure`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<Int>()
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      factory.rootStore().subscribe(
        observer: Observer { state, complete in
          withExtendedLifetime(object) { calls.append(state.count) }
          if state.count == 1 { onThreads(2) { _ in complete(.dead) } }
        }
      )
    }
    for number in 1...3 { factory.rootStore().dispatch(number) }
    executor.step()
    executor.step()
    #expect(calls.values == [0, 1])
    #expect(captured == nil)
    executor.run()
    #expect(calls.values == [0, 1])
  }

  @Test func `N4 dead reported elsewhere while work waits prevents calls, and the next step releases the closure`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      factory.rootStore().subscribe(observer: .handingOut(completions, calls: calls, holding: object))
    }
    executor.run()
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    completions.values[0](.dead)
    executor.step()
    #expect(captured == nil)
    executor.run()
    #expect(calls.values == [0])
  }

  @Test func `N4 dead reported by an earlier call's handler in a later call takes effect immediately`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    factory.rootStore().subscribe(
      observer: Observer { state, complete in
        calls.append(state.count)
        completions.append(complete)
        if state.count == 2 { completions.values[0](.dead) }
      }
    )
    for number in 1...4 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(calls.values == [0, 1, 2])
    completions.removeAll()
  }

  @Test func `N4 dead ends only the subscription that reported it, and the observer's others continue`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    let observer = Observer.handingOut(completions, calls: calls)
    factory.rootStore().subscribe(observer: observer)
    factory.scopeStore(to: { $0 + $0 }).subscribe(observer: observer)
    executor.run()
    completions.values[0](.dead)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(calls.values == [0, 0, 2])
  }

  @Test func `N4 a handler of an ended subscription does not end the subscription that followed it`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    let observer = Observer.handingOut(completions, calls: calls)
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    completions.values[0](.dead)
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    completions.values[0](.dead)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(calls.values == [0, 0, 1])
  }

  @Test func `N4, N6 dead ends the subscription that reported it, and not one that still waits for its turn`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    let observer = Observer.handingOut(completions, calls: calls)
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    factory.rootStore().subscribe(observer: observer)
    completions.values[0](.dead)
    executor.run()
    for number in 1...3 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(calls.values == [0, 0, 1, 2, 3])
  }

  @Test(arguments: [false, true])
  func `N4, N6 an observer that subscribes again before it reports dead gets a new subscription`(completing: Bool) {
    let factory = StoreFactory.appending(on: executor)
    let root = factory.rootStore()
    let (calls, observers) = (RecordedValues<Int>(), RecordedValues<Observer<[Int]>>())
    let again = Protected(true)
    let repeatOnce: @Sendable ([Int]) -> ObserverStatus = { state in
      calls.append(state.count)
      guard
        again.withLock({ again in
          defer { again = false }
          return again
        })
      else { return .active }
      root.subscribe(observer: observers.values[0])
      return .dead
    }
    observers.append(
      completing ? Observer { state, complete in complete(repeatOnce(state)) } : Observer(observe: repeatOnce))
    root.subscribe(observer: observers.values[0])
    root.dispatch(1)
    executor.step()
    #expect(calls.values == [0])
    executor.run()
    #expect(calls.values == [0, 1])
    root.dispatch(2)
    executor.run()
    #expect(calls.values == [0, 1, 2])
    // The observer retains itself through its captures.
    observers.removeAll()
  }

  @Test func `N4, N6 dead reported on two threads at once loses no later subscription`() {
    let factory = StoreFactory.appending(on: executor)
    let root = factory.rootStore()
    for _ in 1...300 {
      let (calls, completions) = (RecordedValues<Int>(), Completions())
      let observer = Observer.handingOut(completions, calls: calls)
      root.subscribe(observer: observer)
      executor.run()
      root.dispatch(1)
      onThreads(2) { _ in
        completions.values[0](.dead)
        root.subscribe(observer: observer)
      }
      executor.run()
      #expect(calls.values.count == 3)
      completions.values.last?(.dead)
    }
  }

  @Test func `N4 dead reported after the whole tree is gone is harmless, even while its work is waiting`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    var child = factory?.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    for _ in 0..<2 { child?.subscribe(observer: .handingOut(completions, calls: calls)) }
    executor.run()
    factory?.rootStore().dispatch(1)
    factory = nil
    child = nil
    completions.values[0](.dead)
    executor.run()
    onThreads(2) { thread in completions.values[thread](.dead) }
    #expect(calls.values == [0, 0])
    #expect(executor.pending == 0)
    withExtendedLifetime((factory, child)) {}
  }
}
