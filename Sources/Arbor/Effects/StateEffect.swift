/// A declaration of work that is a function of the state: a job that runs while its ``JobState`` is in progress or a
/// condition holds, or the effect of a part's changes.
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
/// - The state is judged once for each step. A batch is one step: the states between its actions count for nothing.
/// - Each attempt requests the effect after the reducers of the step in which the attempt begins, with the state of
///   that step; if there is a delay, when the delay is over. If the effect is ``Effect/none``, it is requested again
///   with each state that follows, while the attempt is in progress.
/// - When the state leaves the attempt, for another status or another attempt, the tasks of its effect are cancelled
///   and the actions that they have sent are revoked, in that step: no attempt receives actions of an earlier one.
/// - Two attempts of a job never run at once: if the effect of the last attempt ignores its cancellation, the next
///   attempt waits for its end, unless the declaration is one of ``abandoningAttempts``.
/// - The ``JobState`` counts its attempts, and a new count is a new attempt. To begin again, call `restart()` on the
///   existing value. If a new value replaces it in one step, its count may be the same: the running attempt goes on.
/// - The end of the effect does not end the job: its last action must let the reducer call `succeed()`, `fail(_:)` or
///   `retryOrFail(_:)`.
/// - It lives as long as the store that declares it, and also performs jobs that are in progress in the initial state.
public struct StateEffect<State: Sendable, Action: Sendable>: Sendable {
  /// An attempt that a state asks for.
  struct Request {
    /// A number that differs from that of the attempt before.
    let number: Int
    let delay: Duration

    /// The number of times that the effect is begun again when a task of it throws an error.
    let retries: Int

    /// The delay before a retry, from 1 on.
    let delayBeforeRetry: (Int) -> Duration
  }

  /// Jobs that run while the state says so.
  struct Jobs: Sendable {
    /// Wraps the error of an attempt in an action; nil if errors are retried and reported.
    let failure: (@Sendable (_ id: TypedKey, _ error: any Error) -> Action)?

    /// `true` if neither the effects nor the delays count for a call of ``StoreProtocol/settled(isolation:)``.
    var isOngoing = false

    /// `true` if the next attempt does not wait for the end of the last one's tasks.
    var abandonsAttempts = false

    /// Calls a closure for each job in progress in a state, with the job's id, the attempt, and a function that makes
    /// the attempt's effect.
    let forEach: @Sendable (State, (_ id: TypedKey, _ request: Request, _ effect: () -> Effect<Action>) -> Void) -> Void
  }

  /// The changes of a part of the state.
  struct PartChanges: Sendable {
    let mode: TaskMode

    /// Makes a function that compares the part with that in the state of the call before. If it has changed, the result
    /// makes the effect of the change.
    let makeComparison: @Sendable () -> (State) -> (() -> Effect<Action>)?
  }

  enum Form: Sendable {
    case jobs(Jobs)
    case changes(PartChanges)
  }

  let form: Form

  /// The declaration by which logs and reports name the effect.
  let declaration: StateEffectDeclaration

  private init(form: Form, _ declaration: StateEffectDeclaration) {
    self.form = form
    self.declaration = declaration
  }

  /// Declares the effect of one job.
  ///
  /// - An error that a task of the effect throws is sent as an action, in which the reducer keeps it:
  ///   `case .uploadFailed(let error): state.upload.retryOrFail(error)`. That fails the job, or begins the next attempt
  ///   of its `run(maxAttempts:backoff:)`. Only reducers change the state, so that recordings and observers see why.
  /// - Without `failure`, the effect itself makes the attempts that are left, with their delays. The state is not changed
  ///   by that: it says that the same attempt is in progress.
  /// - Parameters:
  ///   - work: Reads the job's status from the state.
  ///   - failure: Wraps the error of an attempt in an action, which is revoked if the attempt is left before. Called on
  ///     any thread, also with a `CancellationError` if nobody has cancelled the task. If it is nil, the error
  ///     of the last attempt goes to `onEffectError`, and the job stays in progress.
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
        if work.isInProgress { visit(id, Request(work, isRetrying: wrap == nil)) { effect(state) } }
      }
    )
  }

  /// Declares the effect of one job for each element of an array; the elements' ids tell the jobs apart.
  ///
  /// - Removing an element ends its attempt; those of several elements end in the order in which they began. If two
  ///   elements with one id are in progress, only the first one counts.
  /// - Elements without ids cannot have jobs: told apart by position, the attempt of one element would go on for its
  ///   neighbor as soon as an element before them is inserted or removed.
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
          visit(TypedKey(element.id), Request(work, isRetrying: wrap == nil)) { effect(state, element) }
        }
      }
    )
  }

  /// Declares an effect that runs while a condition holds.
  ///
  /// - It begins in the step in which the condition becomes true, or with the initial state, and is cancelled in the
  ///   step in which it becomes false, with the guarantees of an attempt. If it ends by itself, it is not begun again
  ///   until the condition was false.
  /// - It is ``Effect/ongoing``, with the delays before its retries: ``StoreProtocol/settled(isolation:)`` does not wait
  ///   for it.
  /// - Parameters:
  ///   - condition: Reads the condition from the state.
  ///   - retries: The number of times that the effect is begun again when a task of it throws an error. The error
  ///     after the last retry goes to `onEffectError`. A condition that becomes true again has them all again.
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
        let request = Request(number: 0, delay: .zero, retries: retries) { backoff.delay(before: $0 + 1) }
        visit(id, request) { effect(state).ongoing }
      }
    )
  }

  /// Declares the effect of each change of a part of the state.
  ///
  /// - The effect is requested after the reducers of a step that leaves another value than the step before, with the
  ///   new state, and performed, delayed or dropped as the mode says. In the initial state, and in that of a new
  ///   element to which a feature is scoped, nothing has changed.
  /// - By default the effect of the last change is cancelled, and the actions that it has sent are revoked, also if the
  ///   new one is ``Effect/none``. When the element is removed, or the part to which a feature is scoped becomes nil or
  ///   gets another id, all its effects are cancelled.
  /// - Cost: the value of the last step is kept and compared in each step; so is the id of a part that may be missing. The
  ///   old value is released where the new one is compared, in the step.
  /// - Parameters:
  ///   - part: Reads the part from the state.
  ///   - mode: The rule for this effect and those of earlier changes, which count as tasks of one key.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of a change.
  public init<Part: Equatable & Sendable>(
    onChange part: @escaping @Sendable (_ state: State) -> Part,
    mode: TaskMode = .dropCurrent,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    self.init(onChange: part, by: ==, mode: mode, fileID: fileID, line: line) { _, state in effect(state) }
  }

  /// Declares the effect of each change of a part of the state, given how values are compared and the value before.
  ///
  /// ```swift
  /// StateEffect(onChange: \.location, by: { $0.distance(to: $1) < 100 }) { old, state in … }
  /// ```
  ///
  /// - Otherwise like ``init(onChange:mode:fileID:line:effect:)``.
  /// - Parameters:
  ///   - part: Reads the part from the state.
  ///   - areEqual: Returns `true` if the second value, the new one, is no change of the first. A value that is no change
  ///     is not kept: the next one is compared with the value of the last change.
  ///   - mode: The rule for this effect and those of earlier changes, which count as tasks of one key.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - effect: Makes the effect of a change, with the value of the last change before it, or the first value, and the
  ///     new state.
  public init<Part: Sendable>(
    onChange part: @escaping @Sendable (_ state: State) -> Part,
    by areEqual: @escaping @Sendable (_ old: Part, _ new: Part) -> Bool,
    mode: TaskMode = .dropCurrent,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ old: Part, _ state: State) -> Effect<Action>
  ) {
    let makeComparison: @Sendable () -> (State) -> (() -> Effect<Action>)? = {
      var last: Part?
      return { state in
        let new = part(state)
        // Not by comparing optionals: before the first call there is nothing to compare.
        guard let old = last else {
          last = new
          return nil
        }
        guard !areEqual(old, new) else { return nil }
        last = new
        return { effect(old, state) }
      }
    }
    declaration = StateEffectDeclaration(fileID, line)
    form = .changes(PartChanges(mode: mode, makeComparison: makeComparison))
  }

  /// The same declaration, whose next attempt does not wait for the last one.
  ///
  /// - An attempt that the state has left is cancelled, and its actions are revoked, as always. But if its tasks ignore
  ///   their cancellation, the next attempt begins beside them.
  /// - It is for work that cannot be cancelled, and does no harm if it goes on: a request to a server that hangs. The
  ///   effect of a change of a part waits for none in any case, unless its mode says so.
  public var abandoningAttempts: StateEffect {
    guard case .jobs(var jobs) = form else { return self }
    jobs.abandonsAttempts = true
    return StateEffect(form: .jobs(jobs), declaration)
  }
}

extension StateEffect.Request {
  /// Makes the request of the attempt in progress.
  ///
  /// - Parameter isRetrying: `true` if the effect makes the attempts that are left, and not the state.
  init(_ work: JobState, isRetrying: Bool) {
    self.init(
      number: work.attemptsBegun,
      delay: work.delay,
      retries: isRetrying ? work.attemptsLeft : 0,
      delayBeforeRetry: work.delay(beforeRetry:)
    )
  }
}
