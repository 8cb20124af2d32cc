import Arbor
import ArborUI

/// A store of the engine, without its type of actions.
protocol SimulatedStore: AnyObject {
  /// The number of the tree's root.
  var tree: Int { get }
  var storeTree: Tree { get }

  func dispatch(_ number: Int)
  func dispatch(batch numbers: [Int])
  func dispatchAndWait(_ number: Int)
  func read() -> SimulatedState?

  /// - Returns: The subscription that removes the interceptor; nil in a scope with its own type of actions.
  func addInterceptor(_ number: Int) -> StoreSubscription?
  func subscribe(_ observer: Observer<SimulatedState>)
  /// - Returns: A closure that cancels the task.
  func task(key: Int?, _ mode: Mode, _ program: Program) -> () -> Void
  func cancel(_ key: Int, at part: StatePart?)
  func cancelAllTasks()
  func isRunning(_ key: Int) -> Bool
  func makeScope(_ number: Int, _ projection: Projection) -> any SimulatedStore
  func observe(
    _ delivery: StoreDelivery,
    initial: Bool,
    _ body: @escaping @Sendable (SimulatedState) -> Void
  ) -> StoreSubscription
  func observe(
    _ delivery: MainDelivery,
    initial: Bool,
    _ body: @escaping @Sendable (SimulatedState) -> Void
  ) -> StoreSubscription
  func derive(_ project: @escaping @Sendable (SimulatedState) -> Int) -> Derived<Int>?
  func derive(_ selector: StateSelector<SimulatedState, Int>) -> Derived<Int>?
  func select(_ selector: StateSelector<SimulatedState, Int>) -> Int?

  /// - Returns: A screen; nil if there is no state to show.
  @MainActor func makeScreen() -> (any SimulatedScreen)?

  /// - Returns: The child's store and its owner.
  func makeChild(_ number: Int, _ plan: NodePlan) -> (store: any SimulatedStore, owner: AnyObject)
}

final class TypedStore<Action: Carrier>: SimulatedStore {
  let store: Store<SimulatedState, Action>
  let tree: Int
  let storeTree: Tree
  private unowned let engine: Engine

  /// `true` for a scope with its own type of actions.
  private let hasOwnActions: Bool

  init(_ store: Store<SimulatedState, Action>, in tree: Int, _ engine: Engine, hasOwnActions: Bool = false) {
    self.store = store
    self.hasOwnActions = hasOwnActions
    self.tree = tree
    self.engine = engine
    storeTree = store.tree!
  }

  func dispatch(_ number: Int) {
    store.dispatch(.carrying(Int32(number), in: engine))
  }

  func dispatch(batch numbers: [Int]) {
    store.dispatch(batch: numbers.map { .carrying(Int32($0), in: engine) })
  }

  func dispatchAndWait(_ number: Int) {
    Action.wait(for: Int32(number), in: store, engine)
  }

  func read() -> SimulatedState? { store.state }

  func addInterceptor(_ number: Int) -> StoreSubscription? {
    hasOwnActions ? nil : store.add(interceptor: engine.addedInterceptor(number))
  }

  func subscribe(_ observer: Observer<SimulatedState>) {
    store.subscribe(observer: observer)
  }

  func task(key: Int?, _ mode: Mode, _ program: Program) -> () -> Void {
    let task = store.task(key: key, mode: mode.taskMode) { [unowned engine] dispatch in
      try await engine.run(program, isEffect: false) { [unowned engine] number in
        dispatch(.carrying(Int32(number), in: engine))
      }
    }
    return { task.cancel() }
  }

  func cancel(_ key: Int, at part: StatePart?) {
    switch part {
    case nil: store.cancel(key)
    case .always: store.cancel(key, at: .part(\.always))
    case .optional: store.cancel(key, at: .part(\.parts.optional))
    case .element(let id): store.cancel(key, at: .element(id, of: \.parts.elements))
    }
  }

  func cancelAllTasks() {
    store.cancelAllTasks()
  }

  func isRunning(_ key: Int) -> Bool { store.isRunning(key) }

  func observe(
    _ delivery: StoreDelivery,
    initial: Bool,
    _ body: @escaping @Sendable (SimulatedState) -> Void
  ) -> StoreSubscription {
    store.scope { $0.withoutToken }.observe(initial: initial, on: delivery, body)
  }

  func observe(
    _ delivery: MainDelivery,
    initial: Bool,
    _ body: @escaping @Sendable (SimulatedState) -> Void
  ) -> StoreSubscription {
    store.scope { $0.withoutToken }.observe(initial: initial, on: delivery) { state in body(state) }
  }

  func derive(_ project: @escaping @Sendable (SimulatedState) -> Int) -> Derived<Int>? {
    store.derived(project)
  }

  func derive(_ selector: StateSelector<SimulatedState, Int>) -> Derived<Int>? { store.derived(selector) }

  func select(_ selector: StateSelector<SimulatedState, Int>) -> Int? { store.select(selector) }

  func makeScope(_ number: Int, _ projection: Projection) -> any SimulatedStore {
    let scope = Action.makeScope(number, of: store, in: Int32(tree), projection)
    return TypedStore(scope, in: tree, engine, hasOwnActions: hasOwnActions || projection.hasOwnActions)
  }

  @MainActor func makeScreen() -> (any SimulatedScreen)? {
    store.scope { $0.withoutToken }.observable().map { observable in
      TypedScreen(observable, in: tree) { [unowned engine] number in .carrying(Int32(number), in: engine) }
    }
  }

  func makeChild(_ number: Int, _ plan: NodePlan) -> (store: any SimulatedStore, owner: AnyObject) {
    let object = store.childStore(
      initialState: engine.initialState(of: number, in: tree, plan),
      stateMapping: { [unowned engine] above, local in
        engine.note(.mapped, number)
        return above.composed(with: local)
      },
      feature: Action.feature(of: number, plan, in: engine)
    )
    return (TypedStore(object.store(), in: tree, engine), object)
  }
}
