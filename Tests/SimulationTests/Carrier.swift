import Arbor
import TestSupport

/// A type of actions of a simulated tree.
protocol Carrier: Sendable {
  /// Makes the action of a number.
  static func carrying(_ number: Int32, in engine: Engine) -> Self

  var carried: SimulatedAction { get }

  /// The feature of a node: the feature of its whole state, combined with those of its parts if actions can belong to
  /// parts.
  static func feature(of node: Int, _ plan: NodePlan, in engine: Engine) -> Feature<SimulatedState, Self>

  /// `true` if the caller of a commit waits for it.
  var isAwaited: Bool { get }

  /// An action with the same effect that replaces this one.
  var wrapped: Self { get }

  static func makeScope(
    _ number: Int,
    of store: Store<SimulatedState, Self>,
    in tree: Int32,
    _ projection: Projection
  ) -> Store<SimulatedState, Self>

  /// Dispatches and waits, or commits.
  static func wait(for number: Int32, in store: Store<SimulatedState, Self>, _ engine: Engine)
}

extension Carrier {
  /// The scopes that are the same for all types of actions.
  fileprivate static func makePlainScope(
    of store: Store<SimulatedState, Self>,
    in tree: Int32,
    _ projection: Projection
  ) -> Store<SimulatedState, Self> {
    switch projection {
    case .emptyUnlessEven:
      store
        .scope { state in state.projected(by: .whenEven) }
        .scope { $0 ?? SimulatedState(Digest(tree: tree)) }
    default: store.scope { state in state.projected(by: projection)! }
    }
  }
}

extension SimulatedAction: Carrier {
  static func carrying(_ number: Int32, in engine: Engine) -> SimulatedAction {
    SimulatedAction(number: number, object: ActionObject(in: engine), part: engine.scripts.part(of: number))
  }

  static func feature(
    of node: Int,
    _ plan: NodePlan,
    in engine: Engine
  ) -> Feature<SimulatedState, SimulatedAction> {
    engine.combinedFeature(of: node, plan)
  }

  var carried: SimulatedAction { self }
  var isAwaited: Bool { false }
  var wrapped: SimulatedAction { self }

  static func makeScope(
    _ number: Int,
    of store: Store<SimulatedState, SimulatedAction>,
    in tree: Int32,
    _ projection: Projection
  ) -> Store<SimulatedState, SimulatedAction> {
    switch projection {
    case .whenEven: store.scope(toOptional: { $0.projected(by: projection) })
    case .embedding: store.scope(to: { $0 }, action: { $0.embedded(in: number) })
    case .embeddingWhenEven:
      store.scope(toOptional: { $0.projected(by: projection) }, action: { $0.embedded(in: number) })
    default: makePlainScope(of: store, in: tree, projection)
    }
  }

  static func wait(for number: Int32, in store: Store<SimulatedState, SimulatedAction>, _ engine: Engine) {
    store.dispatchAndWait(.carrying(number, in: engine))
  }
}

extension Mutation<SimulatedState>: Carrier {
  // The line identifies a mutation.
  static func carrying(_ number: Int32, in engine: Engine) -> Mutation<SimulatedState> {
    let object = ActionObject(in: engine)
    return Mutation(line: UInt(number)) { [unowned engine] state in
      engine.change(&state, SimulatedAction(number: number, object: object))
    }
  }

  var carried: SimulatedAction { SimulatedAction(number: Int32(line)) }
  var wrapped: Mutation { Mutation(line: line) { state in apply(to: &state) } }

  static func feature(
    of node: Int,
    _ plan: NodePlan,
    in engine: Engine
  ) -> Feature<SimulatedState, Mutation<SimulatedState>> {
    engine.feature(of: node, plan, reducer: engine.reducer(of: node))
  }

  static func makeScope(
    _ number: Int,
    of store: Store<SimulatedState, Mutation<SimulatedState>>,
    in tree: Int32,
    _ projection: Projection
  ) -> Store<SimulatedState, Mutation<SimulatedState>> {
    switch projection {
    case .whenEven: store.scope(toOptional: { $0.projected(by: projection) })
    case .embedding: store.scope(at: \.itself)
    case .embeddingWhenEven: store.scope(atOptional: \.whenEven)
    default: makePlainScope(of: store, in: tree, projection)
    }
  }

  static func wait(for number: Int32, in store: Store<SimulatedState, Mutation<SimulatedState>>, _ engine: Engine) {
    let action = SimulatedAction(number: number)
    if engine.isRefused(action, in: store) {
      try? store.commit(line: UInt(number)) { state throws(Refusal) in
        engine.refuse(&state, action)
        throw Refusal()
      }
    } else {
      store.commit(line: UInt(number)) { state in engine.change(&state, action) }
    }
  }
}

/// The error that a commit throws.
struct Refusal: Error {}

/// A mutation that never takes place: a mutation of a part that is always nil, as interceptors receive it.
let failingMutation: Mutation<SimulatedState> = {
  let seen = RecordedValues<Mutation<SimulatedState>>()
  let store = CommitStore(
    initialState: SimulatedState(Digest(tree: 0)),
    feature: Feature(interceptor: { mutation, _ in seen.append(mutation) }, reducer: nil)
  )
  store.scope(atOptional: \.never).commitLater { _ in }
  store.dispatchAndWait(Mutation { _ in })
  return seen.values[0]
}()

extension SimulatedState {
  fileprivate var never: Int? {
    get { nil }
    set {}
  }
}
