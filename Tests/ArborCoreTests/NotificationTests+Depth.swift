import ArborCore
import ArborTesting
import TestSupport
import Testing

/// Laws of notification in deep and wide trees.
extension NotificationTests {
  /// Five levels: each state contains the sums of all levels down to its own.
  private struct Tower {
    let factory: StoreFactory<[Int], Int>
    var levels: [StoreObject<[Int], Int>] = []

    init(on executor: ManualExecutor) {
      factory = StoreFactory(
        initialState: [0],
        settings: TreeSettings(executor: executor),
        reducer: { $0[0] += $1 }
      )
      for _ in 1...4 { levels.append(Tower.child(of: levels.last?.store() ?? factory.rootStore())) }
    }

    var stores: [Store<[Int], Int>] { [factory.rootStore()] + levels.map { $0.store() } }

    static func child(
      of store: Store<[Int], Int>,
      mapped: @escaping @Sendable () -> Void = {}
    ) -> StoreObject<[Int], Int> {
      store.childStore(
        initialState: 0,
        stateMapping: { above, own in
          mapped()
          return above + [own]
        },
        reducer: { $0 += $1 }
      )
    }
  }

  private func naming<State>(_ name: String, in log: RecordedValues<String>) -> Observer<State> {
    Observer { _ in
      log.append(name)
      return .active
    }
  }

  // MARK: N1

  @Test func `N1 with five levels each step makes one call per level, with the results of every level's reducer`() {
    let tower = Tower(on: executor)
    let seen = tower.stores.map { store in
      let recorded = RecordedValues<[Int]>()
      store.subscribe(observer: .recording(in: recorded))
      return recorded
    }
    executor.run()
    tower.stores[4].dispatch(1)
    tower.stores[2].dispatch(10)
    tower.stores[0].dispatch(100)
    executor.run()
    let whole = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [11, 11, 11, 1, 1], [111, 11, 11, 1, 1]]
    for level in 0..<5 {
      #expect(seen[level].values == whole.map { Array($0[...level]) }, "level \(level)")
    }
  }

  @Test func `N1 a batch makes one call at every level`() {
    let tower = Tower(on: executor)
    let (root, leaf) = (RecordedValues<[Int]>(), RecordedValues<[Int]>())
    tower.stores[0].subscribe(observer: .recordingWithCompletion(in: root))
    tower.stores[4].subscribe(observer: .recordingWithCompletion(in: leaf))
    tower.stores[4].dispatch(batch: [1, 2, 3])
    executor.run()
    #expect(root.values == [[0], [6]])
    #expect(leaf.values == [[0, 0, 0, 0, 0], [6, 6, 6, 6, 6]])
  }

  @Test func `N1 all observers of a step see the same state, even if other threads dispatch meanwhile`() {
    let tower = Tower(on: executor)
    let seen = RecordedValues<Int>()
    for store in tower.stores {
      store.subscribe(
        observer: Observer { state in
          seen.append(state[0])
          if state[0] == 1 { store.dispatch(10) }
          return .active
        }
      )
    }
    executor.run()
    seen.removeAll()
    tower.factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [1, 11, 21, 31, 41, 51].flatMap { Array(repeating: $0, count: 5) })
  }

  // MARK: N2

  @Test func `N2 a new observer of a child sees everything accepted before for any store, at every level`() {
    let tower = Tower(on: executor)
    let seen = RecordedValues<[Int]>()
    tower.stores[0].dispatch(1)
    tower.stores[3].dispatch(10)
    tower.stores[3].subscribe(observer: .recording(in: seen))
    tower.stores[2].dispatch(100)
    tower.stores[4].dispatch(1000)
    executor.run()
    #expect(seen.values == [[11, 10, 10, 10], [111, 110, 110, 10], [1111, 1110, 1110, 1010]])
  }

  @Test func `N2 an observer subscribed during a flood misses no state and receives none twice`() {
    let last = 3000
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let child = factory.childStore(initialState: 0, stateMapping: { $0 + $1 }, reducer: { _, _ in })
    let seen = (0..<40).map { _ in RecordedValues<Int>() }
    onThreads(2) { thread in
      if thread == 0 {
        for _ in 0..<last { child.dispatch(1) }
      } else {
        for (number, recorded) in seen.enumerated() {
          let store = number.isMultiple(of: 2) ? factory.rootStore() : child.store()
          store.subscribe(observer: .recording(in: recorded))
          _ = factory.state
        }
      }
    }
    #expect(factory.state == last)
    for recorded in seen {
      let first = recorded.values.first ?? -1
      #expect(first >= 0 && recorded.values == Array(first...last))
    }
  }

  // MARK: N3

  @Test func `N3 a wide and deep tree is called depth first, regardless of the order of subscription`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [0],
      settings: TreeSettings(executor: executor),
      reducer: { $0[0] += $1 }
    )
    let log = RecordedValues<String>()
    var objects: [String: StoreObject<[Int], Int>] = [:]
    // Create them level by level, so that the order of creation differs from the order of the walk.
    for name in ["a", "b", "c", "aa", "ab", "ba", "ca", "cb", "aba", "abb", "cba", "abaa"] {
      let parent = objects[String(name.dropLast())]?.store() ?? factory.rootStore()
      objects[name] = Tower.child(of: parent)
    }
    for (name, object) in objects.sorted(by: { $0.key > $1.key }) {
      object.subscribe(observer: naming(name, in: log))
    }
    factory.rootStore().subscribe(observer: naming("root", in: log))
    executor.run()
    log.removeAll()
    objects["ba"]?.dispatch(1)
    executor.run()
    #expect(log.values == ["root", "a", "aa", "ab", "aba", "abaa", "abb", "b", "ba", "c", "ca", "cb", "cba"])
    log.removeAll()
    for name in ["b", "ba", "abb"] { objects[name] = nil }
    objects["d"] = Tower.child(of: factory.rootStore())
    objects["d"]?.subscribe(observer: naming("d", in: log))
    executor.run()
    log.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(log.values == ["root", "a", "aa", "ab", "aba", "abaa", "c", "ca", "cb", "cba", "d"])
  }

  @Test func `N3 children of scopes and of the whole store are siblings in order of creation`() {
    let factory = StoreFactory.appending(on: executor)
    let log = RecordedValues<String>()
    let scope = factory.scopeStore(to: \.count)
    let first = scope.childStore(initialState: 0, reducer: { _, _ in })
    let second = factory.childStore(initialState: 0, reducer: { _, _ in })
    let third = scope.scope(toOptional: { $0 }).childStore(initialState: 0, reducer: { _, _ in })
    third.subscribe(observer: naming("third", in: log))
    second.subscribe(observer: naming("second", in: log))
    first.subscribe(observer: naming("first", in: log))
    executor.run()
    log.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(log.values == ["first", "second", "third"])
  }

  @Test func `N3 an observer that ends and subscribes again moves to the end`() {
    let factory = StoreFactory.appending(on: executor)
    let log = RecordedValues<String>()
    let returning = Observer<[Int]> { state in
      log.append("returning")
      return state.count == 1 ? .dead : .active
    }
    factory.rootStore().subscribe(observer: returning)
    factory.rootStore().subscribe(observer: naming("other", in: log))
    factory.rootStore().dispatch(1)
    executor.run()
    factory.rootStore().dispatch(2)
    factory.rootStore().subscribe(observer: returning)
    executor.run()
    log.removeAll()
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(log.values == ["other", "returning"])
  }

  @Test func `N3 with one observer at the leaf, each stateMapping on its path runs once per step, and no other runs`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [0],
      settings: TreeSettings(executor: executor),
      reducer: { $0[0] += $1 }
    )
    let runs = RecordedValues<Int>()
    var levels: [StoreObject<[Int], Int>] = []
    var besides: [StoreObject<[Int], Int>] = []
    for level in 1...4 {
      let parent = levels.last?.store() ?? factory.rootStore()
      levels.append(Tower.child(of: parent) { runs.append(level) })
      besides.append(Tower.child(of: parent) { runs.append(-level) })
    }
    let (first, second) = (RecordedValues<[Int]>(), RecordedValues<Int>())
    levels[3].subscribe(observer: .recording(in: first))
    levels[3].scope(to: { $0.count }).subscribe(observer: .recording(in: second))
    executor.run()
    runs.removeAll()
    besides[3].dispatch(1)
    executor.run()
    #expect(runs.values == [1, 2, 3, 4])
    runs.removeAll()
    levels[2].dispatch(batch: [1, 2, 3])
    executor.run()
    #expect(runs.values == [1, 2, 3, 4])
    #expect(first.values.last == [7, 7, 7, 7, 0])
    #expect(second.values == [5, 5, 5])
  }

  // MARK: N7

  @Test func `N7 an optional scope in the middle of the tree silences everything below it, and nothing else`() {
    let factory = StoreFactory.appending(on: executor)
    let (above, below, scoped, runs) = (
      RecordedValues<Int>(), RecordedValues<[Int]>(), RecordedValues<Int>(), RecordedValues<Int>()
    )
    let child = factory.childStore(initialState: 0, stateMapping: { root, _ in root.count }, reducer: { _, _ in })
    let odd = child.scope(toOptional: { $0.isMultiple(of: 2) ? nil : $0 })
    let leaf = odd.childStore(
      initialState: 0,
      stateMapping: { above, own in
        runs.append(above)
        return [above, own]
      },
      reducer: { $0 += $1 }
    )
    let below2 = leaf.childStore(initialState: 0, stateMapping: { $0 + [$1] }, reducer: { $0 += $1 })
    child.subscribe(observer: .recording(in: above))
    below2.subscribe(observer: .recordingWithCompletion(in: below))
    odd.scope(to: { $0 * 10 }).subscribe(observer: .recording(in: scoped))
    executor.run()
    #expect(below.values == [] && scoped.values == [] && runs.values == [])
    for number in [1, 2, 4] { below2.dispatch(number) }
    executor.run()
    #expect(above.values == [0, 1, 2, 3])
    #expect(below.values == [[1, 1, 1], [3, 7, 7]])
    #expect(scoped.values == [10, 30])
    #expect(runs.values == [1, 3])
  }

  @Test func `N7 an observer that waits for a value may end like any other`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    factory.scopeStore(toOptional: { $0.count > 1 ? $0.count : nil }).subscribe(
      observer: Observer { count in
        seen.append(count)
        return .dead
      }
    )
    for number in 1...4 { factory.rootStore().dispatch(number) }
    executor.run()
    #expect(seen.values == [2])
  }

  // MARK: N8

  @Test func `N8 equal compositions are delivered too, at every level`() {
    let tower = Tower(on: executor)
    let seen = RecordedValues<[Int]>()
    tower.stores[4].subscribe(observer: .recording(in: seen))
    for _ in 1...3 { tower.stores[0].dispatch(0) }
    executor.run()
    #expect(seen.values == Array(repeating: [0, 0, 0, 0, 0], count: 4))
  }
}
