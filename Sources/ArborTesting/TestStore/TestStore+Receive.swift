internal import Arbor
internal import ArborDiff

extension TestStore {
  /// Receives the next held action, which must equal a value, and asserts the change to the state.
  ///
  /// - The action is reduced in this call, and everything that it causes is run, up to the next held action.
  /// - If no action is held, the call waits for effects that have left the executor, up to the store's `timeout`. It
  ///   does not wait for an effect that sleeps on a clock that the test advances.
  /// - If the next action is a different one, a failure is recorded, and the action is received anyway. If exhaustivity
  ///   is `.off`, actions before the expected one are received first.
  /// - Parameters:
  ///   - action: The expected action.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change. An error
  ///     that it throws is a failure.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func receive(
    _ action: Action,
    _ change: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async where Action: Equatable {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wanted = WantedAction<Action, Void>(ActionText.of(action)) {
      Verdict.areEqual(action, $0) ? () : nil
    } difference: {
      Verdict.difference(from: action, to: $0)
    }
    await receive(wanted, change, at: place)
  }

  /// Receives the next held action, which must satisfy a predicate, and asserts the change to the state.
  ///
  /// - Parameters:
  ///   - predicate: Returns `true` for the expected action. It may be called several times with the same action.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func receive(
    where predicate: @escaping (_ action: Action) -> Bool,
    _ change: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wanted = WantedAction<Action, Void>("an action that matches the predicate") { predicate($0) ? () : nil }
    await receive(wanted, change, at: place)
  }

  /// Receives the next held action, from which a closure must extract a payload, and asserts the change to the state.
  ///
  /// ```swift
  /// extension AppAction {
  ///   var loadedItems: [Item]? { if case .loaded(let items) = self { items } else { nil } }
  /// }
  /// let items = await store.receive(extract: \.loadedItems) { state, items in state.items = items }
  /// ```
  ///
  /// - Parameters:
  ///   - extract: Returns the payload of the expected action; nil for any other.
  ///   - change: Turns the previous state into the expected one, given the payload. If you omit it, the state must not
  ///     change.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  /// - Returns: The payload; nil if there was none, which is a failure.
  @discardableResult
  public func receive<Payload>(
    extract: @escaping (_ action: Action) -> Payload?,
    _ change: ((_ state: inout State, _ payload: Payload) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Payload? {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wanted = WantedAction("an action with a payload of type \(Payload.self)", extract: extract)
    return await receive(wanted, change, at: place)
  }

  /// Receives the next held batch, whose actions must equal the given ones, and asserts the change to the state.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch, in order.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func receive(
    batch actions: [Action],
    _ change: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async where Action: Equatable {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wanted = WantedAction<Action, Void>(batch: ActionText.of(batch: actions)) {
      Verdict.areEqual(actions, $0) ? () : nil
    }
    await receive(wanted, change, at: place)
  }

  /// Receives all held actions, and the actions that they cause, without asserting anything.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func skipReceivedActions(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    tree.skipUnasserted()
  }

  private func receive(
    _ wanted: WantedAction<Action, Void>,
    _ change: ((inout State) throws -> Void)?,
    at place: SourcePlace,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    _ = await receive(wanted, change.map { change in { state, _ in try change(&state) } }, at: place)
  }

  private func receive<Payload>(
    _ wanted: WantedAction<Action, Payload>,
    _ change: ((inout State, Payload) throws -> Void)?,
    at place: SourcePlace,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Payload? {
    tree.begin(at: place)
    while true {
      let late = await tree.settle(until: { tree.held != nil })
      guard let entry = tree.held else {
        tree.record(tree.neverSent(wanted.text(), late: late))
        return nil
      }
      if let payload = payload(wanted, in: entry) {
        assert(ActionText.of(batch: entry.actions), change.map { change in { try change(&$0, payload) } }) {
          tree.runHeld(entry, as: .received)
        }
        tree.settle()
        return payload
      }
      guard tree.exhaustivity.isOn else {
        guard tree.skipNext(entry) else { return nil }
        continue
      }
      tree.record(
        .otherAction(
          than: wanted.text(),
          ActionText.of(batch: entry.actions),
          in: entry.store == base.monitored ? nil : entry.store.map(tree.recorder.name(of:)),
          entry.actions.count == 1 ? extract(entry.actions[0]).flatMap { wanted.difference?($0).inside } : nil,
          isHeldBehind: tree.engine.entries.dropFirst().contains { payload(wanted, in: $0) != nil }
        )
      )
      tree.runHeld(entry, as: .received)
      tree.settle()
      return nil
    }
  }

  /// The payload of a held step; nil if it does not match, or belongs to another store.
  private func payload<Payload>(_ wanted: WantedAction<Action, Payload>, in entry: WaitingEntry) -> Payload? {
    guard entry.isStep, entry.store == base.monitored else { return nil }
    let actions = entry.actions.compactMap(extract)
    return actions.count == entry.actions.count ? wanted.payload(actions) : nil
  }
}

extension TestTree {
  /// The failure of an action that was not sent.
  ///
  /// - Parameter late: The tasks that were still elsewhere after the timeout.
  fileprivate func neverSent(_ wanted: String, late: [InspectedTask]) -> TestFailure {
    let (tasks, undecided) = (tasks, undecidedActions)
    let fix: String
    if !late.isEmpty {
      fix =
        "make the event that the effect waits for happen in the test, or allow it more time than \(max(setup.timeout, .zero)) with the test store's `timeout:`."
    } else if tasks.isEmpty, !undecided.isEmpty {
      fix = "decide about the action that an interceptor holds, with its token, or do not receive it."
    } else if tasks.isEmpty {
      fix = "dispatch it in an effect, an interceptor or an observer, or do not receive it."
    } else {
      fix =
        setup.clock != nil
        ? "advance the clock before this line, `clock.advance(by: …)`, or do not receive it."
        : "pass a clock to the test store, `clock: TestClock()`, and advance it before this line, `clock.advance(by: …)`: without one, its "
          + "time stands still."
    }
    return .neverSent(
      wanted, waiting: tasks.map(\.textWithPlace) + undecided.map { "\($0), held by an interceptor" }, fix: fix)
  }
}

/// The action that a test expects to receive.
private struct WantedAction<Action, Payload> {
  /// The description for a reader; called if the action was not sent.
  let text: () -> String

  /// The difference from another action; nil if no value is expected.
  let difference: ((Action) -> StateDiff)?

  /// The payload of a step's actions; nil if they don't match.
  let payload: ([Action]) -> Payload?

  /// Expects a single action.
  init(
    _ text: @escaping @autoclosure () -> String, extract: @escaping (Action) -> Payload?,
    difference: ((Action) -> StateDiff)? = nil
  ) {
    self.text = text
    self.difference = difference
    payload = { actions in actions.count == 1 ? extract(actions[0]) : nil }
  }

  /// Expects a batch.
  init(batch text: @escaping @autoclosure () -> String, extract: @escaping ([Action]) -> Payload?) {
    self.text = text
    difference = nil
    payload = extract
  }
}
