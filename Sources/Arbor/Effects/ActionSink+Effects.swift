extension ActionSink {
  /// Performs an effect.
  ///
  /// - Parameters:
  ///   - group: Where what it starts is entered, if anybody waits for that or may cancel it.
  ///   - cause: The action that has set it off, if it was one.
  ///   - report: Called with the key, the cause and the error of a task that throws one.
  @inlinable
  func perform(
    _ effect: Effect<Action>,
    in group: EffectGroup?,
    causedBy cause: Action?,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void
  ) {
    switch effect.form {
    case .none: break
    case .send(let action): send(action, in: group)
    case .cancel(let key): tasks.cancelRegistered(key)
    case .merge(let effects): for effect in effects { perform(effect, in: group, causedBy: cause, report: report) }
    case .concatenate(let effects): performInSequence(effects[...], in: group, causedBy: cause, report: report)
    case .run(let key, let mode, let priority, let operation):
      guard group?.enter() != false else { return }
      let tracked = tasks.tree.track(key, after: cause, isEffect: true)
      let operation = tracked?.tracking(operation) ?? operation
      let task = RegisteredTask(in: tasks, group: group, outcome: nil, tracked: tracked) { [self] task in
        Task.detached(executorPreference: task.executor, priority: priority) {
          var result: Result<any Sendable, any Error> = .success(())
          do {
            try await operation(self.dispatch(of: task))
          } catch {
            result = .failure(error)
            // What a cancelled task comes to is of no interest.
            if !(error is CancellationError), task.sender?.isOver == false { report(key?.value, cause, error) }
          }
          task.table.end(task, result)
        }
      }
      tasks.add(task, key: key, mode: mode)
      group?.whenCancelled { [tasks, number = task.number] in tasks.cancel(number) }
    }
  }

  @usableFromInline
  func send(_ action: Action, in group: EffectGroup?) {
    guard let group else {
      _ = dispatch(action)
      return
    }
    let sender = ActionSender()
    group.whenCancelled { sender.revoke() }
    _ = submit(.revocable(action, by: sender))
  }

  /// Performs effects one after the other.
  @usableFromInline
  func performInSequence(
    _ effects: ArraySlice<Effect<Action>>,
    in group: EffectGroup?,
    causedBy cause: Action?,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void
  ) {
    // A member until the last one was performed, so that the group does not end between two of them.
    if group?.enter() != false { performEntered(effects, in: group, causedBy: cause, report: report) }
  }

  /// Performs effects one after the other as a member of the group, which leaves behind the last one.
  private func performEntered(
    _ effects: ArraySlice<Effect<Action>>,
    in group: EffectGroup?,
    causedBy cause: Action?,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void
  ) {
    var effects = effects
    while let first = effects.popFirst() {
      guard !effects.isEmpty else {
        perform(first, in: group, causedBy: cause, report: report)
        break
      }
      let part = EffectGroup()
      group?.whenCancelled { part.cancel() }
      // Ends the part if the effect starts no task.
      part.enter()
      perform(first, in: part, causedBy: cause, report: report)
      part.leave()
      let isCancelled = part.whenEnded { [self, effects] isCancelled in
        guard !isCancelled else {
          group?.leave(isCancelled: true)
          return
        }
        performEntered(effects, in: group, causedBy: cause, report: report)
      }
      // Else it goes on when the part ends.
      guard let isCancelled else { return }
      guard !isCancelled else {
        group?.leave(isCancelled: true)
        return
      }
    }
    group?.leave()
  }
}
