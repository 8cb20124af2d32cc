import Arbor
import ArborTesting
import TestSupport
import Testing

/// Additions to the nodes of a tree, some of which declare interceptors and effects.
@Suite("Additions at several nodes")
struct AdditionLevelTests {
  private let executor = ManualExecutor()
  private let log = RecordedValues<String>()
  private let held = RecordedValues<HeldAction<Int>>()

  private func judging(
    _ name: String,
    replacing replaced: [Int: Int] = [:],
    dropping dropped: Int? = nil,
    holding held: Int? = nil
  ) -> Interceptor<[Int], Int> {
    Interceptor { [log, tokens = self.held] action, _ in
      log.append("\(name) \(action)")
      if action == dropped { return .drop }
      if action == held { return .hold { tokens.append($0) } }
      return replaced[action].map { .replace(with: $0) } ?? .pass
    }
  }

  private func noting(_ name: String) -> @Sendable ([Int], Int) -> Effect<Int> {
    { [log] state, action in
      log.append("\(name) \(action) \(state)")
      return .none
    }
  }

  /// The declarations of the root, the child and the grandchild.
  enum Declared: CaseIterable {
    case nothing, root, child, grandchild, all

    func isAt(_ place: Declared) -> Bool { self == place || self == .all }
  }

  /// A root, its child and its grandchild, each of which shows only its own state.
  private func family(
    _ declared: Declared
  ) -> (root: StoreFactory<[Int], Int>, child: StoreObject<[Int], Int>, grandchild: StoreObject<[Int], Int>) {
    func feature(_ name: String, _ place: Declared) -> Feature<[Int], Int> {
      guard declared.isAt(place) else { return Feature(reducer: appending) }
      return Feature(interceptors: [judging(name)], effects: noting("effect of \(name)"), reducer: appending)
    }
    let root = StoreFactory<[Int], Int>(
      initialState: [],
      feature: feature("root", .root),
      settings: TreeSettings(executor: executor)
    )
    let child = root.childStore(
      initialState: [], stateMapping: { $1 }, feature: feature("child", .child))
    let grandchild = child.childStore(
      initialState: [], stateMapping: { $1 }, feature: feature("grandchild", .grandchild))
    return (root, child, grandchild)
  }

  @Test(arguments: Declared.allCases)
  func `O4 each level reduces and asks for effects with the action that reached it, in any combination`(
    declared: Declared
  ) {
    let (root, child, grandchild) = family(declared)
    let adding = [
      root.add(interceptor: judging("added to root", replacing: [3: 4])),
      child.add(interceptor: judging("added to child", replacing: [2: 3])),
      grandchild.add(interceptor: judging("added to grandchild", replacing: [1: 2])),
      root.add(effects: noting("added effect of root")),
      child.add(effects: noting("added effect of child")),
      grandchild.add(effects: noting("added effect of grandchild")),
    ]
    grandchild.dispatch(1)
    #expect(root.state == [4])
    #expect(child.state == [3])
    #expect(grandchild.state == [2])
    let names: [(String, Declared, Int)] = [("grandchild", .grandchild, 2), ("child", .child, 3), ("root", .root, 4)]
    var expected: [String] = []
    for (name, place, action) in names {
      if declared.isAt(place) { expected.append("\(name) \(action - 1)") }
      expected.append("added to \(name) \(action - 1)")
    }
    for (name, place, action) in names where declared.isAt(place) {
      expected.append("effect of \(name) \(action) [\(action)]")
    }
    for (name, _, action) in names { expected.append("added effect of \(name) \(action) [\(action)]") }
    #expect(log.values == expected)
    withExtendedLifetime(adding) {}
  }

  @Test(arguments: Declared.allCases)
  func `an action held at each level continues after it, and the other levels are unchanged`(declared: Declared) {
    let (root, child, grandchild) = family(declared)
    let adding = [
      root.add(interceptor: judging("first at root", replacing: [4: 5], holding: 3)),
      root.add(interceptor: judging("second at root")),
      child.add(interceptor: judging("first at child", replacing: [1: 2])),
      child.add(interceptor: judging("second at child", holding: 2)),
      grandchild.add(interceptor: judging("grandchild's", holding: 1)),
      child.add(effects: noting("effect of child")),
    ]
    grandchild.dispatch(1)
    executor.run()
    held.values[0].pass()
    executor.run()
    held.values[1].replace(with: 3)
    executor.run()
    #expect(log.values.filter { $0 == "first at child 1" }.count == 1)
    held.values[2].replace(with: 4)
    #expect(root.state == [4])
    #expect(child.state == [3])
    #expect(grandchild.state == [1])
    #expect(held.values.map(\.action) == [1, 2, 3])
    #expect(log.values.contains("second at root 4"))
    #expect(log.values.contains("effect of child 3 [3]"))
    withExtendedLifetime(adding) {}
  }

  @Test(arguments: Declared.allCases)
  func `O5 an action that an added interceptor drops makes no step at any level, and leaves nothing`(
    declared: Declared
  ) {
    let (root, child, grandchild) = family(declared)
    let states = RecordedValues<[Int]>()
    root.subscribe(observer: .recording(in: states))
    let adding = [
      root.add(interceptor: judging("root", dropping: 2)),
      child.add(interceptor: judging("child", replacing: [1: 2])),
    ]
    grandchild.dispatch(1)
    grandchild.dispatch(3)
    child.dispatch(4)
    root.dispatch(5)
    executor.run()
    #expect(states.values == [[], [3], [3, 4], [3, 4, 5]])
    #expect(child.state == [3, 4])
    #expect(grandchild.state == [3])
    withExtendedLifetime(adding) {}
  }

  @Test func `effects of a batch are requested action by action, with the state of each`() {
    let (root, child, _) = family(.nothing)
    let states = RecordedValues<[Int]>()
    root.subscribe(observer: .recording(in: states))
    let adding = [
      root.add(interceptor: judging("judges", replacing: [1: 10], dropping: 2)),
      root.add(effects: noting("effect")),
    ]
    child.dispatch(batch: [1, 2, 3])
    executor.run()
    #expect(states.values == [[], [10, 3]])
    #expect(child.state == [1, 3])
    #expect(log.values == ["judges 1", "effect 10 [10]", "judges 2", "judges 3", "effect 3 [10, 3]"])
    withExtendedLifetime(adding) {}
  }

  @Test func `an addition to a child sees neither its parent's actions nor its sibling's`() {
    let (root, child, _) = family(.nothing)
    let sibling = root.childStore(initialState: [], stateMapping: { $1 }, reducer: appending)
    let adding = child.add(interceptor: judging("child", dropping: 1))
    for store in [root.rootStore(), sibling.store()] { store.dispatch(1) }
    child.dispatch(1)
    executor.run()
    #expect(log.values == ["child 1"])
    #expect(root.state == [1, 1])
    withExtendedLifetime(adding) {}
  }

  @Test func `the actions of a later child, of a scope with its own actions, are judged above as embedded`() {
    let (root, _, _) = family(.nothing)
    let adding = [
      root.add(interceptor: judging("root", replacing: [3: 4], holding: 5)),
      root.add(effects: noting("effect")),
    ]
    let scope = root.scope(to: { $0 }, action: { (text: String) in text.count })
    let child = scope.childStore(initialState: "", stateMapping: { $1 }, reducer: { $0 += $1 })
    child.dispatch("abc")
    child.dispatch("defgh")
    executor.run()
    held.values[0].replace(with: 6)
    #expect(root.state == [4, 6])
    #expect(child.state == "abcdefgh")
    #expect(log.values == ["root 3", "effect 4 [4]", "root 5", "effect 6 [4, 6]"])
    withExtendedLifetime(adding) {}
  }

  @Test func `an addition in a callback takes effect from the next accepted action on`() {
    let (root, _, _) = family(.nothing)
    let adding = RecordedValues<StoreSubscription>()
    let first = root.add(
      interceptor: Interceptor { [judging = judging("inner")] action, _ in
        if action == 1 { adding.append(root.add(interceptor: judging)) }
        return .pass
      }
    )
    root.dispatch(1)
    root.dispatch(2)
    executor.run()
    root.dispatch(3)
    executor.run()
    #expect(log.values == ["inner 3"])
    #expect(root.state == [1, 2, 3])
    first.cancel()
    adding.values[0].cancel()
    executor.run()
  }

  @Test func `if some are removed in any order, the others keep theirs, and the last leaves the tree as it was`() {
    let (root, _, grandchild) = family(.nothing)
    var adding = ["a", "b", "c", "d"].map { root.add(interceptor: judging($0)) }
    for (index, left) in [(1, "a c d"), (2, "a c"), (0, "c"), (0, "")] {
      adding.remove(at: index).cancel()
      grandchild.dispatch(1)
      executor.run()
      #expect(log.values.map { $0.prefix(1) }.joined(separator: " ") == left)
      log.removeAll()
    }
    #expect(root.state == [1, 1, 1, 1])
  }

  @Test func `actions of its effects are revoked when it ends, while they are waiting`() {
    let (root, _, _) = family(.nothing)
    let adding = root.add { _, action in action < 10 ? .merge(.send(10 * action), .send(11 * action)) : .none }
    root.dispatch(1)
    executor.run()
    root.dispatch(2)
    adding.cancel()
    executor.run()
    #expect(root.state == [1, 10, 11, 2])
  }

  @Test(.reports("used after its owner was released")) func `L4 an addition to a store without an owner does nothing`()
  {
    let store = StoreFactory<[Int], Int>(initialState: [], reducer: appending).rootStore()
    let adding = store.add(interceptor: judging("gone"))
    store.dispatch(1)
    adding.cancel()
    #expect(log.values == [])
    #expect(store.state == nil)
  }

  @Test func `on a commit store it judges commits with a waiting caller, instead of the fast path`() {
    let store = CommitStore(initialState: 0)
    let child = store.childCommitStore(initialState: 0)
    let adding = store.add(
      interceptor: Interceptor { [log] mutation, context in
        log.append("\(mutation) in \(context.state)")
        return mutation.isAwaited ? .pass : .replace(with: Mutation(named: "other") { $0 += 10 })
      }
    )
    store.commit(named: "waiting") { $0 += 1 }
    store.commitLater(named: "later") { $0 += 2 }
    child.commitLater(named: "child's") { $0 += 3 }
    #expect(store.state == 21)
    #expect(child.state == 3)
    #expect(log.values == ["waiting in 0", "later in 1", "child's in 11"])
    withExtendedLifetime(adding) {}
  }

  @Test func `a failing mutation that replaces a child's action above also undoes the child's change`() {
    let store = CommitStore(initialState: Optional(1))
    let child = store.childStore(initialState: 0, stateMapping: { $1 }, reducer: { count, _ in count += 1 })
    let failing = RecordedValues<Mutation<Int?>>()
    let catching = store.add(
      interceptor: Interceptor { mutation, _ in
        failing.append(mutation)
        return .drop
      }
    )
    store.scope(atOptional: \.self).commitLater { $0 += 1 }
    _ = store.state
    catching.cancel()
    let replacing = store.add(
      interceptor: Interceptor { mutation, _ in
        mutation.name == "child's" ? .replace(with: failing.values[0]) : .pass
      }
    )
    store.commit { $0 = nil }
    child.commitLater(named: "child's") { $0 = 5 }
    #expect(store.state == Optional(nil))
    #expect(child.state == 0)
    replacing.cancel()
    child.commitLater { $0 = 5 }
    #expect(child.state == 1)
  }
}
