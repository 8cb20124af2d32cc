extension ActionSink {
  /// Performs an effect.
  ///
  /// - Parameters:
  ///   - group: Tracks everything that the effect starts, to wait for its end or to cancel it; nil if no caller does
  ///     either.
  ///   - action: The action whose step declared the effect; nil for a ``StateEffect``.
  ///   - cause: The cause of everything that the effect does; nil if it is the code that runs here and now.
  ///   - reservations: The reservations for the tasks of the effect.
  ///   - whenFailed: Called with the error of each task that fails or is canceled; nil if no caller needs it.
  ///   - onEffectError: Receives the error of a task that throws and wasn't canceled; see ``EffectErrorHandler``. Only
  ///     receives a `CancellationError` from a ``StateEffect``. If nil, the error is printed to standard error.
  @inlinable
  func perform(
    _ effect: Effect<Action>,
    in group: EffectGroup?,
    of action: Action?,
    causedBy cause: ActionCause? = nil,
    with reservations: [Reservation] = [],
    whenFailed: (@Sendable (any Error) -> Void)? = nil,
    _ onEffectError: EffectErrorHandler<Action>?
  ) {
    switch effect.form {
    case .none: break
    case .send(let sent): send(sent, in: group, causedBy: cause)
    case .sendBatch(let actions):
      _ = submit(.revocableBatch(actions, by: makeSender(in: group, causedBy: cause)))
    case .emit(let activity): emit(activity, causedBy: cause)
    case .cancel(let key, let place): host(at: place).tasks.cancelRegistered(key)
    case .cancelAll(let place): host(at: place).tasks.cancelAllWithin()
    case .merge(let effects):
      for effect in effects {
        perform(
          effect, in: group, of: action, causedBy: cause, with: reservations, whenFailed: whenFailed, onEffectError)
      }
    case .concatenate(let effects):
      performInSequence(
        effects, in: group, of: action, causedBy: cause, with: reservations, whenFailed: whenFailed, onEffectError)
    case .catching(let effect, let makeAction):
      perform(
        effect,
        in: group,
        of: action,
        causedBy: cause,
        with: reservations,
        whenFailed: sendOnce(makeAction, causedBy: cause ?? tasks.tree.cause),
        { _, _, _, _ in }
      )
    case .run(let key, let mode, let priority, let isOngoing, let operation):
      guard group?.enter() != false else {
        whenFailed?(CancellationError())
        return
      }
      let inspected = tasks.tree.track(key, after: action, isEffect: true, in: group, isOngoing: isOngoing)
      let operation = inspected?.tracking(operation) ?? operation
      let task = RegisteredTask(
        in: tasks, group: group, outcome: whenFailed.map { TaskOutcome(whenFailed: $0) }, inspected: inspected,
        isOngoing: isOngoing
      ) { [self] task in
        task.run(priority: priority) {
          var result: Result<any Sendable, any Error> = .success(())
          do {
            try await operation(self.makeContext(for: task))
          } catch {
            result = .failure(error)
            // Errors of canceled tasks are ignored. A `CancellationError` of another task isn't ignored if the state
            // depends on the task: a job that wasn't canceled would stay in progress.
            let isReported = action == nil || !(error is CancellationError)
            if isReported, task.sender?.isOver == false {
              self.report(error, of: task, with: key?.value, after: action, to: onEffectError)
            }
          }
          task.scope.end(task, result)
        }
      }
      let reservation = reservations.first { $0.key == key }?.number
      tasks.add(task, key: key, mode: mode, reservation: reservation, causedBy: cause)
      group?.whenCancelled { [tasks, number = task.number] in tasks.cancel(number) }
    }
  }

  /// Reports the error of a task under the task's name.
  @usableFromInline
  func report(
    _ error: any Error,
    of task: RegisteredTask,
    with key: (any Hashable & Sendable)?,
    after action: Action?,
    to handler: EffectErrorHandler<Action>?
  ) {
    task.runAsTaskCode {
      let (stateEffect, cause) = (task.group?.stateEffect, task.sender?.cause)
      report(error, ofTaskWith: key, of: stateEffect, after: action, causedBy: cause, to: handler)
    }
  }

  /// Reports the error of a task to a handler, or prints it to standard error if there is none.
  func report(
    _ error: any Error,
    ofTaskWith key: (any Hashable & Sendable)?,
    of stateEffect: StateEffectDeclaration?,
    after action: Action?,
    causedBy cause: ActionCause?,
    to handler: EffectErrorHandler<Action>?
  ) {
    if let handler { return handler(key, action, error, cause) }
    // One line, without confidential values.
    let key = key.map { " with the key \(Confidentiality.description(of: $0))" } ?? ""
    let effect = (stateEffect?.name ?? "an effect") + key
    let reason = Confidentiality.description(of: error)
    let line = "Arbor: \(effect) failed: \(reason)\(tasks.tree.nameInParentheses)".split(whereSeparator: \.isNewline)
    Platform.writeToStandardError(line.joined(separator: " "))
  }

  /// Makes the context of an effect's task. It is only passed to the task's body, as ``makeDispatch(for:)`` requires.
  ///
  /// - Throws: `CancellationError` if the task was canceled, or the store's owner released, before the body began.
  @usableFromInline
  func makeContext(for task: RegisteredTask) throws -> EffectContext<Action> {
    let (dispatch, sender) = (try makeDispatch(for: task), task.sender)
    let emit: @Sendable (any Sendable) -> Void = { [self] activity in
      if sender?.isOver == false { self.emit(activity, causedBy: sender?.cause) }
    }
    return EffectContext(dispatch: dispatch, emit: emit, clock: tasks.tree.clock)
  }

  /// Emits an activity at the node.
  ///
  /// - Parameter cause: The cause of the activity; nil if it is the code that runs here and now.
  @usableFromInline
  func emit(_ activity: any Sendable, causedBy cause: ActionCause? = nil) {
    _ = nodeAddress?.emit(activity, causedBy: cause)
  }

  /// - Parameters:
  ///   - group: Revokes the action if the group is canceled before the action is reduced.
  ///   - cause: The cause of the action; nil if it is the code that runs here and now.
  @usableFromInline
  func send(_ action: Action, in group: EffectGroup?, causedBy cause: ActionCause? = nil) {
    guard group != nil || cause != nil else {
      _ = dispatch(action)
      return
    }
    _ = submit(.revocable(action, by: makeSender(in: group, causedBy: cause)))
  }

  /// Makes a function that sends an action for the first error that it receives. No group revokes the action.
  @usableFromInline
  func sendOnce(
    _ makeAction: @escaping @Sendable (any Error) -> Action?,
    causedBy cause: ActionCause
  ) -> @Sendable (any Error) -> Void {
    let isSent = AtomicFlag(false)
    return { [self] error in
      if let action = makeAction(error), !isSent.exchange(true) { send(action, in: nil, causedBy: cause) }
    }
  }

  /// Makes the sender of actions that a group can revoke.
  @usableFromInline
  func makeSender(in group: EffectGroup?, causedBy cause: ActionCause?) -> ActionSender {
    let sender = ActionSender(causedBy: cause, keeping: group)
    group?.whenCancelled { [weak sender] in sender?.revoke() }
    return sender
  }

  /// Performs effects in sequence, each when all tasks of the previous one have ended.
  @usableFromInline
  func performInSequence(
    _ effects: [Effect<Action>],
    in group: EffectGroup?,
    of action: Action?,
    causedBy cause: ActionCause?,
    with reservations: [Reservation],
    whenFailed: (@Sendable (any Error) -> Void)?,
    _ onEffectError: EffectErrorHandler<Action>?
  ) {
    // The sequence is a member of the group until the last effect is performed, so that the group doesn't end between
    // two effects.
    guard group?.enter() != false else {
      return giveUp(.concatenate(effects), causedBy: cause, whenFailed: whenFailed)
    }
    // Later parts begin on other threads, and have the same cause as the first.
    let cause = cause ?? tasks.tree.cause
    let parts = effects.map { SequencePart(effect: $0) }
    performEntered(
      parts[...], in: group, of: action, causedBy: cause, within: reservations, whenFailed: whenFailed, onEffectError)
  }

  /// Performs the parts of a sequence that has entered the group; it leaves after its last part.
  ///
  /// - Parameter outer: The reservations for the tasks of all parts together; nil after each part has its own.
  private func performEntered(
    _ parts: ArraySlice<SequencePart<Action>>,
    in group: EffectGroup?,
    of action: Action?,
    causedBy cause: ActionCause,
    within outer: [Reservation]?,
    whenFailed: (@Sendable (any Error) -> Void)?,
    _ onEffectError: EffectErrorHandler<Action>?
  ) {
    var (parts, outer) = (parts, outer)
    while let first = parts.popFirst() {
      let reservations = outer ?? first.reservations
      guard !parts.isEmpty else {
        perform(
          first.effect, in: group, of: action, causedBy: cause, with: reservations, whenFailed: whenFailed,
          onEffectError)
        tasks.release(first.reservations)
        break
      }
      let part = EffectGroup(in: group)
      var isPerformed = false
      part.perform {
        isPerformed = true
        perform(
          first.effect, in: part, of: action, causedBy: cause, with: reservations, whenFailed: whenFailed, onEffectError
        )
      }
      if !isPerformed { giveUp(first.effect, causedBy: cause, whenFailed: whenFailed) }
      tasks.release(first.reservations)
      if let reservations = outer, !part.isEnded {
        for index in parts.indices {
          parts[index].reservations = tasks.makeReservations(for: parts[index].effect.keys, within: reservations)
        }
        outer = nil
      }
      let isCancelled = part.whenEnded { [self, parts, outer] isCancelled in
        // This closure may be the last owner of the effects, and end in the middle of a step.
        Tree.releaseLater(ReleaseBatch(Array(parts)))
        guard !isCancelled else {
          return abandon(parts, in: group, causedBy: cause, whenFailed: whenFailed)
        }
        performEntered(
          parts, in: group, of: action, causedBy: cause, within: outer, whenFailed: whenFailed, onEffectError)
      }
      // If this is nil, tasks of the part still run: the closure above continues the sequence when they have ended.
      guard let isCancelled else { return }
      guard !isCancelled else { return abandon(parts, in: group, causedBy: cause, whenFailed: whenFailed) }
    }
    group?.leave()
  }

  /// Ends a sequence after one of its tasks was canceled: the remaining parts aren't performed.
  private func abandon(
    _ parts: ArraySlice<SequencePart<Action>>,
    in group: EffectGroup?,
    causedBy cause: ActionCause,
    whenFailed: (@Sendable (any Error) -> Void)?
  ) {
    for part in parts {
      tasks.release(part.reservations)
      giveUp(part.effect, causedBy: cause, whenFailed: whenFailed)
    }
    group?.leave(isCancelled: true)
  }

  /// Treats the tasks of an effect that isn't performed as canceled.
  @usableFromInline
  func giveUp(_ effect: Effect<Action>, causedBy cause: ActionCause?, whenFailed: (@Sendable (any Error) -> Void)?) {
    switch effect.form {
    case .none, .send, .sendBatch, .emit, .cancel, .cancelAll: break
    case .run: whenFailed?(CancellationError())
    case .merge(let effects), .concatenate(let effects):
      for effect in effects { giveUp(effect, causedBy: cause, whenFailed: whenFailed) }
    case .catching(let effect, let makeAction):
      giveUp(effect, causedBy: cause, whenFailed: sendOnce(makeAction, causedBy: cause ?? tasks.tree.cause))
    }
  }
}

/// A part of a sequence of effects.
private struct SequencePart<Action: Sendable>: Sendable {
  let effect: Effect<Action>

  /// The reservations for its tasks while it waits for the previous part.
  var reservations: [Reservation] = []
}
