/// The interceptors and effects that were added to a node, in the order they were added. Only used on the tree's queue,
/// and released with the node.
///
/// - A node has none until the first is added. While a tree has none at all, an action only costs a check of their
///   number, ``Tree/hasAddedFunctions``.
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

  /// Removes an added function.
  package func remove(_ function: AddedFunction<Action>) {
    guard let index = functions.firstIndex(where: { $0 === function }) else { return }
    functions.remove(at: index)
    tree.addedCount.subtract(1)
    Tree.releaseLater(function)
    function.didRemove?()
  }

  /// Runs the interceptors on an action, starting at a position. If one stops the action, the position then is the one
  /// after it.
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

/// An interceptor or effects that were added to a node. Only used on the tree's queue.
@usableFromInline
package final class AddedFunction<Action: Sendable>: @unchecked Sendable {
  // Sendable because its variables are only used on the tree's queue.

  package typealias Judge = (_ action: inout Action, Node, _ dispatch: @escaping @Sendable (Action) -> Void) -> Judgment

  /// Performs the effects of an action.
  package typealias PerformEffects = (Action, Node, EffectTracker?, EffectErrorHandler<Action>?) -> Void

  /// Judges an action; nil for effects.
  let judge: Judge?

  /// Nil for an interceptor.
  let performEffects: PerformEffects?

  /// Called after the function was removed.
  let didRemove: (() -> Void)?

  /// The function's position in the order in which functions were added.
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
