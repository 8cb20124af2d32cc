import Arbor

/// The error of a commit that throws.
struct RefusedCommit: Error {}

extension Mutation<Ledger>: StressCarrier {
  // Interceptors know only the line of a mutation.
  static func carrying(_ mark: Mark, in tree: StressTree<Mutation<Ledger>>) -> Mutation<Ledger> {
    Mutation(line: mark.slip.line) { [unowned tree] state in tree.change(&state, mark) }
  }

  var slip: Slip { Slip(line: line) }

  func replaced(in tree: StressTree<Mutation<Ledger>>) -> Mutation<Ledger> {
    var slip = slip
    slip.fate = .isReplacement
    return Mutation(named: "replacement", line: slip.line) { [self] state in
      if apply(to: &state) { state.noteReplacement() }
    }
  }

  static func makeFactory(
    of tree: StressTree<Mutation<Ledger>>,
    _ work: [StateEffect<Ledger, Mutation<Ledger>>]
  ) -> StoreFactory<Ledger, Mutation<Ledger>> {
    let token = tree.ground.token("middleware")
    let middleware: Reducer<Ledger, Mutation<Ledger>> = { [unowned tree] state, mutation in
      tree.witness.within("middleware") { withExtendedLifetime(token) { state.close(mutation.slip) } }
    }
    return CommitStore(
      initialState: Ledger(token: tree.ground.token("root's state")),
      feature: Feature(
        interceptor: tree.makePlainInterceptor(),
        interceptors: [tree.makeInterceptor(level: 0) { $0.flaw }],
        effects: tree.makeEffects(level: 0) { $0.flaw },
        stateEffects: work,
        reducer: tree.isFollowed ? middleware : nil
      ),
      qos: tree.ground.anyQuality,
      settings: TreeSettings(
        monitors: tree.monitors,
        onEffectError: { [ground = tree.ground] _, _, error in ground.noteEffectError(error) }
      )
    )
  }

  static func scope(
    of store: Store<Ledger, Mutation<Ledger>>,
    in tree: StressTree<Mutation<Ledger>>
  ) -> Store<Ledger, Mutation<Ledger>> {
    // Scopes of one path share their keys, but each of these needs its own.
    store.scope(at: \.[itselfAtPlace: Int.random(in: 0 ... .max)])
  }

  static func optionalScope(
    of store: Store<Ledger, Mutation<Ledger>>,
    in tree: StressTree<Mutation<Ledger>>
  ) -> Store<Ledger, Mutation<Ledger>> {
    store.scope(atOptional: \.whenEven)
  }

  static func wait(
    for mark: Mark,
    in store: Store<Ledger, Mutation<Ledger>>,
    _ tree: StressTree<Mutation<Ledger>>
  ) -> Bool {
    store.commit(line: mark.slip.line) { state in tree.change(&state, mark) } != nil
  }

  static func fail(
    _ slip: Slip,
    in store: Store<Ledger, Mutation<Ledger>>,
    _ tree: StressTree<Mutation<Ledger>>
  ) -> Bool {
    do throws(RefusedCommit) {
      let isDone = try store.commit(line: slip.line) { state throws(RefusedCommit) -> Bool in
        tree.witness.within("commit") { state.spoil() }
        throw RefusedCommit()
      }
      // An optional part may be nil.
      tree.ground.flaws.expect(isDone == nil, "O5 a commit that throws has returned \(String(describing: isDone))")
    } catch {}
    return false
  }

  static func sendToPart(
    _ slip: Slip,
    in store: Store<Ledger, Mutation<Ledger>>,
    _ tree: StressTree<Mutation<Ledger>>,
    waits: Bool
  ) {
    // Without middleware, nothing would count the step.
    guard tree.isFollowed else {
      _ = fail(slip, in: store, tree)
      return
    }
    let part = store.scope(atOptional: \.part)
    if waits {
      let count = part.commit(line: slip.line) { part in tree.witness.within("commit") { part.reduce(slip) } }
      tree.ground.flaws.expect(count != 0, "O5 a commit of a part was not counted")
    } else {
      part.commitLater(line: slip.line) { [unowned tree] part in
        tree.witness.within("commit") { _ = part.reduce(slip) }
      }
    }
  }
}

extension StressTree where Action == Mutation<Ledger> {
  /// Changes the root's state, in a commit.
  func change(_ state: inout Ledger, _ mark: Mark) {
    witness.within("commit") {
      state.reduce(mark.asCommitted)
      if !isFollowed { state.close(mark.slip) }
    }
  }
}

extension Mark {
  /// The mark in the original commit that was replaced.
  fileprivate var asCommitted: Mark {
    guard slip.fate == .replace else { return self }
    var slip = slip
    slip.fate = .pass
    return Mark(slip: slip, kind: kind, change: change, token: token)
  }
}
