/// An action on its way from the interceptors to the reducers and effects, in the type that it has above a scope.
@usableFromInline
final class PassingAction<Action: Sendable>: @unchecked Sendable {  // Touched on the tree's queue only.
  @usableFromInline
  @exclusivity(unchecked)
  var action: Action?

  @inlinable
  init() {}

  @inlinable
  func put(_ action: Action) {
    self.action = action
  }

  /// What gives the action that was put last to reducers. It is let go of by whoever is the last to use it.
  @inlinable
  func reducing<Below>(
    _ reduce: @escaping @Sendable (Action) -> Bool,
    effects: (@Sendable (Action) -> Void)?
  ) -> @Sendable (Below) -> Bool {
    guard effects == nil else { return { _ in reduce(self.action.unsafelyUnwrapped) } }
    return { _ in reduce(self.take()) }
  }

  /// What gives the action that was put last to effects.
  @inlinable
  func performing<Below>(_ effects: (@Sendable (Action) -> Void)?) -> (@Sendable (Below) -> Void)? {
    guard let effects else { return nil }
    return { _ in effects(self.take()) }
  }

  @inlinable
  func take() -> Action {
    action.take().unsafelyUnwrapped
  }
}
