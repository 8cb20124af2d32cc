internal import Arbor
internal import ArborDiff

extension TestStore {
  /// Receives the next action that is held, which must equal a value, and asserts what becomes of the state.
  ///
  /// - It is reduced in this call, and all that it sets off is run up to the next one that is held.
  /// - If none is held, effects are waited for that have left the executor, for the store's `timeout`. An effect that sleeps on a clock
  ///   which the test moves is not waited for.
  /// - Another action is a failure, and is received all the same. With the exhaustivity `.off` those before it are received first.
  /// - Parameters:
  ///   - action: The action.
  ///   - change: As that of sending an action.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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

  /// Receives the next action that is held, of which a predicate must hold; in all else as receiving a value.
  ///
  /// - Parameters:
  ///   - predicate: Returns `true` for the action that is wanted. It may be called with one action several times.
  ///   - change: Turns the state before into the one that is expected after; without it the state must not change.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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
    let wanted = WantedAction<Action, Void>("an action for which the predicate holds") { predicate($0) ? () : nil }
    await receive(wanted, change, at: place)
  }

  /// Receives the next action that is held, of which a closure must extract a payload; in all else as receiving a value.
  ///
  /// ```swift
  /// extension AppAction {
  ///   var loadedItems: [Item]? { if case .loaded(let items) = self { items } else { nil } }
  /// }
  /// let items = await store.receive(extract: \.loadedItems) { state, items in state.items = items }
  /// ```
  ///
  /// - Parameters:
  ///   - extract: Returns the payload of the action that is wanted; nil for any other.
  ///   - change: Turns the state before into the expected one, with the payload; without it the state must not change.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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

  /// Receives the batch that is held next, whose actions must equal those that are given; in all else as receiving an action.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch, in order.
  ///   - change: Turns the state before into the one that is expected after; without it the state must not change.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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

  /// Receives all actions that are held, and those that come of them, and asserts nothing.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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

  /// The payload of a step that is held; nil if it is not what is wanted, or of another store.
  private func payload<Payload>(_ wanted: WantedAction<Action, Payload>, in entry: WaitingEntry) -> Payload? {
    guard entry.isStep, entry.store == base.monitored else { return nil }
    let actions = entry.actions.compactMap(extract)
    return actions.count == entry.actions.count ? wanted.payload(actions) : nil
  }
}

extension TestTree {
  /// The failure of an action that does not come.
  ///
  /// - Parameter late: The tasks that were waited for in vain.
  fileprivate func neverSent(_ wanted: String, late: [InspectedTask]) -> TestFailure {
    let (tasks, undecided) = (tasks, undecidedActions)
    let fix: String
    if !late.isEmpty {
      fix =
        "let what the effect waits for happen in the test, or allow it more time than \(max(setup.timeout, .zero)) with the test store's `timeout:`."
    } else if tasks.isEmpty, !undecided.isEmpty {
      fix = "let the action go on that an interceptor holds, by its token, or do not receive it."
    } else if tasks.isEmpty {
      fix = "dispatch it in an effect, an interceptor or an observer, or do not receive it."
    } else {
      fix =
        setup.clock != nil
        ? "move the clock on before, `clock.advance(by: …)`, or do not receive it."
        : "move the clock on before that the effect waits for, `clock.advance(by: …)`: the test store was given none, by `clock:`, so its "
          + "time stands still."
    }
    return .neverSent(
      wanted, waiting: tasks.map(\.textWithPlace) + undecided.map { "\($0), held by an interceptor" }, fix: fix)
  }
}

/// The action that a test wants to receive.
private struct WantedAction<Action, Payload> {
  /// The description for a reader; asked for if it does not come.
  let text: () -> String

  /// The difference from another action; nil if it is no value.
  let difference: ((Action) -> StateDiff)?

  /// The payload of a step's actions; nil if they are not what is wanted.
  let payload: ([Action]) -> Payload?

  /// A single action.
  init(
    _ text: @escaping @autoclosure () -> String, extract: @escaping (Action) -> Payload?,
    difference: ((Action) -> StateDiff)? = nil
  ) {
    self.text = text
    self.difference = difference
    payload = { actions in actions.count == 1 ? extract(actions[0]) : nil }
  }

  /// A batch.
  init(batch text: @escaping @autoclosure () -> String, extract: @escaping ([Action]) -> Payload?) {
    self.text = text
    difference = nil
    payload = extract
  }
}
