import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Feature")
struct FeatureTests {
  // MARK: F1

  @Test func `F1 a scoped feature sees only its own actions and its own part`() {
    let log = RecordedValues<String>()
    let factory = StoreFactory(initialState: Shop.State(), feature: Shop.app(log: log))
    factory.dispatchAndWait(.first(.add(2)))
    #expect(factory.state == Shop.State(first: Shop.Counter(count: 2), total: 1))
    factory.change { $0.second = Shop.Counter(count: 3) }
    factory.dispatchAndWait(.second(.add(5)))
    #expect(factory.state.first == Shop.Counter(count: 2))
    #expect(factory.state.second == Shop.Counter(count: 8))
    #expect(log.values == ["asked about add(2) with 2", "asked about add(5) with 8"])
  }

  @Test func `F1 an action calls each feature once, and once more for each replacement`() {
    let asked = RecordedValues<String>()
    let replacing = Interceptor<Int, Int> { action, _ in action == 1 ? .replace(with: 10) : .pass }
    func part(_ name: String, _ interceptors: [Interceptor<Int, Int>]) -> Feature<Int, Int> {
      let feature = Feature<Int, Int>(
        interceptors: interceptors,
        effects: { _, _ in .none },
        reducer: { $0 += $1 }
      )
      return feature.scoped(
        to: \.self,
        action: { $0 },
        extract: { action in
          asked.append("\(name) \(action)")
          return action
        }
      )
    }
    let passing = Interceptor<Int, Int> { _, _ in .pass }
    let factory = StoreFactory(
      initialState: 0,
      feature: Feature<Int, Int>.combined(part("a", [passing]), part("b", [replacing]), part("c", [passing]))
    )
    // Debug builds check each pair with its first action.
    factory.dispatchAndWait(0)
    asked.removeAll()
    factory.dispatchAndWait(5)
    #expect(asked.values == ["a 5", "b 5", "c 5"])
    #expect(factory.state == 15)
    asked.removeAll()
    factory.dispatchAndWait(1)
    #expect(asked.values == ["a 1", "b 1", "c 10", "a 10"])
    #expect(factory.state == 45)
  }

  @Test func `F1 an interceptor of a scoped feature replaces and drops its own actions`() {
    let interceptor = Interceptor<Shop.Counter, Shop.CounterAction> { action, context in
      switch action {
      case .add(1): .drop
      case .add(2): .replace(with: .add(context.state.count + 20))
      default: .pass
      }
    }
    let feature = Shop.counter(interceptors: [interceptor])
      .scoped(to: \Shop.State.first, action: Shop.Action.first, extract: \.first)
    let factory = StoreFactory(initialState: Shop.State(), feature: feature)
    factory.dispatchAndWait(.first(.add(1)))
    #expect(factory.state == Shop.State())
    factory.dispatchAndWait(.first(.add(5)))
    factory.dispatchAndWait(.first(.add(2)))
    #expect(factory.state.first.count == 30)
    factory.dispatchAndWait(.second(.add(2)))
    #expect(factory.state.first.count == 30)
  }

  @Test func `F1 actions that an interceptor of a scoped feature dispatches, now or later, are embedded`() throws {
    let executor = ManualExecutor()
    let kept = RecordedValues<@Sendable (Shop.CounterAction) -> Void>()
    let feature = Feature<Shop.Counter, Shop.CounterAction>(
      interceptor: { action, dispatch in
        guard action == .load else { return }
        kept.append(dispatch)
        dispatch(.add(1))
      },
      reducer: { state, action in if case .add(let number) = action { state.count += number } }
    )
    let factory = StoreFactory(
      initialState: Shop.State(second: Shop.Counter()),
      feature: feature.scoped(toOptional: \Shop.State.second, action: Shop.Action.second, extract: \.second),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(.second(.load))
    executor.run()
    #expect(factory.state.second?.count == 1)
    let dispatchLater = try #require(kept.values.first)
    dispatchLater(.add(5))
    #expect(factory.state.second?.count == 6)
  }

  @Test func `F1 an extracted action is released with its step, even if it is dropped or fails`() {
    struct Action: Sendable {
      let object: Object
      let isDropped: Bool
    }
    let seen = RecordedValues<Int>()
    let part = Feature<Int, Action>(
      interceptors: [Interceptor { _, _ in .pass }],
      effects: { _, _ in .none },
      reducer: { state, _ in state += 1 }
    )
    let feature = Feature<Int, Action>.combined(
      part.scoped(to: \.self, action: { $0 }, extract: { $0 }),
      Feature(interceptors: [Interceptor { action, _ in action.isDropped ? .drop : .pass }]) { _, _ in seen.append(1) }
    )
    let factory = StoreFactory(initialState: 0, feature: feature)
    for isDropped in [false, true] {
      let isFreed = RecordedValues<Bool>()
      factory.dispatchAndWait(Action(object: Object { isFreed.append(true) }, isDropped: isDropped))
      #expect(isFreed.values == [true])
    }
    #expect(factory.state == 1)
    #expect(seen.values == [1])
  }

  // MARK: F2

  @Test func `F2 all interceptors run in order, then all reducers, then all effects with the final state`() {
    let log = RecordedValues<String>()
    func part(_ name: String) -> Feature<[String], Int> {
      Feature(
        interceptors: [
          Interceptor { action, _ in
            log.append("\(name) intercepts \(action)")
            return .replace(with: action + 1)
          }
        ],
        effects: { state, action in
          log.append("\(name) is asked about \(action) with \(state)")
          return .none
        },
        reducer: { state, action in
          state.append(name)
          log.append("\(name) reduces \(action)")
        }
      )
    }
    let factory = StoreFactory(
      initialState: [], feature: Feature<[String], Int>.combined(part("a"), part("b"), part("c")))
    factory.dispatchAndWait(1)
    #expect(
      log.values == [
        "a intercepts 1", "b intercepts 2", "c intercepts 3", "a reduces 4", "b reduces 4", "c reduces 4",
        #"a is asked about 4 with ["a", "b", "c"]"#, #"b is asked about 4 with ["a", "b", "c"]"#,
        #"c is asked about 4 with ["a", "b", "c"]"#,
      ]
    )
  }

  @Test func `F2 effects of a combination are requested in its order, each only for its own actions`() {
    let asked = RecordedValues<String>()
    /// A feature of the numbers that are multiples of a divisor.
    func part(_ divisor: Int, interceptors: [Interceptor<Int, Int>] = []) -> Feature<Int, Int> {
      let feature = Feature<Int, Int>(
        interceptors: interceptors,
        effects: { _, action in
          asked.append("\(divisor) divides \(action)")
          return .none
        }
      )
      return feature.scoped(to: \.self, action: { $0 }, extract: { $0.isMultiple(of: divisor) ? $0 : nil })
    }
    let own = Feature<Int, Int>(
      effects: { _, action in
        asked.append("all see \(action)")
        return .none
      }
    )
    let doubling = Interceptor<Int, Int> { action, _ in action == 21 ? .replace(with: 42) : .pass }
    let neighbors = Feature<Int, Int>.combined(part(2), part(3), part(5), part(7, interceptors: [doubling]), part(11))
    let factory = StoreFactory(initialState: 0, feature: Feature<Int, Int>.combined(neighbors, own, part(1), neighbors))
    for (action, expected) in [(13, []), (3, [3]), (22, [2, 11]), (35, [5, 7])] {
      asked.removeAll()
      factory.dispatchAndWait(action)
      let divisors = expected.map { "\($0) divides \(action)" }
      #expect(asked.values == divisors + ["all see \(action)", "1 divides \(action)"] + divisors)
    }
    asked.removeAll()
    factory.dispatchAndWait(21)
    let divisors = [2, 3, 7].map { "\($0) divides 42" }
    #expect(asked.values == divisors + ["all see 42", "1 divides 42"] + divisors, "asked about the replacement")
  }

  @Test func `F2 actions of a scoped feature's effect are embedded`() {
    let factory = StoreFactory(initialState: Shop.State(second: Shop.Counter(count: 3)), feature: Shop.app())
    factory.dispatchAndWait(.second(.load))
    #expect(factory.state.second == Shop.Counter(count: 3, loaded: 30))
  }

  @Test func `F2 an error goes to the feature that declared the effect, else to the store, with the whole's action`()
    async
  {
    struct Failure: Error {}
    let own = RecordedValues<Shop.CounterAction?>()
    let outer = RecordedValues<Shop.Action?>()
    func failing(
      _ onEffectError: (@Sendable ((any Hashable & Sendable)?, Shop.CounterAction?, any Error) -> Void)?
    ) -> Feature<Shop.Counter, Shop.CounterAction> {
      Feature(effects: { _, _ in .run(key: "k") { _ in throw Failure() } }, onEffectError: onEffectError)
    }
    let feature = Feature<Shop.State, Shop.Action>.combined(
      failing { key, action, error in if error is Failure, key as? String == "k" { own.append(action) } }
        .scoped(to: \.first, action: Shop.Action.first, extract: \.first),
      failing(nil).scoped(to: \.first, action: Shop.Action.first, extract: \.first)
    )
    let factory = StoreFactory(
      initialState: Shop.State(),
      feature: feature,
      settings: TreeSettings(
        onEffectError: { key, action, error in
          if error is Failure, key as? String == "k" { outer.append(action as? Shop.Action) }
        }
      )
    )
    await factory.perform(.first(.load))
    #expect(own.values == [.load])
    #expect(outer.values == [.first(.load)])
  }

  @Test func `a combination of no features changes nothing, and neither does a feature without a reducer`() {
    let executor = ManualExecutor()
    let factory = StoreFactory(
      initialState: 1,
      feature: Feature<Int, Int>.combined(
        Feature<Int, Int>.combined(),
        Feature(effects: { _, action in action < 3 ? .send(action + 1) : .none })
      ),
      settings: TreeSettings(executor: executor)
    )
    let seen = RecordedValues<Int>()
    factory.subscribe(observer: .recording(in: seen))
    factory.dispatch(1)
    executor.run()
    #expect(seen.values == [1, 1, 1, 1])
  }

  @Test func `a child runs its feature, and its parent's feature sees its actions`() {
    let log = RecordedValues<String>()
    let factory = StoreFactory(initialState: Shop.State(), feature: Shop.app())
    let child = factory.childStore(
      initialState: Shop.State(),
      stateMapping: { $0.first.count * 100 + $1.first.count },
      feature: Shop.app(log: log)
    )
    child.dispatchAndWait(.first(.add(2)))
    factory.dispatchAndWait(.first(.add(1)))
    #expect(child.state == 302)
    #expect(log.values == ["asked about add(2) with 2"])
    let pair = child.childStore(initialState: Shop.State(), stateMapping: { ($0, $1) }, feature: Shop.app())
    pair.dispatchAndWait(.first(.add(5)))
    #expect(pair.state?.0 == 807)
    #expect(pair.state?.1.first.count == 5)
  }

  @Test func `effects added to a child see its composed state, after the feature's own`() {
    let executor = ManualExecutor()
    let log = RecordedValues<String>()
    let factory = StoreFactory<Int?, Int>(initialState: 10, settings: TreeSettings(executor: executor)) {
      state, action in
      state = action < 0 ? nil : state.map { $0 + action }
    }
    let child = factory.scope(toOptional: { $0 }).childStore(
      initialState: "a",
      stateMapping: { "\($1)\($0)" },
      feature: Feature(
        effects: { state, action in
          log.append("own \(state)")
          return .none
        },
        reducer: { state, _ in state += "b" }
      )
    )
    child.add { state, action in
      log.append("composed \(state)")
      return action == 1 ? .send(2) : .none
    }.storeWhileSourceActive()
    child.dispatch(1)
    executor.run()
    #expect(log.values == ["own ab", "composed ab11", "own abb", "composed abb13"])
    child.dispatch(-1)
    executor.run()
    #expect(log.values.last == "own abbb")
  }

  // MARK: S1

  @Test func `S1 a part is changed in place, through ten levels, an optional, an element and a case`() {
    struct Level<Inner: Sendable>: Sendable { var inner: Inner }
    struct Leaf: Sendable {
      var values = Array(0..<100)
      var address = 0
    }
    enum Wrapped: Sendable {
      case none
      case leaf(Leaf)
      var leaf: Leaf? { if case .leaf(let leaf) = self { leaf } else { nil } }
    }
    struct Element: Identifiable, Sendable {
      let id: Int
      var wrapped: Wrapped
    }
    let leaf = Feature<Leaf, Int>(
      effects: { _, _ in .none },
      reducer: { state, action in
        state.values[action] += 1
        state.address = state.values.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
      }
    )
    func level<Inner>(_ inner: Feature<Inner, Int>) -> Feature<Level<Inner>, Int> {
      inner.scoped(to: \.inner, action: { $0 }, extract: { $0 })
    }
    let element = leaf.scoped(toCase: Wrapped.leaf, at: \.leaf, action: { $0 }, extract: { $0 })
      .scoped(to: \Element.wrapped, action: { (action: Int) in action }, extract: { $0 })
    let ten = level(level(level(level(level(level(level(level(level(level(element))))))))))
    struct Whole: Sendable {
      var optional: Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<Element>>>>>>>>>>?
    }
    struct Root: Sendable { var elements: [Holder] }
    struct Holder: Identifiable, Sendable {
      let id: Int
      var whole: Whole
    }
    let inner = Element(id: 1, wrapped: .leaf(Leaf()))
    func wrap<Inner>(_ inner: Inner) -> Level<Inner> { Level(inner: inner) }
    let whole = Whole(optional: wrap(wrap(wrap(wrap(wrap(wrap(wrap(wrap(wrap(wrap(inner)))))))))))
    let feature = ten.scoped(toOptional: \Whole.optional, action: { (action: Int) in action }, extract: { $0 })
      .scoped(to: \Holder.whole, action: { (action: Int) in action }, extract: { $0 })
      .forEach(\Root.elements, action: { (_: Int, action: Int) in action }, extract: { (7, $0) })
    let factory = StoreFactory(initialState: Root(elements: [Holder(id: 7, whole: whole)]), feature: feature)
    let address: @Sendable (Root) -> Int = { root in
      let ten = root.elements[0].whole.optional!.inner.inner.inner.inner.inner
      return ten.inner.inner.inner.inner.inner.wrapped.leaf!.address
    }
    factory.dispatchAndWait(3)
    let first = address(factory.state)
    factory.dispatchAndWait(4)
    #expect(address(factory.state) == first)
    #expect(first != 0)
  }
}
