import ArborCore
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Properties of the public types that the laws don't cover.
@Suite("Store")
struct StoreTests {
  let executor = ManualExecutor()

  @Test func `combine passes each reducer the state that the previous one left`() {
    let double: Reducer<[Int], Int> = { state, action in state.append(action * 2 + state.count) }
    var state: [Int] = []
    combine(appending, double, appending)(&state, 5)
    #expect(state == [5, 11, 5])
    let nothing: Reducer<[Int], Int> = combine()
    nothing(&state, 1)
    #expect(state == [5, 11, 5])
  }

  @Test(arguments: [5, Int.max, Int.min])
  func `every quality of service works`(priority: Int) {
    let quality = DispatchQoS(qosClass: .userInteractive, relativePriority: priority)
    let factory = StoreFactory<Int, Int>(initialState: 0, qos: .utility, reducer: { $0 += $1 })
    let child = factory.childStore(initialState: 0, qos: quality, reducer: { $0 += $1 })
    child.dispatch(1)
    #expect(factory.state == 1)
    let other = StoreFactory<Int, Int>(initialState: 0, qos: quality, reducer: { $0 += $1 })
    other.rootStore().dispatchAndWait(2)
    #expect(other.state == 2)
  }

  @Test func `copies of an observer are equal, and nothing else is`() {
    let observer = Observer<Int> { _ in .active }
    let copy = observer
    #expect(observer == copy)
    #expect(Set([observer, copy, Observer<Int> { _ in .active }]).count == 2)
  }

  @Test func `a scope of a scope sees its part and embeds its actions`() {
    enum Outer: Sendable {
      case inner(Inner)
    }
    enum Inner: Sendable {
      case number(Int)
    }
    let factory = StoreFactory<[Int], Outer>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: { state, action in if case .inner(.number(let number)) = action { state.append(number) } }
    )
    let middle = factory.rootStore().scope(to: { $0 + [0] }, action: Outer.inner)
    let leaf = middle.scope(toOptional: { $0.first }, action: Inner.number)
    let seen = RecordedValues<Int>()
    leaf.subscribe(observer: .recording(in: seen))
    leaf.dispatch(1)
    leaf.dispatch(batch: [2, 3])
    leaf.dispatchAndWait(4)
    #expect(factory.state == [1, 2, 3, 4])
    #expect(seen.values == [0, 1, 1, 1])
    let child = leaf.childStore(initialState: 0, stateMapping: { [$0, $1] }, reducer: { $0 += $1 })
    child.dispatchAndWait(10)
    #expect(child.state == [1, 10])
    #expect(factory.state.last == 10)
  }

  @Test func `a trailing closure without a label means the scope to a part, so nil is delivered`() {
    let factory = StoreFactory<Int?, Int>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let child = factory.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    let optionals: [Store<Int?, Int>] = [
      factory.scopeStore { $0 },
      factory.rootStore().scope { $0 },
      factory.rootStore().scope {
        $0
      } action: {
        $0
      },
      child.scope { $0 },
      child.scope {
        $0
      } action: {
        $0
      },
    ]
    let seen = RecordedValues<Int?>()
    for store in optionals { store.subscribe(observer: .recording(in: seen)) }
    executor.run()
    #expect(seen.values == [nil, nil, nil, nil, nil])
  }

  @Test func `an action is embedded once, where it is dispatched or after its child's interceptor`() {
    struct Numbered: Sendable {
      var action: Int
      var embedding: Int
    }
    let (log, stores) = (RecordedValues<String>(), RecordedValues<Store<Int, Numbered>>())
    let factory = StoreFactory<Int, Numbered>(
      initialState: 0,
      interceptor: { action, _ in log.append("intercepted \(action.action), \(action.embedding)") },
      settings: TreeSettings(executor: executor),
      reducer: { state, action in
        log.append("reduced \(action.action), \(action.embedding)")
        state += 1
      }
    )
    stores.append(factory.rootStore())
    let embedded = RecordedValues<Int>()
    let part = factory.rootStore().scope(
      to: { $0 },
      action: { action in
        embedded.append(action)
        log.append("embedded in \(stores.values[0].state ?? -1)")
        return Numbered(action: action, embedding: embedded.values.count)
      }
    )
    part.dispatch(1)
    executor.run()
    #expect(log.values == ["embedded in 0", "intercepted 1, 1", "reduced 1, 1"])
    let child = part.childStore(
      initialState: 0,
      stateMapping: { above, _ in above },
      interceptor: { action, _ in log.append("child intercepted \(action)") },
      reducer: { _, action in log.append("child reduced \(action)") }
    )
    let grandchild = child.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    log.removeAll()
    grandchild.dispatch(batch: [2, 3])
    executor.run()
    #expect(
      log.values == [
        "child intercepted 2", "embedded in 1", "intercepted 2, 2", "child reduced 2", "reduced 2, 2",
        "child intercepted 3", "embedded in 2", "intercepted 3, 3", "child reduced 3", "reduced 3, 3",
      ]
    )
  }

  @Test func `actions of any size and alignment arrive intact`() {
    struct Large: Sendable {
      var numbers: (SIMD8<Int>, SIMD64<Int>, SIMD64<Int>) = (.zero, .zero, .zero)
      var text = ""
    }
    let factory = StoreFactory<[String], Large>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: { state, action in state.append("\(action.text) \(action.numbers.2[63])") }
    )
    var action = Large()
    for number in 0..<20 {
      action.numbers.2[63] = number
      action.text = "action \(number)"
      factory.rootStore().dispatch(action)
    }
    action.text = "last"
    factory.rootStore().dispatchAndWait(action)
    #expect(factory.state == (0..<20).map { "action \($0) \($0)" } + ["last 19"])
  }

  @Test func `actions may hold references, even weak ones, and are freed once reduced`() {
    struct Reference: Sendable {
      let strong: Object
      weak let weak: Object?
    }
    let freed = RecordedValues<Int>()
    let kept = Object()
    let factory = StoreFactory<Int, Reference>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { state, action in if action.weak != nil { state += 1 } }
    )
    for number in 0..<1000 {
      factory.rootStore().dispatch(Reference(strong: Object { freed.append(number) }, weak: kept))
    }
    #expect(freed.values == [])
    executor.run()
    #expect(factory.state == 1000)
    #expect(freed.values == Array(0..<1000))
  }

  @Test func `actions may be existentials`() {
    protocol Event: Sendable {}
    struct Added: Event { let number: Int }
    struct Cleared: Event {}
    let factory = StoreFactory<[Int], any Event>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: { state, action in
        switch action {
        case let added as Added: state.append(added.number)
        case is Cleared: state = []
        default: break
        }
      }
    )
    factory.rootStore().dispatch(Added(number: 1))
    factory.rootStore().dispatch(Cleared())
    factory.rootStore().dispatch(Added(number: 2))
    executor.run()
    #expect(factory.state == [2])
  }

  @Test func `a child has its own interceptor, whose dispatch goes to the child`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(
      initialState: [],
      stateMapping: { $1 },
      interceptor: { action, dispatch in if action == 1 { dispatch(2) } },
      reducer: appending
    )
    child.dispatch(1)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(child.state == [1, 2])
    #expect(factory.state == [1, 1, 2])
  }

  @Test(.reports("used after its owner was released"))
  func `a closure-backed store calls its closures, even through scopes, and its children are closed`() async {
    let dispatched = RecordedValues<Int>()
    let subscribed = RecordedValues<Observer<[Int]>>()
    let store = Store<[Int], Int>(
      dispatch: { dispatched.append($0) },
      subscribe: { subscribed.append($0) }
    )
    let scope = store.scope(to: \.count, action: { (text: String) in Int(text) ?? -1 })
    store.dispatch(1)
    store.dispatch(batch: [2, 3])
    scope.dispatch("4")
    scope.dispatch(batch: ["5"])
    await store.dispatchAndWait(6)
    wait(scope, "7")
    await scope.dispatchAndWait(batch: ["8", "9"])
    wait(batch: [10, 11], store)
    #expect(dispatched.values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    #expect(store.state == nil)
    let child = store.childStore(initialState: 0, reducer: { $0 += $1 })
    child.dispatch(12)
    #expect(child.state == nil && dispatched.values.last == 11)
    await child.dispatchAndWait(13)
    let object = StoreObject<[Int], Int>(dispatch: dispatched.append, subscribe: { _ in })
    #expect(object.childStore(initialState: 0, stateMapping: { $1 }, reducer: { _, _ in }).state == nil)
    let observer = Observer<[Int]> { _ in .active }
    store.subscribe(observer: observer)
    #expect(subscribed.values.last == observer)
  }

  private func wait<State>(_ store: Store<State, String>, _ action: String) {
    store.dispatchAndWait(action)
  }

  private func wait<State>(batch actions: [Int], _ store: Store<State, Int>) {
    store.dispatchAndWait(batch: actions)
  }

  @Test func `a closure-backed object calls its closures, like a closure-backed store`() {
    let actions = RecordedValues<Int>()
    let observers = RecordedValues<Observer<Int?>>()
    let object = StoreObject<Int?, Int>(
      dispatch: { actions.append($0) },
      subscribe: { observer in
        observers.append(observer)
        observer.send(7)
      }
    )
    object.dispatch(1)
    object.store().dispatch(batch: [2, 3])
    #expect(actions.values == [1, 2, 3])
    #expect(object.state == 7)
    let seen = RecordedValues<Int>()
    object.scope({ $0 }).subscribe(observer: .recording(in: seen))
    observers.values.last?.send(nil)
    observers.values.last?.send(8)
    #expect(seen.values == [7, 8])
  }

  @Test func `an object's scope without a label is silent while a part is nil, unless it is a scope to an optional`() {
    let factory = StoreFactory<Int?, Int>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let object = factory.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    let seen = RecordedValues<String>()
    func see<Part: Sendable>(_ store: Store<Part, Int>) {
      store.subscribe(
        observer: Observer { part in
          seen.append("\(Part.self)")
          return .active
        }
      )
    }
    see(object.scope { $0 })
    see(object.scope({ $0 }))
    see(object.scope(\.self))
    see(object.scope(toOptional: { $0 }))
    see(object.scope { $0 ?? 0 })
    see(object.scope(to: { $0 }))
    let optionals: Store<Int?, Int> = object.scope { $0 }
    see(optionals)
    executor.run()
    #expect(seen.values == ["Int", "Optional<Int>", "Optional<Int>"])
    seen.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values.filter { $0 == "Int" }.count == 5)
    #expect(seen.values.filter { $0 == "Optional<Int>" }.count == 2)
  }

  @Test func `the state of a closure-backed store is the state that subscribe delivers immediately`() {
    let factory = StoreFactory.appending(on: executor)
    factory.rootStore().dispatchAndWait(5)
    let current = factory.state
    let statuses = RecordedValues<ObserverStatus>()
    let store = Store<[Int], Int>(
      dispatch: { _ in },
      subscribe: { observer in observer.send(current) { status in statuses.append(status) } }
    )
    #expect(store.state == [5])
    #expect(store.scope(to: \.count).state == 1)
    #expect(store.scope(toOptional: { $0.first }).state == 5)
    #expect(store.scope(toOptional: { _ in Int?.none }).state == nil)
    #expect(statuses.values == [.dead, .dead, .dead, .dead])
  }

  @Test func `a store on the dispatch queue yields to waiting callers, no matter how long the flood`() {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let store = factory.rootStore()
    let reads = RecordedValues<Int>()
    onThreads(2) { thread in
      for number in 0..<20_000 {
        if thread == 0 {
          store.dispatch(1)
        } else if number % 200 == 0 {
          reads.append(factory.state)
        }
      }
    }
    #expect(factory.state == 20_000)
    #expect(reads.values == reads.values.sorted())
  }
}
