/// The effects and interceptors that were added to a node, in the order of adding. On the tree's queue only.
@usableFromInline
final class AddedFunctions<Action: Sendable>: @unchecked Sendable {
  // Sendable because what varies is touched on the tree's queue only.

  /// One that was added.
  final class Function: @unchecked Sendable {  // As the functions.
    /// Judges an action, as ``FeatureFunctions/Intercept`` does; nil for effects.
    let intercept: ((_ action: inout Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Bool)?

    /// Returns the effect of an action; nil for an interceptor.
    let effect: ((Action) -> Effect<Action>)?

    /// The effects that are under way.
    var groups: [EffectGroup] = []

    init(
      intercept: ((inout Action, @escaping @Sendable (Action) -> Void) -> Bool)? = nil,
      effect: ((Action) -> Effect<Action>)? = nil
    ) {
      self.intercept = intercept
      self.effect = effect
    }
  }

  private let target: EffectTarget<Action>
  private var functions: [Function] = []

  @usableFromInline
  init(performingFor target: EffectTarget<Action>) {
    self.target = target
  }

  func add(_ function: Function) {
    functions.append(function)
  }

  /// Removes one that was added, and cancels its effects.
  func remove(_ function: Function) {
    guard let index = functions.firstIndex(where: { $0 === function }) else { return }
    functions.remove(at: index)
    Tree.releaseLater(function)
    for group in function.groups { group.cancel() }
  }

  /// Runs the interceptors on an action. Returns `false` if one drops it.
  @usableFromInline
  func intercept(_ action: inout Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Bool {
    AddedFunctions.intercept(&action, functions[...], dispatch)
  }

  private static func intercept(
    _ action: inout Action,
    _ functions: ArraySlice<Function>,
    _ dispatch: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    var rest = functions
    while let function = rest.popFirst() {
      guard function.intercept?(&action, dispatch) == false else { continue }
      Tree.continueHeld(Action.self) { [rest] action in intercept(&action, rest, dispatch) }
      return false
    }
    return true
  }

  /// Performs the effects of an action that was reduced.
  @usableFromInline
  func perform(after action: Action, in group: EffectGroup?) {
    for function in functions {
      guard let effect = function.effect?(action), !effect.isNone else { continue }
      effect.releaseLater()
      let own = EffectGroup()
      own.perform(within: group) { target.sink.perform(effect, in: own, causedBy: action, target.onEffectError) }
      function.groups.removeAll { !$0.isRunning }
      if own.isRunning { function.groups.append(own) }
    }
  }
}

/// The place at a node's host where its added functions are found. It keeps them no longer than the node lives.
@usableFromInline
final class AddedFunctionsPlace<Action: Sendable>: Attachment, @unchecked Sendable {
  // Sendable because the reference is set before the node is shared.

  weak var functions: AddedFunctions<Action>?
}
