import Arbor
import ArborTesting
import Dispatch

/// The engine, on a manual executor, as a tree on which a schedule is played.
final class Engine: SimulatedTree, @unchecked Sendable {  // The manual executor runs everything on the calling thread.
  /// Held by a node's reducer, to see when it is let go.
  private final class Canary: Sendable {}

  private struct Watch {
    weak var canary: Canary?
  }

  private typealias Dispatch = @Sendable (SimulatedAction) -> Void

  private(set) var occurrences: [Occurrence] = []
  private let executor: ManualExecutor
  private var factory: StoreFactory<Picture.Part, SimulatedAction>?
  private var objects: [Int: StoreObject<Picture, SimulatedAction>] = [:]
  private var stores: [Int: Store<Picture, SimulatedAction>] = [:]
  private var observers: [Int: Observer<Picture>] = [:]
  private var canaries: [Int: Watch] = [:]
  private var reactions = Reactions()
  private var completions: [Int: Observer<Picture>.StatusHandler] = [:]
  private var dying: Set<Int> = []
  private var contexts: [Int: Dispatch] = [:]

  /// - Parameter seed: What the executor chooses its steps from: the laws leave it nothing to choose here.
  init(seed: UInt64) {
    executor = ManualExecutor(seed: seed)
    let factory = StoreFactory<Picture.Part, SimulatedAction>(
      initialState: Picture.Part(),
      interceptor: interceptor(of: 0),
      qos: .utility,
      executor: executor,
      reducer: reducer(of: 0)
    )
    self.factory = factory
    stores[0] = factory.scopeStore { Picture(parts: [$0]) }
  }

  var pending: Int { executor.pending }

  var nodes: Set<Int> { Set(canaries.filter { $0.value.canary != nil }.keys) }

  // MARK: Operations

  func perform(_ operation: Operation) {
    switch operation {
    case .dispatch(let action, let store): stores[store]?.dispatch(action)
    case .dispatchBatch(let actions, let store): stores[store]?.dispatch(batch: actions)
    case .dispatchAndWait(let action, let store): stores[store]?.dispatchAndWait(action)
    case .dispatchAsInterceptor(let action, let node): contexts[node]?(action)
    case .readState(let number): stores[number].map { record(.answered(store: number, state: $0.state?.description)) }
    case .subscribe(let observer, let store): stores[store]?.subscribe(observer: self.observer(observer))
    case .end(let observer):
      if observer.isCompletingObserver { completions[observer]?(.dead) } else { dying.insert(observer) }
    case .makeScope(let number, let base, let projection): makeScope(number, base, projection)
    case .makeChild(let number, let base, let intercepts, let isUrgent): makeChild(number, base, intercepts, isUrgent)
    case .release(let node): release(node)
    case .step: record(.stepped(executor.step()))
    case .run: executor.run()
    }
  }

  private func makeScope(_ number: Int, _ base: Int, _ projection: Projection) {
    guard let store = stores[base] else { return }
    stores[number] =
      switch projection {
      case .whole, .innermost: store.scope { projection.apply(to: $0)! }
      case .whenEven: store.scope(toOptional: { projection.apply(to: $0) })
      case .emptyUnlessEven:
        store
          .scope { Projection.whenEven.apply(to: $0) }
          .scope { $0 ?? Picture(parts: []) }
      case .embedding: store.scope(to: { $0 }, action: { $0.embedded(in: number) })
      }
  }

  private func makeChild(_ number: Int, _ base: Int, _ intercepts: Bool, _ isUrgent: Bool) {
    let object = stores[base]?.childStore(
      initialState: Picture.Part(),
      stateMapping: { [unowned self] above, part in
        record(.mapped(node: number))
        return Picture(parts: above.parts + [part])
      },
      interceptor: intercepts ? interceptor(of: number) : nil,
      qos: isUrgent ? .userInteractive : .unspecified,
      reducer: reducer(of: number)
    )
    guard let object else { return }
    objects[number] = object
    stores[number] = object.store()
  }

  private func release(_ node: Int) {
    if node == 0 { factory = nil } else { objects[node] = nil }
  }

  private func record(_ occurrence: Occurrence) {
    occurrences.append(occurrence)
  }

  // MARK: Callbacks

  private func interceptor(of node: Int) -> @Sendable (SimulatedAction, @escaping Dispatch) -> Void {
    { [unowned self] action, dispatch in
      record(.intercepted(node: node, action: action.number, path: action.path))
      contexts[node] = dispatch
      for operation in reactions.meet(action, at: .interceptor(of: node)) { perform(operation) }
    }
  }

  private func reducer(of node: Int) -> Reducer<Picture.Part, SimulatedAction> {
    let canary = Canary()
    canaries[node] = Watch(canary: canary)
    return { [unowned self] part, action in
      withExtendedLifetime(canary) {
        record(.reduced(node: node, action: action.number, path: action.path))
        part.reduce(action)
      }
    }
  }

  private func observer(_ number: Int) -> Observer<Picture> {
    if let observer = observers[number] { return observer }
    let observer =
      number.isCompletingObserver
      ? Observer<Picture> { [unowned self] state, complete in
        completions[number] = complete
        observe(number, state)
        complete(.active)
      }
      : Observer<Picture> { [unowned self] state in
        observe(number, state)
        return dying.remove(number) == nil ? .active : .dead
      }
    observers[number] = observer
    return observer
  }

  private func observe(_ number: Int, _ state: Picture) {
    record(.observed(observer: number, state: state.description))
    for action in state.parts.compactMap(\.last) {
      for operation in reactions.meet(action, at: .observer(number)) { perform(operation) }
    }
  }
}
