import Arbor

/// The lasting child stores, and the temporary ones.
extension StressTree {
  func makeLasting(below store: Store<Ledger, Action>, level: Int) -> StoreObject<Ledger, Action> {
    let token = ground.token("child's reducer")
    return store.childStore(
      initialState: StressLocal(level: level, token: ground.token("child's state")),
      stateMapping: { [witness] ledger, local in
        witness.within("mapping") {
          var composed = ledger
          composed.locals.append(local.count)
          if let flaw = local.flaw { composed.note(flaw) }
          return composed
        }
      },
      feature: Feature(
        interceptors: [makeInterceptor(level: level) { $0.flaw }],
        effects: makeEffects(level: level) { $0.flaw },
        stateEffects: [
          StateEffect({ $0.work }) { [unowned self] local in
            makeWork(Ledger.elements + level, level: level, flaw: local.flaw)
          }
        ],
        reducer: { [witness] local, action in
          witness.within("child's reducer") { withExtendedLifetime(token) { local.reduce(action.slip) } }
        }
      )
    )
  }

  /// A child store that lives for a while, and counts the actions of its lane.
  func makeTemporary(
    below store: Store<Ledger, Action>,
    _ initial: Temporary
  ) -> StoreObject<Ledger, Action>? {
    let token = ground.token("temporary")
    return store.childStore(
      initialState: 0,
      stateMapping: { [witness] ledger, count in
        witness.within("mapping") {
          var composed = ledger
          composed.temporary = (ledger.temporary ?? initial).composed(with: count)
          return composed
        }
      },
      qos: ground.anyQuality,
      reducer: { [unowned self] count, action in
        witness.within("child's reducer") {
          guard action.slip.lane == initial.lane else { return }
          count += 1
          withExtendedLifetime(token) { reducedByTemporaries.count() }
        }
      }
    )
  }

  /// A child store that others may replace at any time.
  func makeShared(depth: Int) -> StoreObject<Ledger, Action>? {
    let token = ground.token("shared")
    return stores[depth].childStore(
      initialState: 0,
      stateMapping: { [witness] ledger, _ in witness.within("mapping") { ledger } },
      reducer: { [unowned self] count, action in
        witness.within("child's reducer") {
          // Others may have come through an interceptor's `dispatch`.
          guard action.slip.sequence > 0 else { return }
          count += 1
          withExtendedLifetime(token) { reducedByShared.count() }
        }
      }
    )
  }
}
