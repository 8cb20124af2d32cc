/// What is known of an action that was replaced, or whose states are wanted.
@usableFromInline
final class ActionDetails {
  @usableFromInline var replacement: (any Sendable)?
  @usableFromInline var states: [StateTransition] = []

  @usableFromInline
  init() {}
}
