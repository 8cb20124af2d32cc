package import Arbor

/// The tree of stores under test, with everything that its test stores share.
///
/// - Nothing runs between two calls of the test: before each call returns, it runs all work that can run, up to the
///   first held action.
package final class TestTree: Sendable {
  private struct Content: Sendable {
    var exhaustivity: Exhaustivity
    var end = End.unused
    var isEndless = false

    /// The number of actions skipped since the last call of the test.
    var skipped = 0

    /// The place of the last call of the test.
    var place: SourcePlace
  }

  /// The progress of the test toward its end.
  enum End: Sendable {
    /// It was never used.
    case unused
    case open
    case finished

    /// It was used after its end.
    case reopened
  }

  package let engine: Tree
  let setup: TestSetup
  var recorder: TestRecorder { setup.recorder }

  /// The sink for failures at the creation of the tree, because the tree may be released elsewhere.
  private let sink = FailureSink.current
  private let content: Protected<Content>

  init(_ engine: Tree, _ setup: TestSetup) {
    self.engine = engine
    self.setup = setup
    content = Protected(Content(exhaustivity: setup.exhaustivity, place: setup.place))
    schedule.hold(engine)
    engine.taskInspection?.whenWaiting { [weak self] in self?.willWait() }
  }

  deinit {
    engine.taskInspection?.whenWaiting(nil)
    schedule.letGo(of: engine)
    flush()
    complain(content.withLock { $0.end })
    // Run the remaining steps here: later, they would run at the same time as other tests.
    guard !engine.isInside else { return }
    if setup.ownsExecutor {
      schedule.settle(engine, atMost: TestTree.patience)
    } else {
      for _ in 0..<TestTree.patience {
        guard engine.waiting > 0 else { break }
        schedule.stepHeld(engine)
      }
    }
  }

  private var schedule: ManualSchedule { setup.executor.schedule }

  var exhaustivity: Exhaustivity {
    get { content.withLock { $0.exhaustivity } }
    set { content.withLock { $0.exhaustivity = newValue } }
  }

  // MARK: Calls of the test

  /// Begins a call of the test, after which the test must finish.
  func begin(at place: SourcePlace) {
    speak(at: place)
    content.withLock { content in
      content.end =
        switch content.end {
        case .unused, .open: .open
        case .finished, .reopened: .reopened
        }
    }
    settle()
  }

  /// Records the place of a call of the test.
  func speak(at place: SourcePlace) {
    // Failures found so far belong to the place of the previous call.
    flush()
    content.withLock { content in
      content.place = place
      content.skipped = 0
    }
  }

  func finish() {
    content.withLock { $0.end = .finished }
  }

  /// The texts of the actions that interceptors hold.
  var undecidedActions: [String] { (engine.taskInspection?.undecidedActions ?? []).map(ActionText.of) }

  /// Records a failure if a test has not finished.
  private func complain(_ end: End) {
    let undecided = undecidedActions.map { "\($0) is held by an interceptor" }
    let left = heldActions.map { "\($0) is held" } + undecided + tasks.map(\.textWithPlace)
    switch end {
    case .finished: break
    case .unused: if !left.isEmpty || !recorder.isEmpty { record(.neverFinished(left: left), at: setup.place) }
    case .open: record(.neverFinished(left: left), at: setup.place)
    case .reopened: record(.usedAfterEnd(left: left))
    }
  }

  /// Runs all work that can run, up to the first held action.
  func settle() {
    if !isEndless, !schedule.settle(engine, atMost: TestTree.patience * 10) { giveUp(after: []) }
    flush()
  }

  /// Counts the actions skipped since the last call of the test, and gives up if there are too many.
  ///
  /// - Returns: `false` if it has given up, now or earlier.
  func countSkipped(_ actions: [String]) -> Bool {
    let count = content.withLock { content in
      content.skipped += 1
      return content.skipped
    }
    if !isEndless, count > TestTree.patience { giveUp(after: actions[...]) }
    return !isEndless
  }

  private var isEndless: Bool { content.withLock { $0.isEndless } }

  /// Stops running endless actions.
  private func giveUp(after last: ArraySlice<String>) {
    content.withLock { $0.isEndless = true }
    record(.endless(last))
  }

  /// Runs all work that can run until a condition holds, and waits for effects that are elsewhere if necessary.
  ///
  /// - Returns: The tasks that were still elsewhere after the timeout.
  func settle(
    until isDone: () -> Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [InspectedTask] {
    let isDone = { isDone() || self.schedule.isHeld(self.engine) }
    let tasks = { self.tasks.filter(\.isElsewhere) }
    return await schedule.run(until: isDone, tasks: tasks, timeout: setup.timeout, settle: settle)
  }

  /// The number of actions or steps after which they count as endless.
  private static let patience = 20_000

  // MARK: Waiting actions

  /// The next action or batch to receive; nil if none is held.
  var held: WaitingEntry? {
    guard let entry = engine.nextEntry, entry.isStep else { return nil }
    return entry
  }

  /// The texts of all held actions.
  var heldActions: [String] {
    engine.entries.flatMap(\.actions).map(ActionText.of)
  }

  /// The tasks that have not ended.
  var tasks: [InspectedTask] { engine.taskInspection?.tasks ?? [] }

  /// Runs the held action or batch, and nothing else.
  func runHeld(_ entry: WaitingEntry, as role: TestRecorder.Role) {
    recorder.expect(role, entry.actions.count)
    schedule.stepHeld(engine)
    recorder.expectNothing()
  }

  // MARK: Failures

  /// Notes a failure that a task found. The running call of the test records it.
  package func note(_ failure: TestFailure) {
    recorder.note(failure)
  }

  /// Records a failure at the place of the last call of the test.
  func record(_ failure: TestFailure) {
    record(failure, at: content.withLock { $0.place })
  }

  private func record(_ failure: TestFailure, at place: SourcePlace) {
    let failure = failure.naming(setup.executor.seed)
    guard FailureSink.current == nil, let sink else { return TestRunner.record(failure, at: place) }
    sink.take(failure, at: place)
  }

  private func flush() {
    for failure in recorder.takeFailures() { record(failure) }
    let unasked = recorder.takeUnasked()
    if exhaustivity.isOn, !unasked.isEmpty { record(.reducedUnasked(unasked)) }
  }

  /// Prepares for a caller that is about to run held actions, bypassing the test.
  private func willWait() {
    // Calls that wait inside `during` are allowed, because `during` asserts their changes.
    guard !recorder.isAsking else { return }
    let held = engine.entries.flatMap(\.actions)
    guard !held.isEmpty else { return }
    recorder.expect(.skipped, held.count)
    if exhaustivity.isOn { recorder.note(.waitingWhileHeld(held.map(ActionText.of))) }
  }
}
