/// The node above a child, as far as the child needs it and seen through the scopes between them.
///
/// It serves one child: an action that has passed the interceptors above waits in it for the reducers.
@usableFromInline
struct Ancestors<Action: Sendable>: Sendable {
  /// `true` if an action, as the child has passed it on, goes on above.
  @usableFromInline
  typealias Pass = @Sendable (_ action: Action) -> Bool

  /// The tree's mailbox; nil if there is no tree.
  @usableFromInline let tree: Tree?

  /// Makes what the actions pass that are dispatched to one node below; called with the `dispatch` of that. Nil if there
  /// are no interceptors.
  @usableFromInline let intercept: (@Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Pass)?

  /// The reducers of that node and of each ancestor, the root's last; say whether that is a step.
  @usableFromInline let reduce: @Sendable (Action) -> Bool

  /// Says whether an action may turn out to be no step; nil if none does.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Lets go of an action that has passed the interceptors above and is not reduced after all; nil if none waits there.
  @usableFromInline let discard: (@Sendable () -> Void)?

  /// Performs what the action sets off above; nil if nothing is declared there.
  @usableFromInline let effects: (@Sendable (Action, EffectGroup?) -> Void)?

  /// Takes the errors of effects.
  @usableFromInline let report: @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void

  @usableFromInline
  init(
    on tree: Tree?,
    intercept: (@Sendable (@escaping @Sendable (Action) -> Void) -> Pass)?,
    reduce: @escaping @Sendable (Action) -> Bool,
    canFail: (@Sendable (Action) -> Bool)?,
    discard: (@Sendable () -> Void)?,
    effects: (@Sendable (Action, EffectGroup?) -> Void)?,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void
  ) {
    self.tree = tree
    self.intercept = intercept
    self.reduce = reduce
    self.canFail = canFail
    self.discard = discard
    self.effects = effects
    self.report = report
  }

  /// Makes what stands in the place of a node above a store that was made by hand: its actions end in a closure.
  init(ending reduce: @escaping @Sendable (Action) -> Bool) {
    self.init(
      on: nil,
      intercept: nil,
      reduce: reduce,
      canFail: nil,
      discard: nil,
      effects: nil,
      report: { _, _, _ in }
    )
  }

  /// Makes what a child of a node needs.
  @inlinable
  init<State>(of node: StateNode<State, Action>) {
    guard let interceptors = node.interceptors else {
      self.init(
        on: node.tree,
        intercept: nil,
        reduce: node.reduce,
        canFail: node.canFail,
        discard: node.discard,
        effects: node.effects,
        report: node.report
      )
      return
    }
    let passing = HeldAction<Action>()
    self.init(
      on: node.tree,
      intercept: { dispatch in
        let pass = interceptors.makePass(dispatch)
        return { action in
          var action = action
          guard pass(&action) else { return false }
          passing.put(action)
          return true
        }
      },
      reduce: passing.reducing(node.reduce, hasEffects: node.effects != nil, on: node.tree),
      canFail: node.canFail,
      discard: passing.discarding(node.discard),
      effects: passing.performing(node.effects),
      report: node.report
    )
  }

  /// The same for a child whose actions are embedded in these: once, before the interceptors, also if there are none.
  ///
  /// - The interceptors above get the `dispatch` of the node where the embedding begins: the child's own takes actions
  ///   of a type that they do not know.
  @inlinable
  func embedding<ChildAction: Sendable>(
    _ embed: @escaping @Sendable (ChildAction) -> Action,
    dispatch: @escaping @Sendable (Action) -> Void
  ) -> Ancestors<ChildAction> {
    let passing = HeldAction<Action>()
    let pass = intercept?(dispatch)
    return Ancestors<ChildAction>(
      on: tree,
      intercept: { _ in
        { action in
          let embedded = embed(action)
          if let pass, !pass(embedded) { return false }
          passing.put(embedded)
          return true
        }
      },
      reduce: passing.reducing(reduce, hasEffects: effects != nil, on: tree),
      canFail: passing.asking(canFail),
      discard: passing.discarding(discard),
      effects: passing.performing(effects),
      report: { [report] key, action, error in report(key, action.map(embed), error) }
    )
  }

  /// A child's reducer followed by these. If it comes to no step, the child's own state is as it was before.
  @inlinable
  func reducing<Local>(
    _ reducer: @escaping Reducer<Local, Action>,
    _ box: StateBox<Local>,
    on tree: Tree
  ) -> @Sendable (Action) -> Bool {
    let reduce = reduce
    guard let canFail else {
      return { action in
        reducer(&box.pointer.pointee, action)
        return reduce(action)
      }
    }
    return { action in
      let before = tree.runningActionCanFail || canFail(action) ? box.pointer.pointee : nil
      reducer(&box.pointer.pointee, action)
      let isStep = reduce(action)
      if let before, !isStep || tree.writeOutcome == .failed { box.pointer.pointee = before }
      return isStep
    }
  }

  /// A child's interceptors followed by these.
  @inlinable
  func interceptors(after own: InterceptorChain<Action>?) -> InterceptorChain<Action>? {
    guard let intercept else { return own }
    return InterceptorChain { dispatch in
      let above = intercept(dispatch)
      guard let below = own?.makePass(dispatch) else { return { action in above(action) } }
      return { action in below(&action) && above(action) }
    }
  }
}

/// An action on its way from the interceptors to the reducers and effects, in the type that it has above a scope.
@usableFromInline
final class HeldAction<Action: Sendable>: @unchecked Sendable {  // Touched on the tree's queue only.
  @usableFromInline
  @exclusivity(unchecked)
  var action: Action?

  @inlinable
  init() {}

  @inlinable
  func put(_ action: Action) {
    self.action = action
  }

  /// Gives the action that was put last to reducers. It is let go of by the last one to use it.
  @inlinable
  func reducing<Below>(
    _ reduce: @escaping @Sendable (Action) -> Bool,
    hasEffects: Bool,
    on tree: Tree?
  ) -> @Sendable (Below) -> Bool {
    guard hasEffects else { return { _ in reduce(self.take()) } }
    return { _ in
      let isStep = reduce(self.action.unsafelyUnwrapped)
      // Effects are not asked then.
      if !isStep || tree?.writeOutcome == .failed { self.action = nil }
      return isStep
    }
  }

  /// Asks of the action that was put last whether it may fail.
  @inlinable
  func asking<Below>(_ canFail: (@Sendable (Action) -> Bool)?) -> (@Sendable (Below) -> Bool)? {
    guard let canFail else { return nil }
    // None was put before the interceptors have run.
    return { _ in self.action.map(canFail) ?? false }
  }

  /// Gives the action that was put last to effects.
  @inlinable
  func performing<Below>(
    _ effects: (@Sendable (Action, EffectGroup?) -> Void)?
  ) -> (@Sendable (Below, EffectGroup?) -> Void)? {
    guard let effects else { return nil }
    return { _, group in effects(self.take(), group) }
  }

  /// Lets go of an action that was put and is not reduced after all, here and above.
  @inlinable
  func discarding(_ discard: (@Sendable () -> Void)?) -> @Sendable () -> Void {
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

/// The interceptors of a node and of each ancestor.
@usableFromInline
struct InterceptorChain<Action: Sendable>: Sendable {
  /// `true` if an action, or what takes its place, goes on to the reducers.
  @usableFromInline
  typealias Pass = @Sendable (_ action: inout Action) -> Bool

  /// Makes what actions pass that are dispatched to one node; called with the `dispatch` of that.
  @usableFromInline let makePass: @Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Pass

  @usableFromInline
  init(_ makePass: @escaping @Sendable (@escaping @Sendable (Action) -> Void) -> Pass) {
    self.makePass = makePass
  }
}
