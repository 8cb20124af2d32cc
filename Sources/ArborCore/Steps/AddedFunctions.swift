/// The interceptors and effects that were added to a node, in the order of adding. On the tree's queue
/// only, and released with the node.
///
/// - A node has none until the first is added. While a tree has none at all, an action costs one look at their number,
///   ``Tree/hasAddedFunctions``.
@usableFromInline
package final class AddedFunctions<Action: Sendable>: Attachment, Sendable {
  private let tree: Tree

  nonisolated(unsafe) private var functions: [AddedFunction<Action>] = []

  package init(on tree: Tree) {
    self.tree = tree
  }

  package func add(_ function: AddedFunction<Action>) {
    function.number = Identity().number
    functions.append(function)
    tree.addedCount.add(1)
  }

  /// Removes one that was added.
  package func remove(_ function: AddedFunction<Action>) {
    guard let index = functions.firstIndex(where: { $0 === function }) else { return }
    functions.remove(at: index)
    tree.addedCount.subtract(1)
    Tree.releaseLater(function)
    function.didRemove?()
  }

  /// Runs the interceptors on an action, from a position on, and leaves the position behind the one that has stopped it.
  func judge(
    _ action: inout Action,
    from position: inout StepPosition,
    at node: Node,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Judgment {
    for function in functions where function.number >= position.added && function.number < position.end {
      guard let judge = function.judge else { continue }
      position.added = function.number + 1
      let judgment = judge(&action, node, dispatch)
      guard case .passed = judgment else { return judgment }
    }
    return .passed
  }

  /// Performs the effects of an action.
  func performEffects(
    of action: Action,
    at node: Node,
    trackedBy tracker: EffectTracker?,
    _ onEffectError: EffectErrorHandler<Action>?
  ) {
    for function in functions { function.performEffects?(action, node, tracker, onEffectError) }
  }

  deinit {
    tree.addedCount.subtract(functions.count)
  }
}

/// An interceptor or effects that were added to a node. Used on the tree's queue only.
@usableFromInline
package final class AddedFunction<Action: Sendable>: @unchecked Sendable {
  // Sendable because what varies is touched on the tree's queue only.

  package typealias Judge = (_ action: inout Action, Node, _ dispatch: @escaping @Sendable (Action) -> Void) -> Judgment

  /// Performs the effects of an action.
  package typealias PerformEffects = (Action, Node, EffectTracker?, EffectErrorHandler<Action>?) -> Void

  /// Judges an action; nil for effects.
  let judge: Judge?

  /// Nil for an interceptor.
  let performEffects: PerformEffects?

  /// Called when the function was removed.
  let didRemove: (() -> Void)?

  /// The place in the order of adding.
  fileprivate(set) var number: UInt64 = 0

  package init(
    judge: Judge? = nil,
    performEffects: PerformEffects? = nil,
    didRemove: (() -> Void)? = nil
  ) {
    self.judge = judge
    self.performEffects = performEffects
    self.didRemove = didRemove
  }
}

extension Tree {
  /// `true` if anything is added to any node.
  @inlinable @inline(__always)
  var hasAddedFunctions: Bool { addedCount.loadRelaxed() != 0 }
}
