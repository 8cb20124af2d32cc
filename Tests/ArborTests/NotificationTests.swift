import Arbor
import ArborTesting
import Dispatch
import Testing

@Suite("Notification")
struct NotificationTests {
  let executor = ManualExecutor()

  // MARK: N1

  @Test func `N1 each step calls each observer once, with a state that all reducers have seen`() {
    let factory = StoreFactory<Int, Int>(initialState: 0, executor: executor, reducer: { $0 += $1 })
    let child = factory.childStore(initialState: 0, reducer: { $0 += $1 })
    let grandchild = child.childStore(initialState: 0, stateMapping: { [$0.0, $0.1, $1] }, reducer: { $0 += $1 })
    let (root, middle, leaf) = (Recorder<Int>(), Recorder<[Int]>(), Recorder<[Int]>())
    grandchild.subscribe(observer: .recording(in: leaf))
    child.scope(to: { [$0.0, $0.1] }).subscribe(observer: .recording(in: middle))
    factory.rootStore().subscribe(observer: .recordingWithCompletion(in: root))
    executor.run()
    grandchild.dispatch(1)
    child.dispatch(10)
    factory.rootStore().dispatch(100)
    executor.run()
    #expect(root.values == [0, 1, 11, 111])
    #expect(middle.values == [[0, 0], [1, 1], [11, 11], [111, 11]])
    #expect(leaf.values == [[0, 0, 0], [1, 1, 1], [11, 11, 1], [111, 11, 1]])
  }

  @Test func `N1 a sibling's observer is called once a step too`() {
    let factory = StoreFactory.appending(on: executor)
    let first = factory.childStore(initialState: 0, stateMapping: { $0.count + $1 }, reducer: { $0 += $1 })
    let second = factory.childStore(initialState: 0, stateMapping: { $0.count + $1 }, reducer: { $0 += $1 })
    let seen = Recorder<Int>()
    second.subscribe(observer: .recording(in: seen))
    first.dispatch(5)
    executor.run()
    #expect(seen.values == [0, 1])
  }

  // MARK: N2

  @Test func `N2 a new observer gets the state after all accepted before it, then every later one`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = Recorder<[Int]>()
    for number in 1...3 { factory.rootStore().dispatch(number) }
    factory.rootStore().subscribe(observer: .recording(in: seen))
    for number in 4...5 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(seen.values == [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
  }

  // MARK: N3

  @Test func `N3 parents before children, depth first, siblings in order of creation, observers of subscription`() {
    let factory = StoreFactory.appending(on: executor)
    let log = Recorder<String>()
    func observer<State>(_ name: String) -> Observer<State> {
      Observer { _ in
        log.append(name)
        return .active
      }
    }
    let first = factory.childStore(initialState: 0, reducer: { _, _ in })
    let second = factory.childStore(initialState: 0, reducer: { _, _ in })
    let below = first.childStore(initialState: 0, reducer: { _, _ in })
    second.subscribe(observer: observer("second"))
    below.subscribe(observer: observer("below first"))
    first.subscribe(observer: observer("first a"))
    factory.rootStore().subscribe(observer: observer("root a"))
    first.scope(to: \.1).subscribe(observer: observer("first b"))
    factory.scopeStore(to: \.count).subscribe(observer: observer("root b"))
    executor.run()
    log.removeAll()
    second.dispatch(1)
    executor.run()
    #expect(log.values == ["root a", "root b", "first a", "first b", "below first", "second"])
  }

  @Test func `N3 a stateMapping runs once a step however many listen, and not at all where nobody does`() {
    let factory = StoreFactory.appending(on: executor)
    let runs = Recorder<String>()
    let heard = factory.childStore(
      initialState: 0,
      stateMapping: { root, local in
        runs.append("heard")
        return root.count + local
      },
      reducer: { _, _ in }
    )
    let unheard = factory.childStore(
      initialState: 0,
      stateMapping: { root, local in
        runs.append("unheard")
        return root.count + local
      },
      reducer: { _, _ in }
    )
    let below = heard.childStore(initialState: 0, stateMapping: { $0 + $1 }, reducer: { _, _ in })
    let dying = Observer<Int> { $0 < 2 ? .active : .dead }
    for _ in 0..<3 { heard.scope(to: { $0 }).subscribe(observer: dying) }
    below.subscribe(observer: dying)
    executor.run()
    runs.removeAll()
    unheard.dispatch(1)
    executor.run()
    #expect(runs.values == ["heard"])
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(runs.values == ["heard", "heard"], "the last time that somebody listens")
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(runs.values == ["heard", "heard"])
  }

  // MARK: N4

  @Test func `N4 after dead no call follows, in either form, and the closure is released once that call ends`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = Recorder<String>()
    weak var returning: Recorder<Int>?
    weak var completing: Recorder<Int>?
    do {
      let (first, second) = (Recorder<Int>(), Recorder<Int>())
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

  @Test func `N4 dead may be said later, on another thread, twice, and after the store is gone`() {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let calls = Recorder<Int>()
    let completions = Recorder<Observer<[Int]>.StatusHandler>()
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

  @Test func `N4 dead said elsewhere while idle releases the closure at once`() {
    let factory = StoreFactory.appending(on: executor)
    let completions = Recorder<Observer<[Int]>.StatusHandler>()
    weak var captured: Recorder<Int>?
    do {
      let object = Recorder<Int>()
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
    let calls = Recorder<Int>()
    factory.rootStore().subscribe(observer: Observer<[Int]> { state, _ in calls.append(state.count) })
    factory.rootStore().dispatch(batch: [1])
    factory.rootStore().dispatchAndWait(2)
    #expect(calls.values == [0, 1, 2])
  }

  // MARK: N5

  @Test func `N5 an observer added during a round gets one current state, not inside the round and not twice`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let log = Recorder<String>()
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
    let calls = Recorder<Int>()
    let completions = Recorder<Observer<[Int]>.StatusHandler>()
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

  @Test func `N5 any of many observers may end, and the others go on in order`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = Recorder<Int>()
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

  // MARK: N6

  @Test func `N6 an observer subscribed again to the same store is not doubled but sent the current state again`() {
    let factory = StoreFactory.appending(on: executor)
    for form in [Observer<[Int]>.recording, Observer<[Int]>.recordingWithCompletion] {
      let seen = Recorder<[Int]>()
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

  @Test func `N6 on scopes made by different calls, and on different nodes, it is two subscriptions`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root }, reducer: { _, _ in })
    let seen = Recorder<[Int]>()
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

  @Test func `N6 an observer may subscribe again after it was dead, even in the call in which it said so`() {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let seen = Recorder<Int>()
    let again = Recorder<Observer<[Int]>>()
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

  @Test func `N6 dead said after an observer was subscribed again ends it, also if both still wait`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = Recorder<Int>()
    let completions = Recorder<Observer<[Int]>.StatusHandler>()
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
    #expect(seen.values == [0])
    factory.rootStore().subscribe(observer: observer)
    executor.run()
    #expect(seen.values == [0, 2])
  }

  // MARK: N7

  @Test func `N7 an optional scope is silent while its value is nil, a scope to an optional passes nil on`() {
    let factory = StoreFactory.appending(on: executor)
    let (optional, plain) = (Recorder<Int>(), Recorder<Int?>())
    let even: @Sendable ([Int]) -> Int? = { $0.count % 2 == 0 ? $0.count : nil }
    let silent = factory.scopeStore(toOptional: even)
    silent.subscribe(observer: .recording(in: optional))
    silent.scope(to: { $0 }).subscribe(observer: .recordingWithCompletion(in: optional))
    factory.scopeStore(to: even).subscribe(observer: .recording(in: plain))
    for number in 1...3 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(optional.values == [0, 0, 2, 2])
    #expect(plain.values == [0, nil, 2, nil])
    #expect(silent.state == nil)
    #expect(factory.scopeStore(to: even).state == .some(nil))
  }

  @Test func `N7 a child below an optional scope is silent while the scope is nil, and keeps its own state`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = Recorder<[Int]>()
    let child = factory.scopeStore(toOptional: { $0.count % 2 == 0 ? $0.count : nil })
      .childStore(initialState: 0, stateMapping: { [$0, $1] }, reducer: { $0 += $1 })
    child?.subscribe(observer: .recording(in: seen))
    for number in [1, 2, 4] { child?.dispatch(number) }
    executor.run()
    #expect(seen.values == [[0, 0], [2, 3]])
    #expect(child?.state == nil)
    child?.dispatch(8)
    executor.run()
    #expect(child?.state == [4, 15])
  }

  // MARK: N8

  @Test func `N8 nothing is deduplicated`() {
    let factory = StoreFactory<Int, Int>(initialState: 0, executor: executor, reducer: { _, _ in })
    let seen = Recorder<Int>()
    factory.rootStore().subscribe(observer: .recording(in: seen))
    factory.scopeStore(to: { _ in 7 }).subscribe(observer: .recording(in: seen))
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [0, 7, 0, 7])
  }
}
