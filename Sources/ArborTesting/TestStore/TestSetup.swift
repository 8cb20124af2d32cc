internal import Arbor

/// What the tree of a test store is made with, beside what its factory is made from.
final class TestSetup: Sendable {
  let executor: ManualExecutor
  let recorder = TestRecorder()
  private let ownsExecutor: Bool
  private let exhaustivity: Exhaustivity
  private let timeout: Duration
  private let place: SourcePlace

  /// Where errors of effects go, once there is a tree.
  private let tree = Protected<WeakTree>(WeakTree())

  private struct WeakTree: Sendable {
    weak var tree: TestTree?
  }

  init(executor: ManualExecutor?, exhaustivity: Exhaustivity, timeout: Duration, place: SourcePlace) {
    self.executor = executor ?? ManualExecutor()
    ownsExecutor = executor == nil
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.place = place
  }

  /// Makes the tree of a mailbox. Once.
  func tree(_ mailbox: Mailbox) -> TestTree {
    let tree = TestTree(
      mailbox,
      on: executor,
      isOwn: ownsExecutor,
      recorder: recorder,
      exhaustivity: exhaustivity,
      timeout: timeout,
      at: place
    )
    self.tree.withLock { $0.tree = tree }
    return tree
  }

  /// What takes the errors of effects: the test's own closure, or else what makes failures of them.
  func onEffectError<Action>(
    _ own: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  ) -> @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void where Action: Sendable {
    own ?? { [self] key, action, error in
      let tree = tree.withLock { $0.tree }
      tree?.note(.effectFailed(key: key, action: action.map(ActionText.of), error))
    }
  }
}
