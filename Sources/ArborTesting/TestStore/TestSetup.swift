internal import Arbor

/// The setup of a test store's tree, beside what its factory is made from.
final class TestSetup: Sendable {
  let clock: any Clock<Duration>
  let executor: ManualExecutor
  let recorder = TestRecorder()
  private let hasClock: Bool
  private let ownsExecutor: Bool
  private let exhaustivity: Exhaustivity
  private let timeout: Duration
  private let place: SourcePlace

  /// The receiver of the errors of effects. It retains no tree: the tree's own stores hold what takes their errors.
  private let errors = EffectErrors()

  init(
    clock: (any Clock<Duration>)?,
    executor: ManualExecutor?,
    exhaustivity: Exhaustivity,
    timeout: Duration,
    place: SourcePlace
  ) {
    self.clock = clock ?? TestClock()
    hasClock = clock != nil
    self.executor = executor ?? ManualExecutor()
    ownsExecutor = executor == nil
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.place = place
  }

  /// Makes the tree of a mailbox. Once.
  func tree(_ engine: Tree) -> TestTree {
    let tree = TestTree(
      engine,
      on: executor,
      isOwn: ownsExecutor,
      recorder: recorder,
      hasClock: hasClock,
      exhaustivity: exhaustivity,
      timeout: timeout,
      at: place
    )
    errors.go(to: tree)
    return tree
  }

  /// Makes the settings of the tree, of which the recorder is the first monitor. Errors of effects go to the test's own
  /// closure; without one, they are failures.
  func treeSettings<Action: Sendable>(
    monitors: [any StoreMonitor],
    onEffectError own: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  ) -> TreeSettings {
    TreeSettings(
      clock: clock,
      monitors: [recorder] + monitors,
      onEffectError: { [errors] key, action, error in
        if let own { return own(key, action.map { $0 as! Action }, error) }
        let stateEffect = InspectedTask.current?.stateEffect?.name
        errors.take(.effectFailed(key: key, action: action.map(ActionText.of), stateEffect: stateEffect, error))
      },
      executor: executor
    )
  }
}

/// The receiver of the errors of effects in a test that takes none itself: passes them to its tree, once there is one.
private final class EffectErrors: Sendable {
  private struct Target: Sendable {
    weak var tree: TestTree?
  }

  private let target = Protected(Target())

  func go(to tree: TestTree) {
    target.withLock { $0.tree = tree }
  }

  func take(_ failure: TestFailure) {
    let tree = target.withLock { $0.tree }
    tree?.note(failure)
  }
}
