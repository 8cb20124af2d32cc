/// The interceptors and effects that were added to a node, in the order of adding. On the tree's queue only.
///
/// - A node has none until the first is added. While a tree has none at all, an action costs one look at their number,
///   ``Tree/hasAdditions``, and one more for each node above its own.
@usableFromInline
final class Additions<Action: Sendable>: Attachment, @unchecked Sendable {
  // Sendable because it is used on the tree's queue only, and released with its node.

  /// The node's action of the running step: what has come up from a child, as this node and those below have passed it
  /// on, or what was dispatched to the node itself. Nil as long as it is the same as below, and between two steps.
  var action: Action?

  private let tree: Tree

  /// The handler of the errors of added effects.
  private let onEffectError: EffectErrorHandler<Action>

  private var functions: [AddedFunction<Action>] = []
  private var lastNumber = 0

  init(on tree: Tree, onEffectError: @escaping EffectErrorHandler<Action>) {
    self.tree = tree
    self.onEffectError = onEffectError
  }

  func add(_ function: AddedFunction<Action>) {
    lastNumber += 1
    function.number = lastNumber
    functions.append(function)
    tree.additionCount.add(1)
  }

  /// Removes one that was added, and cancels its effects.
  func remove(_ function: AddedFunction<Action>) {
    guard let index = functions.firstIndex(where: { $0 === function }) else { return }
    functions.remove(at: index)
    tree.additionCount.subtract(1)
    Tree.releaseLater(function)
    function.cancelEffects()
  }

  /// Runs the interceptors on an action. Returns `false` if one drops it.
  ///
  /// - Parameter numbers: The numbers of the interceptors that are still to be asked; nil for all. An interceptor that
  ///   is added while an action is held does not judge it: the action was accepted before.
  func intercept(
    _ action: inout Action,
    at node: Node,
    numbered numbers: Range<Int>? = nil,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    let numbers = numbers ?? 0..<lastNumber + 1
    for function in functions where numbers.contains(function.number) {
      guard function.intercept?(&action, node, dispatch) == false else { continue }
      // Unretained: the node keeps what is left of a held action's way.
      let node = Unmanaged.passUnretained(node)
      Tree.continueHeld(Action.self) { [self, rest = function.number + 1..<numbers.upperBound] action in
        node._withUnsafeGuaranteedRef { intercept(&action, at: $0, numbered: rest, dispatch) }
      }
      return false
    }
    return true
  }

  /// Notes the action that the interceptors of a node have passed on, of an action from below.
  func pass(_ action: Action, at node: Node) {
    self.action = action
    // It may be another one, about which the nodes below could not ask. A node with this type of additions has this type
    // of actions.
    if unsafeDowncast(node, to: ActionNode<Action>.self).canFail?(action) == true { tree.runningActionCanFail = true }
  }

  /// Performs the effects of the node's action.
  func performEffects(at node: Node, in group: EffectGroup?) {
    guard let action else { return }
    for function in functions { function.performEffect(of: action, at: node, in: group, onEffectError) }
  }

  deinit {
    tree.additionCount.subtract(functions.count)
  }
}

/// An interceptor or effects that were added to a node. Used on the tree's queue only.
@usableFromInline
final class AddedFunction<Action: Sendable>: @unchecked Sendable {
  // Sendable because what varies is touched on the tree's queue only.

  typealias Intercept = (_ action: inout Action, Node, _ dispatch: @escaping @Sendable (Action) -> Void) -> Bool

  /// Returns the function that performs the effect of an action; nil if there is nothing to perform.
  typealias MakeEffect = (Action, Node) -> ((EffectGroup, @escaping EffectErrorHandler<Action>) -> Void)?

  /// Judges an action; nil for effects.
  let intercept: Intercept?

  /// Nil for an interceptor.
  private let makeEffect: MakeEffect?

  /// The place in the order of adding.
  fileprivate(set) var number = 0

  private var groups = ActiveGroups<Void>()

  /// The number of groups at which those that are silent are removed.
  private var groupLimit = 8

  init(intercept: Intercept? = nil, effect makeEffect: MakeEffect? = nil) {
    self.intercept = intercept
    self.makeEffect = makeEffect
  }

  func performEffect(
    of action: Action,
    at node: Node,
    in outer: EffectGroup?,
    _ onEffectError: @escaping EffectErrorHandler<Action>
  ) {
    guard let perform = makeEffect?(action, node) else { return }
    var group = EffectGroup()
    group.perform(within: outer) { perform(group, onEffectError) }
    groups.add(&group, ())
    guard groups.members.count > groupLimit else { return }
    groups.removeSilent()
    groupLimit = max(8, 2 * groups.members.count)
  }

  /// Cancels the tasks of the effects, and revokes the actions that they have sent.
  func cancelEffects() {
    for member in groups.members { member.group?.cancel() }
  }
}

extension Tree {
  /// `true` if anything is added to any node.
  @inlinable @inline(__always)
  var hasAdditions: Bool { additionCount.loadRelaxed() != 0 }
}

extension NodeAddress {
  /// Runs the interceptors that were added to the node, behind those that it declares.
  ///
  /// - Parameter isTopmost: `true` if the ancestors declare none: then those that were added to them follow.
  /// - Returns: `true` if the action goes on.
  @inlinable @inline(__always)
  func passesAdditions<Action: Sendable>(
    _ action: inout Action,
    isTopmost: Bool,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    !tree.hasAdditions || intercept(&action, isTopmost, dispatch)
  }

  @usableFromInline
  func intercept<Action: Sendable>(
    _ action: inout Action,
    _ isTopmost: Bool,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    // The node outlives every step of its actions.
    unownedTarget._withUnsafeGuaranteedRef { node in
      unsafeDowncast(node, to: Node.self).passesAdditions(&action, isTopmost: isTopmost, dispatch)
    }
  }
}

extension Node {
  /// Runs the interceptors that were added to this node on an action, and, if this is the topmost node that declares
  /// any, those that were added to its ancestors. Returns `false` if one drops it.
  @usableFromInline
  final func passesAdditions<Action: Sendable>(
    _ action: inout Action,
    isTopmost: Bool,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    let additions = attachments.existing(Additions<Action>.self)?._withUnsafeGuaranteedRef { $0 }
    let parent = isTopmost ? parent : nil
    guard additions?.intercept(&action, at: self, dispatch) != false else {
      if let parent {
        Tree.continueHeld(Action.self) { action in parent.passesAdditions(fromBelow: action, dispatch) }
      }
      return false
    }
    return parent?.passesAdditions(fromBelow: action, dispatch) ?? true
  }

  /// Runs the interceptors that were added to this node, and to its ancestors, on an action that a node below has passed
  /// on. Returns `false` if one drops it.
  @usableFromInline
  final func passesAdditions<Action: Sendable>(
    fromBelow action: Action,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    var node = self
    while node.attachments.existing(Additions<Action>.self) == nil {
      guard let parent = node.parent else { return true }
      node = parent
    }
    let additions = node.attachments.existing(Additions<Action>.self)!._withUnsafeGuaranteedRef { $0 }
    var passed = action
    guard node.passesAdditions(&passed, isTopmost: true, dispatch) else {
      // The action that the node below has passed on stays that node's; from here on, the held action goes on.
      Tree.continueHeld(passed, from: Action.self) { [node] in additions.pass($0, at: node) }
      return false
    }
    additions.pass(passed, at: node)
    return true
  }

  /// Performs the effects that were added to this node and to its ancestors, in this order.
  @usableFromInline
  final func performAllAdditions(in group: EffectGroup?) {
    tree.enter(.effects)
    tree.isPerformingEffects = true
    var node: Node? = self
    while let current = node {
      current.performAdditions(in: group)
      node = current.parent
    }
    tree.isPerformingEffects = false
  }

  /// Lets go of the running action, here and in the ancestors.
  @usableFromInline
  final func endAllAdditions() {
    var node: Node? = self
    while let current = node {
      current.endAdditions()
      node = current.parent
    }
  }
}
