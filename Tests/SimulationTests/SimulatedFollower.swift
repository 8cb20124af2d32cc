import Arbor

/// A monitor that follows the root of a tree of the engine, like one that saves its state or journals its actions.
final class SimulatedFollower: RootFollower, @unchecked Sendable {  // Only one thread uses it.
  private let tree: Int
  private weak let engine: Engine?

  /// The digest of the root's state.
  private var read: () -> UInt64 = { 0 }

  init(_ tree: Int, in engine: Engine) {
    self.tree = tree
    self.engine = engine
  }

  /// `true` if the tree with a number is followed when it is monitored.
  static func follows(_ tree: Int) -> Bool { tree.isMultiple(of: 2) }

  func follow<State: Sendable>(_ root: FollowedRoot<State>) {
    read = { [weak root] in (root?.state as? SimulatedState)?.digest.all ?? 0 }
  }

  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? {
    { [self] action in
      let number = (action as? SimulatedAction)?.number ?? (action as! Mutation<SimulatedState>).carried.number
      engine?.note(.received, tree, number)
    }
  }

  func stepReceiver() -> @Sendable () -> Void {
    { [self] in engine?.note(.saved, tree, 0, read()) }
  }

  func didBegin() {}

  func willLeavePresent() {}

  func didReturnToPresent(withNewStates: Bool) {}

  func monitor(_ record: borrowing ActionRecord) {}
}
