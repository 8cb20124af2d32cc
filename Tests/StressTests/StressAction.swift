import Arbor

/// An action of the tree that has a reducer.
struct StressAction: Sendable {
  let mark: Mark
}

extension StressAction: StressCarrier {
  static func carrying(_ mark: Mark, in tree: StressTree<StressAction>) -> StressAction { StressAction(mark: mark) }

  var slip: Slip { mark.slip }

  func replaced(in tree: StressTree<StressAction>) -> StressAction { StressAction(mark: mark.replaced) }

  static func makeFactory(
    of tree: StressTree<StressAction>,
    _ work: [StateEffect<Ledger, StressAction>]
  ) -> StoreFactory<Ledger, StressAction> {
    let token = tree.ground.token("root's reducer")
    return StoreFactory(
      initialState: Ledger(token: tree.ground.token("root's state")),
      feature: Feature(
        interceptor: tree.makePlainInterceptor(),
        interceptors: [tree.makeInterceptor(level: 0) { $0.flaw }],
        effects: tree.makeEffects(level: 0) { $0.flaw },
        stateEffects: work,
        reducer: { [unowned tree] state, action in
          tree.witness.within("reducer") {
            withExtendedLifetime(token) {
              state.reduce(action.mark)
              state.close(action.slip)
            }
          }
        }
      ),
      qos: tree.ground.anyQuality,
      settings: TreeSettings(
        monitors: tree.monitors,
        onEffectError: { [ground = tree.ground] _, _, error in ground.noteEffectError(error) }
      )
    )
  }

  static func scope(
    of store: Store<Ledger, StressAction>,
    in tree: StressTree<StressAction>
  ) -> Store<Ledger, StressAction> {
    store.scope(to: tree.looking { $0 }, action: { $0 })
  }

  static func optionalScope(
    of store: Store<Ledger, StressAction>,
    in tree: StressTree<StressAction>
  ) -> Store<Ledger, StressAction> {
    store.scope(toOptional: tree.looking { $0.whenEven }, action: { $0 })
  }

  static func wait(
    for mark: Mark,
    in store: Store<Ledger, StressAction>,
    _ tree: StressTree<StressAction>
  ) -> Bool {
    store.dispatchAndWait(StressAction(mark: mark))
    return true
  }

  static func fail(_ slip: Slip, in store: Store<Ledger, StressAction>, _ tree: StressTree<StressAction>) -> Bool {
    var slip = slip
    slip.fate = .drop
    store.dispatchAndWait(StressAction(mark: Mark(slip: slip, kind: .stray)))
    return true
  }

  static func sendToPart(
    _ slip: Slip,
    in store: Store<Ledger, StressAction>,
    _ tree: StressTree<StressAction>,
    waits: Bool
  ) {
    let part = store.scope(toOptional: tree.looking { $0.part }, action: StressAction.init(part:))
    if waits { part.dispatchAndWait(slip) } else { part.dispatch(slip) }
  }

  private init(part slip: Slip) {
    mark = Mark(slip: slip, kind: .part)
  }
}
