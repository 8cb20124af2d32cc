internal import Arbor

/// The tree of stores under test, with all that its test stores share.
///
/// - Between two calls of the test nothing runs: each call runs all that can be run before it returns, up to the first action
///   that is held.
final class TestTree: Sendable {
  private struct Content: Sendable {
    var exhaustivity: Exhaustivity
    var end = End.unused
    var isEndless = false

    /// The number of actions that were passed over since the test has spoken.
    var skipped = 0

    /// The place at which the test has spoken last.
    var place: SourcePlace
  }

  /// The progress of the test towards its end.
  enum End: Sendable {
    /// Nothing was ever asked of it.
    case unused
    case open
    case finished

    /// It was used behind its end.
    case reopened
  }

  let engine: Tree
  let setup: TestSetup
  var recorder: TestRecorder { setup.recorder }

  /// The recorder of failures where the tree was made: it may go elsewhere.
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
    // Steps that are left run here: later they would run beside other tests.
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

  /// The test speaks, and has to come to an end.
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

  /// The test speaks.
  func speak(at place: SourcePlace) {
    // Failures that were found until now belong to the place at which the test spoke before.
    flush()
    content.withLock { content in
      content.place = place
      content.skipped = 0
    }
  }

  func finish() {
    content.withLock { $0.end = .finished }
  }

  /// The actions that interceptors hold, as texts.
  var undecidedActions: [String] { (engine.taskInspection?.undecidedActions ?? []).map(ActionText.of) }

  /// Complains of a test that has not come to an end.
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

  /// Runs all that can be run, up to the first action that is held.
  func settle() {
    if !isEndless, !schedule.settle(engine, atMost: TestTree.patience * 10) { giveUp(after: []) }
    flush()
  }

  /// Counts actions that are passed over since the test has spoken, and gives up if there are too many.
  ///
  /// - Returns: `false` if it has given up, now or before.
  func countSkipped(_ actions: [String]) -> Bool {
    let count = content.withLock { content in
      content.skipped += 1
      return content.skipped
    }
    if !isEndless, count > TestTree.patience { giveUp(after: actions[...]) }
    return !isEndless
  }

  private var isEndless: Bool { content.withLock { $0.isEndless } }

  /// Does not try again what has no end.
  private func giveUp(after last: ArraySlice<String>) {
    content.withLock { $0.isEndless = true }
    record(.endless(last))
  }

  /// Runs all that can be run, and waits for effects that are elsewhere if there is no other way to come to a condition.
  ///
  /// - Returns: The tasks that were still elsewhere when the time was over.
  func settle(
    until isDone: () -> Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [InspectedTask] {
    let isDone = { isDone() || self.schedule.isHeld(self.engine) }
    let tasks = { self.tasks.filter(\.isElsewhere) }
    return await schedule.run(until: isDone, tasks: tasks, timeout: setup.timeout, settle: settle)
  }

  /// After so many actions or steps nobody believes any more that they come to an end.
  private static let patience = 20_000

  // MARK: Waiting actions

  /// The action or batch that is to be received next; nil if none is held.
  var held: WaitingEntry? {
    guard let entry = engine.nextEntry, entry.isStep else { return nil }
    return entry
  }

  /// The texts of all actions that are held.
  var heldActions: [String] {
    engine.entries.flatMap(\.actions).map(ActionText.of)
  }

  /// The tasks that have not ended.
  var tasks: [InspectedTask] { engine.taskInspection?.tasks ?? [] }

  /// Lets the action or batch through that is held, and nothing else.
  func runHeld(_ entry: WaitingEntry, as role: TestRecorder.Role) {
    recorder.expect(role, entry.actions.count)
    schedule.stepHeld(engine)
    recorder.expectNothing()
  }

  // MARK: Failures

  /// Records a failure where the test has spoken last.
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

  /// Somebody is about to run what is held, past the test.
  private func willWait() {
    // Calls that wait inside `during` are no failures: `during` asserts what they change.
    guard !recorder.isAsking else { return }
    let held = engine.entries.flatMap(\.actions)
    guard !held.isEmpty else { return }
    recorder.expect(.skipped, held.count)
    if exhaustivity.isOn { recorder.note(.waitingWhileHeld(held.map(ActionText.of))) }
  }
}
