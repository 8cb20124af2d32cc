/// What the scopes of the stress test embed in its actions.
struct ScopedStressAction: Sendable {
  let action: StressAction
}
