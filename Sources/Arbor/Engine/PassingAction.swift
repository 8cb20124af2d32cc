/// An action on its way from the interceptors to the reducers, in the type that it has above a scope.
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

  /// Hands over what was put last. Each action passes the interceptors and then, at once, the reducers.
  @inlinable
  func take() -> Action {
    action.take().unsafelyUnwrapped
  }
}
