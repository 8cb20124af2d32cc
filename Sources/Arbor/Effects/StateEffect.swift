/// A declaration of work that depends on the state: a job, work while a condition holds, or the effect of a part's
/// changes.
///
/// ```swift
/// let factory = StoreFactory(
///   initialState: AppState(),
///   feature: Feature(
///     stateEffects: [
///       StateEffect(\.upload, failure: AppAction.uploadFailed) { state in
///         .run { [file = state.file] dispatch in
///           try await server.send(file)
///           dispatch(.uploaded)
///         }
///       },
///       StateEffect(while: \.isPlaying) { _ in .run { dispatch in try await tick(dispatch) } },
///       StateEffect(onChange: \.query, mode: .debounce(.milliseconds(300))) { state in search(state.query) },
///     ],
///     reducer: appReducer
///   )
/// )
/// ```
///
/// - A job runs while its ``JobState`` is in progress.
/// - The state is checked once for each step. A batch is a single step: the states between its actions are ignored.
/// - Each attempt requests the effect after the reducers of the step in which the attempt begins, with the state of
///   that step; if there is a delay, after the delay. If the effect is ``Effect/none``, it is requested again with each
///   later state, while the attempt is in progress.
/// - When the state leaves the attempt, for another status or another attempt, the tasks of its effect are canceled in
///   that step. Actions that they sent are revoked, so no attempt receives actions from an earlier one.
/// - Two attempts of a job never run at the same time: if the effect of the last attempt ignores its cancellation, the
///   next attempt waits for its end, unless you declare the effect with ``abandoningAttempts``.
/// - The ``JobState`` counts its attempts, and a new count is a new attempt. To begin again, call `restart()` on the
///   existing value. If you assign a new value instead, its count may be the same: the running attempt then continues.
/// - The end of the effect doesn't end the job: its last action must make the reducer call `succeed()`, `fail(_:)` or
///   `retryOrFail(_:)`.
/// - It lives as long as the store that declares it. It also performs jobs that are in progress in the initial state.
public struct StateEffect<State: Sendable, Action: Sendable>: Sendable {
  /// Jobs that run while the state says so.
  struct Jobs: Sendable {
    /// Wraps the error of an attempt in an action; nil if errors are retried and reported.
    let failure: (@Sendable (_ id: TypedKey, _ error: any Error) -> Action)?

    /// `true` if ``StoreProtocol/settled(isolation:)`` waits neither for the effects nor for the delays.
    var isOngoing = false

    /// `true` if the next attempt doesn't wait for the end of the last one's tasks.
    var abandonsAttempts = false

    /// Calls a closure for each job in progress in a state, with the job's id, the attempt, and a function that makes
    /// the attempt's effect.
    let forEach:
      @Sendable (State, (_ id: TypedKey, _ request: AttemptRequest, _ effect: () -> Effect<Action>) -> Void) -> Void
  }

  /// The changes to a part of the state.
  struct PartChanges: Sendable {
    let mode: TaskMode

    /// Makes a function that compares the part with the part in the state of the previous call. If it has changed, the
    /// result makes the effect of the change.
    let makeComparison: @Sendable () -> (State) -> (() -> Effect<Action>)?
  }

  enum Form: Sendable {
    case jobs(Jobs)
    case changes(PartChanges)
  }

  let form: Form

  /// The declaration that names the effect in logs and reports.
  let declaration: StateEffectDeclaration

  private init(form: Form, _ declaration: StateEffectDeclaration) {
    self.form = form
    self.declaration = declaration
  }

  /// Declares the effect of one job.
  ///
  /// - If a task of the effect throws an error, the error is sent as an action, and the reducer stores it: `case
  ///   .uploadFailed(let error): state.upload.retryOrFail(error)`. That fails the job, or begins the next attempt of
  ///   its `run(maxAttempts:backoff:)`. Only reducers change the state, so that recordings and observers see why.
  /// - Without `failure`, the effect itself makes the remaining attempts, with their delays. That doesn't change the
  ///   state, which shows the same attempt in progress.
  /// - Parameters:
  ///   - work: Reads the job's status from the state.
  ///   - failure: Wraps the error of an attempt in an action, which is revoked if the state leaves the attempt first.
  ///     Called on any thread, even with a `CancellationError` if the task threw it without being canceled. If nil, the
  ///     error of the last attempt goes to `onEffectError`, and the job stays in progress.
  ///   - fileID: The file of the declaration; logs and reports name the effect by its file and line.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of one attempt.
  public init(
    _ work: @escaping @Sendable (_ state: State) -> JobState,
    failure: (@Sendable (_ error: any Error) -> Action)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    let id = TypedKey(Identity())
    let wrap = failure.map { failure in { @Sendable (_: TypedKey, error: any Error) in failure(error) } }
    declaration = StateEffectDeclaration(fileID, line)
    form = .jobs(
      Jobs(failure: wrap) { state, visit in
        let work = work(state)
        if work.isInProgress { visit(id, AttemptRequest(work, isRetrying: wrap == nil)) { effect(state) } }
      }
    )
  }

  /// Declares the effect of one job for each element of an array; the elements' ids distinguish the jobs.
  ///
  /// - Removing an element ends its attempt; the attempts of several elements end in the order they began. If two
  ///   elements with the same id are in progress, only the first one counts.
  /// - Elements without ids can't have jobs. If positions distinguished them, inserting or removing an element before
  ///   them would assign an attempt to another element.
  /// - Cost: all elements are visited in each step.
  /// - Parameters:
  ///   - elements: Reads the elements from the state.
  ///   - work: Reads a job's status from an element.
  ///   - failure: Wraps the id of an element and the error of its attempt in an action; see
  ///     ``init(_:failure:fileID:line:effect:)``.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of one attempt.
  public init<Element: Identifiable & Sendable>(
    each elements: @escaping @Sendable (_ state: State) -> [Element],
    _ work: @escaping @Sendable (_ element: Element) -> JobState,
    failure: (@Sendable (_ id: Element.ID, _ error: any Error) -> Action)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State, _ element: Element) -> Effect<Action>
  ) where Element.ID: Sendable {
    let wrap = failure.map { failure in
      // The key was made from an id of this type below.
      { @Sendable (id: TypedKey, error: any Error) in failure(id.value as! Element.ID, error) }
    }
    declaration = StateEffectDeclaration(fileID, line)
    form = .jobs(
      Jobs(failure: wrap) { state, visit in
        for element in elements(state) {
          let work = work(element)
          guard work.isInProgress else { continue }
          visit(TypedKey(element.id), AttemptRequest(work, isRetrying: wrap == nil)) { effect(state, element) }
        }
      }
    )
  }

  /// Declares an effect that runs while a condition holds.
  ///
  /// - It begins in the step in which the condition becomes true, or with the initial state. It is canceled in the step
  ///   in which the condition becomes false. The guarantees are the same as for an attempt of a job. If it ends by
  ///   itself, it begins again only after the condition has been false.
  /// - It is ``Effect/ongoing``, and so are the delays before its retries: ``StoreProtocol/settled(isolation:)``
  ///   doesn't wait for it.
  /// - Parameters:
  ///   - condition: Reads the condition from the state.
  ///   - retries: The number of times that the effect is begun again when one of its tasks throws an error. The error
  ///     after the last retry goes to `onEffectError`. When the condition becomes true again, all retries are available
  ///     again.
  ///   - backoff: The delays before the retries.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect, with the state in which it begins.
  public init(
    while condition: @escaping @Sendable (_ state: State) -> Bool,
    retries: Int = 0,
    backoff: EffectBackoff = .none,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    let id = TypedKey(Identity())
    declaration = StateEffectDeclaration(fileID, line)
    form = .jobs(
      Jobs(failure: nil, isOngoing: true) { state, visit in
        guard condition(state) else { return }
        // The first retry is the second attempt.
        let request = AttemptRequest(number: 0, delay: .zero, retries: retries) { backoff.delay(before: $0 + 1) }
        visit(id, request) { effect(state).ongoing }
      }
    )
  }

  /// Declares the effect of each change to a part of the state.
  ///
  /// - The effect is requested after the reducers of a step that changes the part, with the new state. The mode decides
  ///   whether it is performed, delayed or dropped. By default, the initial state doesn't count as a change, nor does
  ///   the first state of a new element, or of a part that was nil, in its feature.
  /// - By default, the effect of the last change is canceled, and the actions that it sent are revoked, even if the new
  ///   effect is ``Effect/none``.
  /// - All effects are canceled when the element is removed, or when the part to which a feature is scoped becomes nil
  ///   or gets another id.
  /// - Cost: the value of the last step is kept and compared in each step; so is the id of a part that may be missing.
  ///   The old value is released in the step that compares the new one.
  /// - Parameters:
  ///   - part: Reads the part from the state.
  ///   - initial: `true` if the first state counts as a change, also that of a new element or of a part that was nil.
  ///   - mode: The rule for this effect and the effects of earlier changes, which count as tasks with the same key.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of a change.
  public init<Part: Equatable & Sendable>(
    onChange part: @escaping @Sendable (_ state: State) -> Part,
    initial: Bool = false,
    mode: TaskMode = .dropCurrent,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    self.init(onChange: part, by: ==, initial: initial, mode: mode, fileID: fileID, line: line) { _, state in
      effect(state)
    }
  }

  /// Declares the effect of each change to a part of the state, with a custom comparison and access to the previous
  /// value.
  ///
  /// ```swift
  /// StateEffect(onChange: \.location, by: { $0.distance(to: $1) < 100 }) { old, state in … }
  /// ```
  ///
  /// - It follows the rules of ``init(onChange:initial:mode:fileID:line:effect:)``.
  /// - Parameters:
  ///   - part: Reads the part from the state.
  ///   - areEqual: Returns `true` if the second value, the new one, doesn't count as a change from the first. Such a
  ///     value isn't kept: the next one is compared with the value of the last change.
  ///   - initial: `true` if the first state counts as a change, also that of a new element or of a part that was nil.
  ///   - mode: The rule for this effect and the effects of earlier changes, which count as tasks with the same key.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of a change. It receives the value of the previous change, or the first value, and
  ///     the new state. If the first state counts as a change, its own value is the old one.
  public init<Part: Sendable>(
    onChange part: @escaping @Sendable (_ state: State) -> Part,
    by areEqual: @escaping @Sendable (_ old: Part, _ new: Part) -> Bool,
    initial: Bool = false,
    mode: TaskMode = .dropCurrent,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ old: Part, _ state: State) -> Effect<Action>
  ) {
    let makeComparison: @Sendable () -> (State) -> (() -> Effect<Action>)? = {
      var last: Part?
      return { state in
        let new = part(state)
        // Doesn't compare optionals, because there is nothing to compare before the first call.
        guard let old = last else {
          last = new
          return initial ? { effect(new, state) } : nil
        }
        guard !areEqual(old, new) else { return nil }
        last = new
        return { effect(old, state) }
      }
    }
    declaration = StateEffectDeclaration(fileID, line)
    form = .changes(PartChanges(mode: mode, makeComparison: makeComparison))
  }

  /// The same declaration, but the next attempt doesn't wait for the last one.
  ///
  /// - An attempt that the state has left is canceled, and its actions are revoked, as always. But if its tasks ignore
  ///   their cancellation, the next attempt begins while they are still running.
  /// - Use it for work that can't be canceled and does no harm if it continues, such as a request to a server that
  ///   hangs. The effect of a part's change never waits for an earlier one, unless its mode requires it.
  public var abandoningAttempts: StateEffect {
    guard case .jobs(var jobs) = form else { return self }
    jobs.abandonsAttempts = true
    return StateEffect(form: .jobs(jobs), declaration)
  }
}

extension AttemptRequest {
  /// Makes the request of the attempt in progress.
  ///
  /// - Parameter isRetrying: `true` if the effect makes the remaining attempts instead of the state.
  init(_ work: JobState, isRetrying: Bool) {
    self.init(
      number: work.attemptsBegun,
      delay: work.delay,
      retries: isRetrying ? work.attemptsLeft : 0,
      delayBeforeRetry: work.delay(beforeRetry:)
    )
  }
}
