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

  /// Gives the action that was put last to reducers. It is let go of by the last one to use it.
  @inlinable
  func reducing<Below>(
    _ reduce: @escaping @Sendable (Action) -> Bool,
    effects: (@Sendable (Action) -> Void)?,
    on mailbox: Mailbox?
  ) -> @Sendable (Below) -> Bool {
    guard effects != nil else { return { _ in reduce(self.take()) } }
    return { _ in
      let isStep = reduce(self.action.unsafelyUnwrapped)
      // Effects are not asked then.
      if !isStep || mailbox?.changeOutcome == .failed { self.action = nil }
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
  func performing<Below>(_ effects: (@Sendable (Action) -> Void)?) -> (@Sendable (Below) -> Void)? {
    guard let effects else { return nil }
    return { _ in effects(self.take()) }
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
