/// The interceptors, reducers and effects of a child's ancestors, through which each action of the child passes.
///
/// - They take actions of the child's type: the scopes between the child and its parent are already applied.
/// - Each value serves one child: between the interceptors and the reducers it may hold the child's running action.
@usableFromInline
struct Ancestors<Action: Sendable>: Sendable {
  /// Runs the ancestors' interceptors on an action that the child has passed on; returns `false` if one drops it.
  @usableFromInline
  typealias PassUp = @Sendable (_ action: Action) -> Bool

  /// The node of the child's parent; nil for a closure-backed store.
  @usableFromInline let node: Node?

  /// The same node, if the action that the child has passed on is the one for its reducers: none is held in between.
  @usableFromInline let parent: ActionNode<Action>?

  /// Makes the pass for the actions that are dispatched to one node below; called with the `dispatch` of that node.
  ///
  /// - Nil if there is nothing to be done before the reducers: no declared interceptors, and no scope that embeds the
  ///   actions. Interceptors may then still be added to the ancestors.
  @usableFromInline let intercept: (@Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> PassUp)?

  /// Runs the reducers of the parent and of each further ancestor, the root's last. Returns `true` if that is a step.
  @usableFromInline let reduce: @Sendable (Action) -> Bool

  /// Returns `true` if an action may turn out to be no step; nil if no action may.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Releases an action that has passed the interceptors and is not reduced after all; nil if no action is held.
  @usableFromInline let discard: (@Sendable () -> Void)?

  /// Performs the ancestors' effects of an action; nil if the ancestors declare none.
  @usableFromInline let effects: (@Sendable (Action, EffectGroup?) -> Void)?

  /// Receives each error of an effect's task: the task's key, the action that started it, and the error.
  @usableFromInline let onEffectError: EffectErrorHandler<Action>

  @usableFromInline
  init(
    of node: Node?,
    parent: ActionNode<Action>? = nil,
    intercept: (@Sendable (@escaping @Sendable (Action) -> Void) -> PassUp)?,
    reduce: @escaping @Sendable (Action) -> Bool,
    canFail: (@Sendable (Action) -> Bool)?,
    discard: (@Sendable () -> Void)?,
    effects: (@Sendable (Action, EffectGroup?) -> Void)?,
    onEffectError: @escaping EffectErrorHandler<Action>
  ) {
    self.node = node
    self.parent = parent
    self.intercept = intercept
    self.reduce = reduce
    self.canFail = canFail
    self.discard = discard
    self.effects = effects
    self.onEffectError = onEffectError
  }

  /// Makes the ancestors of a closure-backed store, whose actions end in a closure.
  init(ending reduce: @escaping @Sendable (Action) -> Bool) {
    self.init(
      of: nil,
      intercept: nil,
      reduce: reduce,
      canFail: nil,
      discard: nil,
      effects: nil,
      onEffectError: { _, _, _, _ in }
    )
  }

  /// Makes the ancestors of a child of a node.
  @inlinable
  init(of node: ActionNode<Action>) {
    guard let interceptors = node.interceptors else {
      var effects: (@Sendable (Action, EffectGroup?) -> Void)?
      if node.effects != nil { effects = { action, group in node.performEffects(fromBelow: action, group) } }
      self.init(
        of: node,
        parent: node,
        intercept: nil,
        reduce: { action in node.reduce(fromBelow: action) },
        canFail: node.canFail,
        discard: node.discard,
        effects: effects,
        onEffectError: node.onEffectError
      )
      return
    }
    let held = RunningAction<Action>()
    self.init(
      of: node,
      intercept: { dispatch in
        let pass = interceptors.makePass(dispatch)
        return { action in
          var passed = action
          guard pass(&passed) else {
            // The action that the child has passed on stays the child's; above, the held action goes on.
            Tree.continueHeld(passed, from: Action.self) { held.put($0) }
            return false
          }
          held.put(passed)
          return true
        }
      },
      reduce: held.makeReduce({ action in node.reduce(fromBelow: action) }, hasEffects: node.effects != nil),
      canFail: held.makeCanFailUnembedded(node.canFail),
      discard: held.makeDiscard(node.discard),
      effects: held.makeEffects(node.effects),
      onEffectError: node.onEffectError
    )
  }

  /// The same ancestors for a child whose actions are embedded in actions of this type.
  ///
  /// - Each action is embedded once, before the interceptors, also if there are none.
  /// - The ancestors' interceptors get the `dispatch` of the store where the embedding begins: the child's own
  ///   `dispatch` takes actions of a type that the interceptors do not know.
  @inlinable
  func embedded<ChildAction: Sendable>(
    by embed: @escaping @Sendable (ChildAction) -> Action,
    dispatch: @escaping @Sendable (Action) -> Void
  ) -> Ancestors<ChildAction> {
    let held = RunningAction<Action>()
    let pass = intercept?(dispatch)
    return Ancestors<ChildAction>(
      of: node,
      intercept: { [node, canFail] _ in
        { action in
          let embedded = embed(action)
          // Known only now: the child could not ask before its action was embedded.
          if canFail?(embedded) == true { node?.tree.runningActionCanFail = true }
          guard pass?(embedded) ?? Ancestors.passesAdditions(embedded, to: node, dispatch) else {
            Tree.continueHeld(embedded, from: ChildAction.self) { embedded in
              if canFail?(embedded) == true { node?.tree.runningActionCanFail = true }
              held.put(embedded)
            }
            return false
          }
          held.put(embedded)
          return true
        }
      },
      reduce: held.makeReduce(reduce, hasEffects: effects != nil),
      canFail: held.makeCanFail(canFail),
      discard: held.makeDiscard(discard),
      effects: held.makeEffects(effects),
      onEffectError: { [onEffectError] key, action, error, sender in
        onEffectError(key, action.map(embed), error, sender)
      }
    )
  }

  /// Makes the function that runs a child's own reducer and then the ancestors' reducers.
  ///
  /// - If the action turns out to be no step, the function restores the child's own state.
  @inlinable
  func makeReduce<Local>(
    _ reducer: Reducer<Local, Action>?,
    _ box: StateBox<Local>,
    on tree: Tree
  ) -> @Sendable (Action) -> Bool {
    let reduce = reduce
    guard let reducer else { return reduce }
    guard let canFail else {
      guard let parent else {
        return { action in
          reducer(&box.pointer.pointee, action)
          return reduce(action)
        }
      }
      // Called directly: nearly all children are such.
      return { action in
        reducer(&box.pointer.pointee, action)
        return parent.reduce(fromBelow: action)
      }
    }
    return { action in
      box.undoingFailure(if: tree.runningActionCanFail || canFail(action), on: tree) {
        reducer(&box.pointer.pointee, action)
        return reduce(action)
      }
    }
  }

  /// Runs the interceptors that were added to the ancestors, which declare none.
  @inlinable @inline(__always)
  static func passesAdditions(
    _ action: Action,
    to node: Node?,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    guard let node, node.tree.hasAdditions else { return true }
    return node.passesAdditions(fromBelow: action, dispatch)
  }

  /// The interceptors of a child, followed by the ancestors' pass; nil if there is nothing to run.
  ///
  /// - Parameter own: The interceptors that the child declares, followed by those that are added to it.
  @inlinable
  func interceptors(after own: InterceptorChain<Action>?, at child: NodeAddress) -> InterceptorChain<Action>? {
    guard let intercept else { return own }
    return InterceptorChain { dispatch in
      let above = intercept(dispatch)
      guard let below = own?.makePass(dispatch) else {
        return { action in
          guard child.passesAdditions(&action, isTopmost: false, dispatch) else {
            Tree.continueHeld(Action.self) { action in above(action) }
            return false
          }
          return above(action)
        }
      }
      return { action in
        guard below(&action) else {
          Tree.continueHeld(Action.self) { action in above(action) }
          return false
        }
        return above(action)
      }
    }
  }
}

/// The action that is running, held between the interceptors and the reducers and effects.
///
/// - It is held in the type that it has above a scope, so that it is embedded only once, and as the interceptors there
///   have left it.
@usableFromInline
final class RunningAction<Action: Sendable>: @unchecked Sendable {  // Touched on the tree's queue only.
  @usableFromInline
  @exclusivity(unchecked)
  var action: Action?

  @inlinable
  init() {}

  @inlinable
  func put(_ action: Action) {
    self.action = action
  }

  /// Makes a reduce function that calls `reduce` with the held action.
  ///
  /// - It releases the action, unless effects follow: these need the action, and release it.
  @inlinable
  func makeReduce<Below>(
    _ reduce: @escaping @Sendable (Action) -> Bool,
    hasEffects: Bool
  ) -> @Sendable (Below) -> Bool {
    guard hasEffects else { return { _ in reduce(self.take()) } }
    return { _ in reduce(self.action.unsafelyUnwrapped) }
  }

  /// Makes a function that returns `true` if the held action may turn out to be no step.
  @inlinable
  func makeCanFail<Below>(_ canFail: (@Sendable (Action) -> Bool)?) -> (@Sendable (Below) -> Bool)? {
    guard let canFail else { return nil }
    // Before the interceptors no action is held. The embedding asks then.
    return { _ in self.action.map(canFail) ?? false }
  }

  /// Makes a function that returns `true` if the held action, or before the interceptors the given one, may turn out to
  /// be no step.
  @inlinable
  func makeCanFailUnembedded(_ canFail: (@Sendable (Action) -> Bool)?) -> (@Sendable (Action) -> Bool)? {
    guard let canFail else { return nil }
    return { action in canFail(self.action ?? action) }
  }

  /// Makes a function that performs the effects of the held action, and releases it.
  @inlinable
  func makeEffects<Below>(
    _ effects: (@Sendable (Action, EffectGroup?) -> Void)?
  ) -> (@Sendable (Below, EffectGroup?) -> Void)? {
    guard let effects else { return nil }
    return { _, group in effects(self.take(), group) }
  }

  /// Makes a function that releases a held action that is not reduced after all, here and in the ancestors.
  @inlinable
  func makeDiscard(_ discard: (@Sendable () -> Void)?) -> @Sendable () -> Void {
    return {
      self.action = nil
      discard?()
    }
  }

  @inlinable
  func take() -> Action {
    action.take().unsafelyUnwrapped
  }
}
