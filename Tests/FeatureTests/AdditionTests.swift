import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Effects and interceptors added later")
struct AdditionTests {
  private let executor = ManualExecutor()
  private let log = RecordedValues<String>()

  /// A feature that records its calls.
  private func noting(_ name: String) -> Feature<[Int], Int> {
    Feature(
      interceptors: [interceptor(name)],
      effects: { [log] state, action in
        log.append("\(name) has an effect of \(action) in \(state)")
        return .none
      }
    )
  }

  private func interceptor(_ name: String, replacing replaced: [Int: Int] = [:]) -> Interceptor<[Int], Int> {
    Interceptor { [log] action, context in
      log.append("\(name) intercepts \(action) in \(context.state)")
      return replaced[action].map { .replace(with: $0) } ?? .pass
    }
  }

  private func factory(_ features: Feature<[Int], Int>...) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: .combined(features + [Feature(reducer: appending)]),
      settings: TreeSettings(executor: executor)
    )
  }

  @Test func `O4 additions come after declarations, in the order of adding`() {
    let factory = factory(noting("declared"))
    let adding = [
      factory.add(interceptor: interceptor("first", replacing: [1: 2])),
      factory.add { [log] state, action in
        log.append("first has an effect of \(action) in \(state)")
        return .none
      },
      factory.add(interceptor: interceptor("second")),
      factory.add { state, action in action == 2 ? .send(3) : .none },
    ]
    factory.dispatch(1)
    _ = factory.state
    #expect(
      log.values == [
        "declared intercepts 1 in []", "first intercepts 1 in []", "second intercepts 2 in []",
        "declared has an effect of 2 in [2]", "first has an effect of 2 in [2]",
      ]
    )
    #expect(factory.state == [2, 3])
    withExtendedLifetime(adding) {}
  }

  @Test func `O2 an addition takes effect from the next action on, until its subscription ends`() {
    let factory = factory()
    factory.dispatch(1)
    let first = factory.add(interceptor: interceptor("first"))
    factory.dispatch(2)
    var second: StoreSubscription? = factory.add(interceptor: interceptor("second"))
    factory.dispatch(3)
    first.cancel()
    factory.dispatch(4)
    second = nil
    factory.dispatch(5)
    executor.run()
    #expect(
      log.values == [
        "first intercepts 2 in [1]", "first intercepts 3 in [1, 2]", "second intercepts 3 in [1, 2]",
        "second intercepts 4 in [1, 2, 3]",
      ]
    )
    #expect(second == nil)
  }

  @Test func `an addition that removes itself and others in a callback ends after the running step`() {
    let factory = factory()
    let adding = RecordedValues<StoreSubscription>()
    for name in ["first", "second"] {
      adding.append(
        factory.add(
          interceptor: Interceptor { [log] action, _ in
            log.append("\(name) intercepts \(action)")
            for subscription in adding.values { subscription.cancel() }
            return .pass
          }
        )
      )
    }
    factory.dispatch(1)
    factory.dispatch(2)
    executor.run()
    factory.dispatch(3)
    executor.run()
    #expect(
      log.values == [
        "first intercepts 1", "second intercepts 1", "first intercepts 2", "second intercepts 2",
      ]
    )
  }

  @Test func `an added interceptor replaces, drops and holds`() {
    let factory = factory()
    let held = RecordedValues<HeldAction<Int>>()
    let adding = [
      factory.add(
        interceptor: Interceptor { action, _ in
          switch action {
          case 1: .replace(with: 10)
          case 2: .drop
          case 3: .hold { held.append($0) }
          default: .pass
          }
        }
      ),
      factory.add(interceptor: interceptor("second")),
    ]
    for action in 1...4 { factory.dispatch(action) }
    executor.run()
    #expect(factory.state == [10, 4])
    held.values[0].replace(with: 30)
    #expect(factory.state == [10, 4, 30])
    #expect(log.values.last == "second intercepts 30 in [10, 4]")
    withExtendedLifetime(adding) {}
  }

  @Test func `N3 a child's state is composed once per step for all effects, derived values and observers`() {
    let factory = factory()
    let compositions = RecordedValues<[Int]>()
    let child = factory.childStore(
      initialState: [],
      stateMapping: { state, local in
        compositions.append(state + local)
        return state + local
      },
      feature: Feature(reducer: appending)
    )
    let adding = (0..<3).map { number in
      child.add { [log] state, _ in
        log.append("\(number) \(state)")
        return .none
      }
    }
    let counts = child.derived { $0.count }
    let states = RecordedValues<[Int]>()
    let observing = child.observe { states.append($0) }
    executor.run()
    compositions.removeAll()
    child.dispatch(1)
    executor.run()
    #expect(compositions.values == [[1, 1]])
    #expect(log.values == ["0 [1, 1]", "1 [1, 1]", "2 [1, 1]"])
    #expect(counts?.value == 2)
    #expect(states.values.last == [1, 1])
    child.dispatch(batch: [2, 3])
    executor.run()
    // In a batch, each action has a separate state.
    #expect(log.values.dropFirst(3).first == "0 [1, 2, 1, 2]")
    #expect(log.values.last == "2 [1, 2, 3, 1, 2, 3]")
    #expect(states.values.last == [1, 2, 3, 1, 2, 3])
    withExtendedLifetime((adding, observing)) {}
  }

  @Test func `an addition sees the actions of children as they reach its store, and can be added to children`() {
    let factory = factory()
    let child = factory.childStore(
      initialState: [],
      stateMapping: { $0 + $1 },
      feature: Feature(interceptors: [interceptor("child", replacing: [1: 2])], reducer: appending)
    )
    let adding = [
      factory.add(interceptor: interceptor("root")),
      child.add(interceptor: interceptor("added to the child", replacing: [2: 3])),
      child.store().add { [log] state, action in
        log.append("effect of \(action) in \(state)")
        return .none
      },
    ]
    child.dispatch(1)
    factory.dispatch(7)
    executor.run()
    #expect(
      log.values == [
        "child intercepts 1 in []", "added to the child intercepts 2 in []", "root intercepts 3 in []",
        "effect of 3 in [3, 3]", "root intercepts 7 in [3]",
      ]
    )
    withExtendedLifetime(adding) {}
  }

  @Test func `a scope with the same actions adds with its own part, but not while the part is nil`() {
    let factory = factory()
    let first = factory.scope(toOptional: { $0.first })
    let adding = [
      first.add { [log] state, action in
        log.append("effect of \(action) in \(state)")
        return .none
      },
      first.add(
        interceptor: Interceptor { [log] action, context in
          log.append("intercepts \(action) in \(context.state)")
          return .pass
        }
      ),
    ]
    factory.dispatch(1)
    factory.dispatch(2)
    executor.run()
    #expect(log.values == ["effect of 1 in 1", "intercepts 2 in 1", "effect of 2 in 1"])
    withExtendedLifetime(adding) {}
  }

  @Test func `running effects are canceled when their declaration is removed, and no others`() async {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let gate = Gate()
    let working: @Sendable ([Int], Int) -> Effect<Int> = { _, action in
      action > 2
        ? .none
        : .run { dispatch in
          await gate.pass()
          dispatch(10 * action)
        }
    }
    let first = factory.add { state, action in action == 1 ? working(state, action) : .none }
    let second = factory.add { state, action in action == 2 ? working(state, action) : .none }
    factory.dispatch(1)
    factory.dispatch(2)
    _ = factory.state
    first.cancel()
    _ = factory.state
    gate.open()
    await factory.settled()
    #expect(factory.state == [1, 2, 20])
    withExtendedLifetime(second) {}
  }

  @Test func `additions work on a commit store and its child`() {
    let store = CommitStore(initialState: 0)
    let child = store.childCommitStore(initialState: 0)
    let adding = store.add { [log] state, mutation in
      log.append("\(mutation) in \(state)")
      return .none
    }
    store.commit(named: "root") { $0 += 1 }
    child.commit(named: "child") { $0 += 1 }
    #expect(log.values == ["root in 1", "child in 1"])
    adding.cancel()
    store.commit { $0 += 1 }
    #expect(log.values.count == 2)
  }

  @Test func `L2, L3 an addition is released with its subscription and with its store`() {
    weak let first: Object?
    weak let second: Object?
    let factory = factory()
    do {
      let (one, two) = (Object(), Object())
      (first, second) = (one, two)
      let adding = factory.add { _, _ in withExtendedLifetime(one) { .none } }
      let other = StoreFactory<[Int], Int>(initialState: []) { _, _ in }
      let store = other.rootStore()
      other.add { _, _ in withExtendedLifetime((two, store)) { .none } }.storeWhileSourceActive()
      other.dispatch(1)
      #expect(other.state == [])
      factory.dispatch(1)
      executor.run()
      adding.cancel()
    }
    executor.run()
    #expect(first == nil)
    #expect(second == nil)
    #expect(factory.state == [1])
  }

  @Test func `additions are made and removed on many threads while actions run`() {
    let factory = StoreFactory<Int, Int>(initialState: 0) { $0 += $1 }
    onThreads(4) { number in
      for _ in 0..<200 {
        let adding = factory.add(interceptor: Interceptor { action, _ in .replace(with: action + 1) })
        factory.dispatch(1)
        adding.cancel()
      }
    }
    let before = factory.state
    #expect(before >= 4 * 200 * 2)
    factory.dispatch(1)
    #expect(factory.state == before + 1)
  }

  @Test(arguments: ["scope", "closure-backed"])
  func `adding to a scope with its own actions, or to a closure-backed store, stops the program`(place: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
      switch place {
      case "scope": _ = factory.scope(to: { $0 }, action: { (number: Int) in -number }).add { _, _ in .none }
      default: _ = Store<Int, Int>(dispatch: { _ in }, subscribe: { _ in }).add { _, _ in .none }
      }
    }
    expect(result, contains: "were added to a scope that has its own actions, or to a closure-backed store")
  }
}
