/// A declaration of the effect that performs a job of the state while its ``EffectState`` is in progress.
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
/// - Each attempt requests the effect after the reducers of the step in which the attempt begins, with the state of
///   that step; if the backoff has a delay, when the delay is over. If the effect is ``Effect/none``, it is requested
///   again with each state that follows, while the attempt is in progress.
/// - When the state leaves the attempt, for another status or another attempt, the tasks of its effect are cancelled
///   and the actions that they have sent are revoked, in that step: no attempt receives actions of an earlier one.
/// - Two attempts of a job never run at once: if the effect of the last attempt ignores its cancellation, the next
///   attempt waits for its end.
/// - Attempts are told apart by a count inside the ``EffectState``. To begin again, call `restart()` on the existing
///   value; a new value that replaces it in one step may have the same count, and then the running attempt goes on.
/// - The end of the effect does not end the job: its last action must let the reducer call `succeed()`, `fail(_:)` or
///   `retryOrFail(_:)`.
/// - It lives as long as the store that declares it, and also performs jobs that are in progress in the initial state.
public struct StateEffect<State: Sendable, Action: Sendable>: Sendable {
  /// Calls a closure for each job in progress in a state, with the job's id, its status, and a function that makes the
  /// effect of the current attempt.
  let forEach: @Sendable (State, (_ id: TaskKey, _ work: EffectState, _ effect: () -> Effect<Action>) -> Void) -> Void

  /// Declares the effect of one job.
  ///
  /// - Parameters:
  ///   - work: Reads the job's status from the state.
  ///   - effect: Makes the effect of one attempt.
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

  /// Declares the effect of one job for each element of an array; the elements' ids tell the jobs apart.
  ///
  /// - Removing an element ends its attempt. If two elements with one id are in progress, only the first one counts.
  /// - Cost: all elements are visited in each step.
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
