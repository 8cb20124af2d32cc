extension Inlet {
  /// Starts a task, or lets it wait or drops it, as the mode says.
  func start<Value: Sendable>(
    key: TaskKey?,
    mode: TaskMode,
    priority: TaskPriority?,
    _ operation: @escaping @Sendable (@escaping @Sendable (Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    let outcome = TaskOutcome<Value>()
    let ticket = TaskTicket(key: key, mode: mode, in: tasks)
    let dispatch = dispatch(of: ticket)
    tasks.add(
      RegisteredTask(
        ticket: ticket,
        priority: priority,
        run: {
          do {
            outcome.settle(.success(try await operation(dispatch)))
          } catch {
            outcome.settle(.failure(error))
          }
        },
        whenDropped: { outcome.settle(.failure(CancellationError())) },
        whenEnded: { _ in }
      ),
      mode: mode
    )
    return StoreTask(outcome: outcome, ticket: ticket)
  }

  /// Performs an effect.
  ///
  /// - Parameters:
  ///   - group: Where its tasks are entered, if anybody waits for them.
  ///   - report: Called with the key and the error of a task that throws one.
  func perform(
    _ effect: Effect<Action>,
    in group: EffectGroup?,
    report: @escaping @Sendable (TaskKey?, any Error) -> Void
  ) {
    switch effect.form {
    case .none: break
    case .send(let action): _ = dispatch(action)
    case .cancel(let key): tasks.cancel(key)
    case .merge(let effects): for effect in effects { perform(effect, in: group, report: report) }
    case .concatenate(let effects): perform(effects[...], in: group, report: report)
    case .run(let key, let mode, let priority, let operation):
      let ticket = TaskTicket(key: key, mode: mode, in: tasks)
      let dispatch = dispatch(of: ticket)
      group?.enter { ticket.table.cancel(ticket) }
      tasks.add(
        RegisteredTask(
          ticket: ticket,
          priority: priority,
          run: {
            do {
              try await operation(dispatch)
            } catch is CancellationError {
              // Silence.
            } catch  where !ticket.isOver {
              report(key, error)
            } catch {
              // Of no interest any more.
            }
          },
          whenDropped: {},
          whenEnded: { isDropped in group?.leave(isCancelled: isDropped) }
        ),
        mode: mode
      )
    }
  }

  /// Performs effects one after the other.
  private func perform(
    _ effects: ArraySlice<Effect<Action>>,
    in group: EffectGroup?,
    report: @escaping @Sendable (TaskKey?, any Error) -> Void
  ) {
    guard let first = effects.first else { return }
    guard effects.count > 1 else { return perform(first, in: group, report: report) }
    let part = EffectGroup { [self] hasCancelledMember in
      if !hasCancelledMember { perform(effects.dropFirst(), in: group, report: report) }
      group?.leave(isCancelled: hasCancelledMember)
    }
    group?.enter { part.cancel() }
    // Ends the group if the effect starts no task.
    part.enter()
    perform(first, in: part, report: report)
    part.leave()
  }

  /// What a task sends its actions by.
  private func dispatch(of ticket: TaskTicket) -> @Sendable (Action) -> Void {
    { [dispatchRevocably] action in _ = dispatchRevocably(action, ticket) }
  }
}
