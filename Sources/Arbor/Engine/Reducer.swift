/// A pure function that changes a state according to an action.
///
/// - It runs on the queue of its store's tree, never at the same time as anything else of that tree.
/// - It changes the state in place: a big state costs no more than a small one, as long as nobody kept a copy of it.
/// - It must not read or wait for a store of its own tree. Side effects belong in an interceptor or an effect.
public typealias Reducer<State, Action> = @Sendable (_ state: inout State, _ action: Action) -> Void

/// Makes one reducer of several: each gets the action in turn, with the state that the one before it left.
///
/// - Without a reducer the result changes nothing.
public func combine<State, Action>(_ reducers: Reducer<State, Action>...) -> Reducer<State, Action> {
  { state, action in
    for reducer in reducers {
      reducer(&state, action)
    }
  }
}
