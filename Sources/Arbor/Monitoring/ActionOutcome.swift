/// How an action came out.
public enum ActionOutcome: Sendable {
  /// It was reduced as it was dispatched.
  case reduced

  /// An interceptor has put another action in its place, which was reduced there and above. Of several, the last one.
  case replaced(by: any Sendable)

  /// An interceptor has dropped it: there was no step.
  case dropped

  /// The task that has sent it was cancelled: there was no step.
  case revoked

  /// It was a commit that has thrown, or for whose part there was no state: there was no step.
  case failed
}
