import ArborCore
import ArborTesting
import TestSupport
import Testing

@Suite("Interceptors")
struct InterceptorTests {
  let executor = ManualExecutor()
  let log = RecordedValues<String>()

  func note(_ text: String) {
    log.append(text)
  }

  var noted: [String] { log.values }

  /// Records what it sees; replaces and drops the given numbers.
  func interceptor(
    _ name: String,
    replacing replaced: [Int: Int] = [:],
    dropping dropped: Int? = nil
  ) -> Interceptor<[Int], Int> {
    Interceptor { action, context in
      note("\(name) sees \(action)")
      if action == dropped { return .drop }
      return replaced[action].map { .replace(with: $0) } ?? .pass
    }
  }

  func factory(_ interceptors: [Interceptor<[Int], Int>]) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(interceptors: interceptors) { state, action in
        note("root reduces \(action)")
        state.append(action)
      },
      settings: TreeSettings(executor: executor)
    )
  }

  @Test func `each interceptor of a list sees the result of the previous one, and the reducer that of the last`() {
    let factory = factory([
      interceptor("first", replacing: [1: 2]), interceptor("second", replacing: [2: 3]), interceptor("third"),
    ])
    factory.rootStore().dispatch(1)
    #expect(factory.state == [3])
    #expect(noted == ["first sees 1", "second sees 2", "third sees 3", "root reduces 3"])
  }

  @Test func `the plain closure comes before the list`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptor: { action, _ in note("closure sees \(action)") },
        interceptors: [interceptor("first", replacing: [1: 2])],
        reducer: appending
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.rootStore().dispatch(1)
    #expect(factory.state == [2])
    #expect(noted == ["closure sees 1", "first sees 1"])
  }

  @Test func `a dropped action reaches nothing after the interceptor, and makes no step`() {
    let factory = factory([interceptor("first", dropping: 1), interceptor("second")])
    let states = RecordedValues<[Int]>()
    factory.rootStore().subscribe(
      observer: .recording(in: states)
    )
    for action in [1, 2, 1] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(states.values == [[], [2]])
    #expect(noted == ["first sees 1", "first sees 2", "second sees 2", "root reduces 2", "first sees 1"])
  }

  @Test func `a waiting dispatch of a dropped action returns anyway`() async {
    let factory = factory([interceptor("only", dropping: 1)])
    await factory.rootStore().dispatchAndWait(1)
    syncDispatch(1, to: factory.rootStore())
    #expect(factory.state == [])
    #expect(noted == ["only sees 1", "only sees 1"])
  }

  private func syncDispatch(_ action: Int, to store: Store<[Int], Int>) {
    store.dispatchAndWait(action)
  }

  @Test func `S4 a batch is a step if at least one of its actions is not dropped`() {
    let factory = factory([interceptor("only", dropping: 1)])
    let calls = Protected(0)
    factory.rootStore().subscribe(
      observer: Observer { _ in
        calls.withLock { $0 += 1 }
        return .active
      }
    )
    factory.rootStore().dispatch(batch: [1, 2, 1, 3])
    executor.run()
    #expect(calls.withLock { $0 } == 2)
    factory.rootStore().dispatch(batch: [1, 1])
    executor.run()
    #expect(calls.withLock { $0 } == 2)
    #expect(factory.state == [2, 3])
  }

  @Test func `O4 with a child and two ancestors, each interceptor runs once, in order, with the passed action`() {
    let factory = factory([interceptor("root", replacing: [3: 4])])
    let child = factory.childStore(
      initialState: [],
      stateMapping: { ($0, $1) },
      feature: Feature(interceptors: [interceptor("child", replacing: [2: 3])]) { (state: inout [Int], action: Int) in
        note("child reduces \(action)")
        state.append(action)
      }
    )
    let grandchild = child.childStore(
      initialState: [],
      stateMapping: { ($0, $1) },
      feature: Feature(interceptors: [interceptor("first", replacing: [1: 2]), interceptor("second")]) {
        (state: inout [Int], action: Int) in
        note("grandchild reduces \(action)")
        state.append(action)
      }
    )
    grandchild.dispatch(1)
    executor.run()
    #expect(
      noted == [
        "first sees 1", "second sees 2", "child sees 2", "root sees 3",
        "grandchild reduces 2", "child reduces 3", "root reduces 4",
      ]
    )
    withExtendedLifetime(grandchild) {}
  }

  @Test(arguments: ["first", "second", "child", "root"])
  func `O4 an action that is dropped on its way up is not reduced anywhere`(place: String) {
    let dropping = { (name: String) in interceptor(name, dropping: name == place ? 1 : nil) }
    let factory = factory([dropping("root")])
    let child = factory.childStore(
      initialState: [],
      stateMapping: { ($0, $1) },
      feature: Feature(interceptors: [dropping("child")]) {
        (state: inout [Int], action: Int) in note("child reduces \(action)")
      }
    )
    let grandchild = child.childStore(
      initialState: [],
      stateMapping: { ($0, $1) },
      feature: Feature(interceptors: [dropping("first"), dropping("second")]) {
        (state: inout [Int], action: Int) in note("grandchild reduces \(action)")
      }
    )
    grandchild.dispatch(1)
    grandchild.dispatch(2)
    executor.run()
    let names = ["first", "second", "child", "root"]
    let seen = names.prefix(through: names.firstIndex(of: place)!)
    #expect(
      noted == seen.map { "\($0) sees 1" } + names.map { "\($0) sees 2" }
        + ["grandchild reduces 2", "child reduces 2", "root reduces 2"]
    )
  }

  enum Whole: Equatable, Sendable {
    case feature(Int)
    case other(String)
  }

  struct WholeState: Equatable, Sendable {
    var feature: [Int] = []
    var others: [String] = []
  }

  static let whole: Reducer<WholeState, Whole> = { state, action in
    switch action {
    case .feature(let number): state.feature.append(number)
    case .other(let text): state.others.append(text)
    }
  }

  @Test func `a feature's interceptor sees the feature's actions and state, and dispatches its actions`() {
    let feature = Interceptor<[Int], Int> { action, context in
      note("feature sees \(action) in \(context.state)")
      switch action {
      case 1: context.dispatch(10)
      case 2: return .replace(with: 20)
      case 3: return .drop
      default: break
      }
      return .pass
    }
    let factory = StoreFactory(
      initialState: WholeState(),
      feature: Feature(
        interceptors: [
          feature.scoped(to: \.feature, action: Whole.feature) { action in
            if case .feature(let number) = action { number } else { nil }
          }
        ],
        reducer: Self.whole
      ),
      settings: TreeSettings(executor: executor)
    )
    for action in [.feature(1), .other("a"), .feature(2), .feature(3)] as [Whole] {
      factory.rootStore().dispatch(action)
    }
    executor.run()
    #expect(factory.state == WholeState(feature: [1, 20, 10], others: ["a"]))
    #expect(
      noted == [
        "feature sees 1 in []", "feature sees 2 in [1]", "feature sees 3 in [1, 20]", "feature sees 10 in [1, 20]",
      ]
    )
  }

  @Test func `an interceptor above an embedding drops a child's action of another type`() {
    let factory = StoreFactory(
      initialState: WholeState(),
      feature: Feature(
        interceptors: [Interceptor { action, _ in action == .feature(1) ? .drop : .pass }],
        reducer: Self.whole
      ),
      settings: TreeSettings(executor: executor)
    )
    let child = factory.rootStore().scope(to: \.feature, action: Whole.feature)
      .childStore(initialState: 0) { (sum: inout Int, action: Int) in sum += action }
    child.dispatch(1)
    child.dispatch(2)
    #expect(child.state?.1 == 2)
    #expect(factory.state.feature == [2])
  }

  @Test func `the state of a context is the own state of the store that has the interceptor`() {
    let factory = factory([
      Interceptor { action, context in
        note("root has \(context.state)")
        return .pass
      }
    ])
    let child = factory.childStore(
      initialState: 5,
      stateMapping: { $1 },
      feature: Feature(
        interceptors: [
          Interceptor { action, context in
            note("child has \(context.state)")
            return .pass
          }
        ]
      ) { (state: inout Int, action: Int) in state += action }
    )
    child.dispatch(1)
    child.dispatch(2)
    executor.run()
    #expect(noted.filter { $0.contains("has") } == ["child has 5", "root has []", "child has 6", "root has [1]"])
  }

  @Test func `a kept context reads everything accepted so far, from any thread, even after the store is gone`() {
    let kept = Protected<Interceptor<[Int], Int>.Context?>(nil)
    var factory: StoreFactory? = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptors: [
          Interceptor { _, context in
            kept.withLock { $0 = context }
            return .pass
          }
        ]
      ) { state, action in state.append(action) }
    )
    factory?.rootStore().dispatchAndWait(1)
    factory?.rootStore().dispatch(2)
    let context = kept.withLock { $0 }
    #expect(context?.state == [1, 2])
    context?.dispatch(3)
    #expect(factory?.state == [1, 2, 3])
    factory = nil
    context?.dispatch(4)
    #expect(context?.state == [1, 2, 3])
  }

  @Test func `values held by a replacement and a drop are freed with the step`() {
    final class Token: Sendable {}
    weak var token: Token?
    let factory = StoreFactory<Int, Token?>(
      initialState: 0,
      feature: Feature(interceptors: [Interceptor { action, _ in action == nil ? .drop : .replace(with: action) }]) {
        state, _ in state += 1
      },
      settings: TreeSettings(executor: executor)
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { $1 },
      feature: Feature(interceptors: [Interceptor { _, _ in .pass }]) { (state: inout Int, _: Token?) in state += 1 }
    )
    do {
      let new = Token()
      token = new
      child.dispatch(new)
      child.dispatch(nil)
    }
    #expect(token != nil)
    executor.run()
    #expect(token == nil)
    #expect(factory.state == 1)
  }
}
