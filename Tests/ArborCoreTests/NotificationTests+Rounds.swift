import ArborCore
import ArborTesting
import TestSupport
import Testing

/// Laws of notification: observers that subscribe and end while others are called.
extension NotificationTests {
  // MARK: N5

  @Test func `N5 an observer added during a round receives the current state once, after the round`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let log = RecordedValues<String>()
    let late = Observer<[Int]> { state in
      log.append("late \(state.count)")
      return .active
    }
    store.subscribe(
      observer: Observer { state in
        log.append("first \(state.count)")
        if state.count == 1 { store.subscribe(observer: late) }
        return .active
      }
    )
    store.subscribe(
      observer: Observer { state in
        log.append("second \(state.count)")
        return .active
      }
    )
    store.dispatch(1)
    executor.run()
    store.dispatch(2)
    executor.run()
    #expect(
      log.values == ["first 0", "second 0", "first 1", "second 1", "late 1", "first 2", "second 2", "late 2"]
    )
  }

  @Test func `N5 an observer that another one ends is skipped, even later in the same round`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<Int>()
    let completions = RecordedValues<Observer<[Int]>.StatusHandler>()
    factory.rootStore().subscribe(
      observer: Observer { state in
        if state.count == 1 { completions.values[0](.dead) }
        return .active
      }
    )
    factory.rootStore().subscribe(
      observer: Observer { state, complete in
        calls.append(state.count)
        completions.append(complete)
      }
    )
    executor.run()
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(calls.values == [0])
  }

  @Test func `N5 any of many observers may end, and the others continue in order`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<Int>()
    for number in 0..<10 {
      factory.rootStore().subscribe(
        observer: Observer { state in
          calls.append(number)
          return state.last == number ? .dead : .active
        }
      )
    }
    for number in [0, 9, 4, 5, 1] { factory.rootStore().dispatch(number) }
    executor.run()
    calls.removeAll()
    factory.rootStore().dispatch(100)
    executor.run()
    #expect(calls.values == [2, 3, 6, 7, 8])
  }

  @Test func `N5 one of many observers may end all others, before and after it, in the same round`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, completions) = (RecordedValues<Int>(), Completions())
    for number in 0..<5 {
      factory.rootStore().subscribe(
        observer: Observer { state, complete in
          if state.isEmpty { completions.append(complete) }
          calls.append(number)
          guard state.count == 1, number == 2 else { return }
          for other in [0, 1, 3, 4] { completions.values[other](.dead) }
        }
      )
    }
    executor.run()
    calls.removeAll()
    for number in 1...2 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(calls.values == [0, 1, 2, 2])
    completions.removeAll()
  }

  @Test func `N5 many observers may all end the same observer in one round`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, others, completions) = (RecordedValues<Int>(), RecordedValues<Int>(), Completions())
    factory.rootStore().subscribe(observer: .handingOut(completions, calls: calls))
    for number in 0..<3 {
      factory.rootStore().subscribe(
        observer: Observer { state in
          completions.values[0](.dead)
          others.append(number)
          return .active
        }
      )
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(calls.values == [0])
    #expect(others.values == [0, 1, 2, 0, 1, 2])
  }

  @Test func `N5 an observer of the root may end one of a grandchild in the same round`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
    let grandchild = child.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    let (calls, others, completions) = (RecordedValues<Int>(), RecordedValues<[Int]>(), Completions())
    grandchild.subscribe(observer: .handingOut(completions, calls: calls))
    grandchild.subscribe(observer: .recording(in: others))
    factory.rootStore().subscribe(
      observer: Observer { state in
        if state.count == 1 { completions.values[0](.dead) }
        return .active
      }
    )
    for number in 1...2 { child.dispatch(number) }
    executor.run()
    #expect(calls.values == [0])
    #expect(others.values == [[], [1], [1, 2]])
  }

  @Test func `N5 a child made and observed in a round receives the current state once, and then every later one`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let (objects, seen) = (RecordedValues<StoreObject<[Int], Int>>(), RecordedValues<[Int]>())
    store.subscribe(
      observer: Observer { state in
        guard state.count == 1 else { return .active }
        let child = store.childStore(initialState: 5, stateMapping: { $0 + [$1] }, reducer: { $0 += $1 })
        child.subscribe(observer: .recording(in: seen))
        child.dispatch(2)
        objects.append(child)
        return .active
      }
    )
    store.dispatch(1)
    store.dispatch(3)
    executor.run()
    #expect(seen.values == [[1, 3, 5], [1, 3, 2, 7]])
    objects.removeAll()
  }

  @Test func `N5 subscribing in an interceptor gives the state after the action and the waiting work, once`() {
    let (stores, seen) = (RecordedValues<Store<[Int], Int>>(), RecordedValues<[Int]>())
    let factory = StoreFactory.appending(
      on: executor,
      interceptor: { action, _ in
        if action == 1 { stores.values[0].subscribe(observer: .recording(in: seen)) }
      }
    )
    stores.append(factory.rootStore())
    for number in 1...2 { factory.rootStore().dispatch(number) }
    executor.run()
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(seen.values == [[1, 2], [1, 2, 3]])
  }

  @Test func `N5 a child released in a round is not called any more, even later in the round`() {
    let factory = StoreFactory.appending(on: executor)
    let (objects, seen) = (RecordedValues<StoreObject<[Int], Int>>(), RecordedValues<[Int]>())
    factory.rootStore().subscribe(
      observer: Observer { state in
        if state.count == 1 { objects.removeAll() }
        return .active
      }
    )
    objects.append(factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in }))
    objects.values[0].subscribe(observer: .recording(in: seen))
    executor.run()
    for number in 1...2 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(seen.values == [[]])
  }

  @Test func `N5 each of 250,000 observers can end by itself, in any order`() {
    let count = repetitions(250_000)
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let calls = Protected(0)
    let completions = RecordedValues<Observer<Int>.StatusHandler>()
    for _ in 0..<count {
      factory.rootStore().subscribe(
        observer: Observer { state, complete in
          if state == 0 { completions.append(complete) } else { calls.withLock { $0 += 1 } }
        }
      )
    }
    executor.run()
    let handlers = completions.values
    // End them from the middle to both ends, so that a search from either end would be long. One stays.
    for offset in 0..<count / 2 {
      handlers[count / 2 + offset](.dead)
      if offset > 0 { handlers[count / 2 - offset](.dead) }
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(calls.withLock { $0 } == 1)
  }
}
