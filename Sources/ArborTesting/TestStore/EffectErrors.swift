internal import Arbor

/// The receiver of the errors of effects in a test that takes none itself: passes them to its tree, once there is one.
final class EffectErrors: Sendable {
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
