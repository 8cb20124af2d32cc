/// Declares how work is performed that is a function of state: as long as an ``EffectState`` says that it is in progress.
///
/// ```swift
/// let factory = StoreFactory(
///   initialState: AppState(),
///   stateEffects: [
///     StateEffect(\.upload) { state in
///       .run { [file = state.file] dispatch in
///         try await server.send(file)
///         dispatch(.uploaded)
///       }
///     }
///   ],
///   reducer: appReducer
/// )
/// ```
///
/// - When an attempt begins the effect is asked for with the state of that step, behind the reducers; after the delay, if the
///   backoff says that there is one. If the answer is ``Effect/none`` it is asked for again with each state that follows, while
///   the attempt is in progress.
/// - When the state leaves the attempt, for another status or another attempt, the tasks of its effect are cancelled and
///   what they have sent is revoked, in that step: a restart never meets actions of the attempt before it.
/// - No two attempts run at once: if the effect of the last one ignores its cancellation, the next one waits for its end.
/// - Attempts are told apart by a count inside the ``EffectState``: to begin anew, `restart()` the one that is there, and put no
///   new one in its place in the same step.
/// - It does not end by itself: the effect's last action is to let the reducer say that it has succeeded or failed.
/// - It lives as long as the store that declares it, and performs what is in progress from the start, too.
public struct StateEffect<State: Sendable, Action: Sendable>: Sendable {
  /// Calls a closure for each piece of work in a state that is in progress: with what it is known by, how far it is, and how
  /// to ask for its effect.
  let forEach: @Sendable (State, (_ id: TaskKey, _ work: EffectState, _ effect: () -> Effect<Action>) -> Void) -> Void

  /// Declares one piece of work.
  ///
  /// - Parameters:
  ///   - work: Where its state is.
  ///   - effect: What performs an attempt.
  public init(
    _ work: @escaping @Sendable (_ state: State) -> EffectState,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    let id = TaskKey(Identity())
    forEach = { state, visit in
      let work = work(state)
      if work.isInProgress { visit(id, work) { effect(state) } }
    }
  }

  /// Declares one piece of work for each element of an array, told apart by the elements' ids.
  ///
  /// - An element that is removed leaves its attempt. If two with one id are in progress, only the first of them counts.
  /// - Cost: all elements are looked at in each step.
  public init<Element: Identifiable & Sendable>(
    each elements: @escaping @Sendable (_ state: State) -> [Element],
    _ work: @escaping @Sendable (_ element: Element) -> EffectState,
    effect: @escaping @Sendable (_ state: State, _ element: Element) -> Effect<Action>
  ) where Element.ID: Sendable {
    forEach = { state, visit in
      for element in elements(state) {
        let work = work(element)
        if work.isInProgress { visit(TaskKey(element.id), work) { effect(state, element) } }
      }
    }
  }
}
