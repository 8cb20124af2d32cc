internal import Arbor
internal import ArborDiff

extension TestStore {
  /// Sends an action and asserts what becomes of the state.
  ///
  /// - The action is reduced, and all that it sets off is run up to the first action that is held, before this returns.
  /// - While actions are held it is a failure; they are received first then. With the exhaustivity `.off` it is none.
  /// - On a child the state is the child's, on a scope the part: what else the action changes is asserted where it can be seen.
  /// - Cost: a few microseconds, and what comparing the states takes. What differs is looked for only if they differ to the bit.
  /// - Parameters:
  ///   - action: The action, as it would be dispatched to this store.
  ///   - change: Turns the state before into the one that is expected after; without it the state must not change. What it throws
  ///     is a failure.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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
      // The owner is held, so it is accepted.
      _ = base.dispatch(action) { isDone.withLock { $0 = true } }
      while !isDone.withLock({ $0 }), let entry = tree.engine.nextEntry {
        run(entry, isSent: entry.isAwaited, subject)
      }
    }
    tree.settle()
  }

  /// Sends a batch, which is one step, and asserts what becomes of the state; in all else as sending an action.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch, in order. An empty one is no step.
  ///   - change: Turns the state before into the one that is expected after; without it the state must not change.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
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

  /// Runs code that changes the state by calls that wait, `commit` or `dispatchAndWait`, and asserts what becomes of it.
  ///
  /// ```swift
  /// await store.during { model.rename() } expect: { $0.name = "Settings" }
  /// ```
  ///
  /// - Such actions cannot be held, as their callers wait for them: anywhere else they are failures. The same for `perform`: what its
  ///   effects dispatch is held.
  /// - Parameters:
  ///   - work: The code; what it dispatches without waiting is held when it is done.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  ///   - change: As that of sending an action.
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

  /// Lets through what was sent, or what another thread has dispatched just before.
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

  /// Asserts what becomes of the state while something is let through.
  func assert(
    _ subject: @escaping @autoclosure () -> String,
    _ change: ((inout State) throws -> Void)?,
    while step: () -> Void
  ) {
    let before = base.readBetweenSteps()
    step()
    // The failure names what has made the state: an interceptor may have dropped the action, or replaced it.
    let outcome = tree.recorder.lastOutcome
    assert({ subject() + outcome.text }, from: before, to: base.readBetweenSteps(), change)
  }

  private func assert(
    _ subject: @escaping () -> String,
    from before: State?,
    to after: State?,
    _ change: ((inout State) throws -> Void)?
  ) {
    // The owner is held, so there is a state.
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
