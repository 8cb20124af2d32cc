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

  /// Takes the errors of effects: the test's own closure, or one that makes failures of them.
  func onEffectError<Action>(
    _ own: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  ) -> @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void where Action: Sendable {
    own ?? { [errors] key, action, error in
      let stateEffect = InspectedTask.current?.stateEffect?.name
      errors.take(.effectFailed(key: key, action: action.map(ActionText.of), stateEffect: stateEffect, error))
    }
  }
}
