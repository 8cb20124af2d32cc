import ArborCore
import ArborTesting
import TestSupport
import Testing

@Suite("Notification")
struct NotificationTests {
  let executor = ManualExecutor()

  // MARK: N1

  @Test func `N1 each step calls each observer once, with a state after all reducers`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let child = factory.childStore(initialState: 0, reducer: { $0 += $1 })
    let grandchild = child.childStore(initialState: 0, stateMapping: { [$0.0, $0.1, $1] }, reducer: { $0 += $1 })
    let (root, middle, leaf) = (RecordedValues<Int>(), RecordedValues<[Int]>(), RecordedValues<[Int]>())
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

  @Test func `N1 a sibling's observer is called once per step too`() {
    let factory = StoreFactory.appending(on: executor)
    let first = factory.childStore(initialState: 0, stateMapping: { $0.count + $1 }, reducer: { $0 += $1 })
    let second = factory.childStore(initialState: 0, stateMapping: { $0.count + $1 }, reducer: { $0 += $1 })
    let seen = RecordedValues<Int>()
    second.subscribe(observer: .recording(in: seen))
    first.dispatch(5)
    executor.run()
    #expect(seen.values == [0, 1])
  }

  // MARK: N2

  @Test func `N2 a new observer receives the state after everything accepted before it, then every later one`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    for number in 1...3 { factory.rootStore().dispatch(number) }
    factory.rootStore().subscribe(observer: .recording(in: seen))
    for number in 4...5 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(seen.values == [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
  }

  // MARK: N3

  @Test func `N3 the order is depth first, parents first, siblings by creation, observers by subscription`() {
    let factory = StoreFactory.appending(on: executor)
    let log = RecordedValues<String>()
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

  @Test func `N3 a stateMapping runs once per step for any number of observers, and not at all without any`() {
    let factory = StoreFactory.appending(on: executor)
    let runs = RecordedValues<String>()
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
    #expect(runs.values == ["heard", "heard"], "the observer still listens, for the last time")
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(runs.values == ["heard", "heard"])
  }

  // MARK: N7

  @Test func `N3 a stateMapping does not run for an observer that ended elsewhere, even if work waits before it`() {
    let factory = StoreFactory.appending(on: executor)
    let (mapped, completions) = (RecordedValues<Int>(), Completions())
    let parent = factory.childStore(
      initialState: 0,
      stateMapping: { root, _ in
        mapped.append(root.count)
        return root
      },
      reducer: { _, _ in }
    )
    var child: StoreObject<[Int], Int>? = parent.childStore(
      initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    child?.subscribe(observer: .handingOut(completions, calls: RecordedValues()))
    child?.subscribe(observer: .handingOut(completions, calls: RecordedValues()))
    executor.run()
    mapped.removeAll()
    factory.rootStore().dispatch(1)
    completions.values[0](.dead)
    executor.run()
    #expect(mapped.values == [1])
    for action in 2...4 { factory.rootStore().dispatch(action) }
    child = nil
    executor.run()
    #expect(mapped.values == [1])
    parent.subscribe(observer: .handingOut(completions, calls: RecordedValues()))
    executor.run()
    #expect(mapped.values == [1, 4])
    factory.rootStore().dispatch(5)
    completions.values.last?(.dead)
    executor.run()
    #expect(mapped.values == [1, 4])
  }

  @Test(arguments: [false, true])
  func `N3 a stateMapping does not run for an observer that ended earlier in the same round`(released: Bool) {
    let factory = StoreFactory.appending(on: executor)
    let (mapped, completions, objects) = (
      RecordedValues<Int>(), Completions(), RecordedValues<StoreObject<[Int], Int>>()
    )
    let parent = factory.childStore(
      initialState: 0,
      stateMapping: { root, _ in
        mapped.append(root.count)
        return root
      },
      reducer: { _, _ in }
    )
    objects.append(parent.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in }))
    objects.values[0].subscribe(observer: .handingOut(completions, calls: RecordedValues()))
    factory.rootStore().subscribe(
      observer: Observer { state in
        if state.count == 2 { released ? objects.removeAll() : completions.values[0](.dead) }
        return .active
      }
    )
    for action in 1...3 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(mapped.values == [0, 1])
    // The observer retains the object through the recorded values.
    objects.removeAll()
  }

  @Test func `N7 an optional scope is silent while its value is nil, but a scope to an optional delivers nil`() {
    let factory = StoreFactory.appending(on: executor)
    let (optional, plain) = (RecordedValues<Int>(), RecordedValues<Int?>())
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
    let seen = RecordedValues<[Int]>()
    let child = factory.scopeStore(toOptional: { $0.count % 2 == 0 ? $0.count : nil })
      .childStore(initialState: 0, stateMapping: { [$0, $1] }, reducer: { $0 += $1 })
    child.subscribe(observer: .recording(in: seen))
    for number in [1, 2, 4] { child.dispatch(number) }
    executor.run()
    #expect(seen.values == [[0, 0], [2, 3]])
    #expect(child.state == nil)
    child.dispatch(8)
    executor.run()
    #expect(child.state == [4, 15])
  }

  // MARK: N8

  @Test func `N8 nothing is deduplicated`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in }
    )
    let seen = RecordedValues<Int>()
    factory.rootStore().subscribe(observer: .recording(in: seen))
    factory.scopeStore(to: { _ in 7 }).subscribe(observer: .recording(in: seen))
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [0, 7, 0, 7])
  }
}
