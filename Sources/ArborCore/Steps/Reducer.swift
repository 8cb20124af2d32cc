/// A pure function that changes a state according to an action.
///
/// ```swift
/// let reducer: Reducer<Counter, CounterAction> = { counter, action in
///   switch action {
///   case .increment: counter.count += 1
///   case .rename(let name): counter.name = name
///   }
/// }
/// ```
///
/// - It runs on the queue of its store's tree, possibly on the thread of a waiting caller, and never at the same time
///   as anything else of that tree.
/// - It changes the state in place: changing a big state costs no more than changing a small one, as long as no copy of
///   the state is kept.
/// - It must not read the state of a store of its own tree, or wait for such a store: that stops the program. Put side
///   effects in an interceptor or an effect.
public typealias Reducer<State, Action> = @Sendable (_ state: inout State, _ action: Action) -> Void

/// Combines reducers into one: each in turn receives the action and the state that the previous reducer left.
///
/// - Parameter reducers: The reducers, in order. Without any, the combination changes nothing.
public func combine<State, Action>(_ reducers: Reducer<State, Action>...) -> Reducer<State, Action> {
  { state, action in
    for reducer in reducers {
      reducer(&state, action)
    }
  }
}
