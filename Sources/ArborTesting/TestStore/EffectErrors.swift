internal import Arbor

/// Where the errors of effects go in a test that takes none itself, once there is a tree.
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
