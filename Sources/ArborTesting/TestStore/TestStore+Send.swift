internal import Arbor
internal import ArborDiff

extension TestStore {
  /// Sends an action and asserts the change to the state.
  ///
  /// - Before this returns, the action is reduced, and everything that it causes is run, up to the first held action.
  /// - Sending while actions are held is a failure. The held actions are then received first. If exhaustivity is
  ///   `.off`, it isn't a failure.
  /// - The closure asserts the state of this store: for a child, the child's state; for a scope, the part. Assert other
  ///   changes of the action on a store that can see them.
  /// - Cost: a few microseconds, and the time for comparing the states. Differences are computed only if the states are
  ///   not identical bit by bit.
  /// - Parameters:
  ///   - action: The action, as you would dispatch it to this store.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change. An error
  ///     that it throws is a failure.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func send(
    _ action: Action,
    _ change: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let subject = { ActionText.of(action) }
    begin(subject, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    let isDone = Protected(false)
    assert(subject(), change) {
      // The tree keeps the owner, so the action is accepted.
      _ = base.dispatch(action) { isDone.withLock { $0 = true } }
      while !isDone.withLock({ $0 }), let entry = tree.engine.nextEntry {
        run(entry, isSent: entry.isAwaited, subject)
      }
    }
    tree.settle()
  }

  /// Sends a batch, which is one step, and asserts the change to the state.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch, in order. An empty batch isn't a step.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  public func send(
    batch actions: [Action],
    _ change: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let subject = { ActionText.of(batch: actions) }
    begin(subject, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    assert(subject(), change) {
      base.dispatch(batch: actions)
      while !actions.isEmpty, let entry = tree.engine.nextEntry {
        let isSent = entry.actions.count == actions.count
        run(entry, isSent: isSent, subject)
        if isSent { break }
      }
    }
    tree.settle()
  }

  /// Runs code that changes the state with waiting calls, `commit` or `dispatchAndWait`, and asserts the change to the
  /// state.
  ///
  /// ```swift
  /// await store.during { model.rename() } expect: { $0.name = "Settings" }
  /// ```
  ///
  /// - Such actions cannot be held, because their callers wait for them. Outside `during` they are failures. The same
  ///   applies to `perform`; the actions that its effects dispatch are held.
  /// - Parameters:
  ///   - work: The code to run. Actions that it dispatches without waiting are held when it returns.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  ///   - change: Turns the previous state into the expected one. If you omit it, the state must not change. An error
  ///     that it throws is a failure.
  /// - Returns: The result of the code.
  @discardableResult
  public func during<Result>(
    _ work: () async throws -> Result,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation,
    expect change: ((_ state: inout State) throws -> Void)? = nil
  ) async rethrows -> Result {
    let subject = { "the code" }
    begin(subject, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    let before = base.readBetweenSteps()
    tree.recorder.isAsking = true
    defer {
      tree.recorder.isAsking = false
      assert(subject, from: before, to: base.readBetweenSteps(), change)
      tree.settle()
    }
    return try await work()
  }

  /// Runs the sent action, or an entry that another thread has dispatched just before.
  private func run(_ entry: WaitingEntry, isSent: Bool, _ subject: () -> String) {
    if isSent || !entry.isStep { return tree.runHeld(entry, as: .sent) }
    if tree.exhaustivity.isOn { tree.record(.sendingWhileHeld(subject(), held: entry.actions.map(ActionText.of))) }
    tree.runHeld(entry, as: .skipped)
  }

  private func begin(_ subject: () -> String, at place: SourcePlace) {
    tree.begin(at: place)
    guard tree.held != nil else { return }
    if tree.exhaustivity.isOn { tree.record(.sendingWhileHeld(subject(), held: tree.heldActions)) }
    tree.skipUnasserted()
  }

  /// Asserts the change to the state while a step runs.
  func assert(
    _ subject: @escaping @autoclosure () -> String,
    _ change: ((inout State) throws -> Void)?,
    while step: () -> Void
  ) {
    let before = base.readBetweenSteps()
    step()
    // The failure names the origin of the state: an interceptor may have dropped or replaced the action.
    let outcome = tree.recorder.lastOutcome
    assert({ subject() + outcome.text }, from: before, to: base.readBetweenSteps(), change)
  }

  private func assert(
    _ subject: @escaping () -> String,
    from before: State?,
    to after: State?,
    _ change: ((inout State) throws -> Void)?
  ) {
    // The tree keeps the owner, so there is a state.
    guard let before, let after else { return }
    let layout = layout ?? StateLayout(of: before)
    self.layout = layout
    let expectation = StateExpectation(
      subject: subject,
      before: before,
      after: after,
      exhaustivity: tree.exhaustivity,
      layout: layout
    )
    for failure in expectation.failures(change) { tree.record(failure) }
  }
}
