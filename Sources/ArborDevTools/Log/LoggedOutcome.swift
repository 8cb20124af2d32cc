internal import Arbor

/// The outcome of an action, without the action that came in its place.
public enum LoggedOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  /// It was reduced as it was dispatched.
  case reduced

  /// Another one was reduced in its place.
  case replaced

  /// An interceptor has dropped it.
  case dropped

  /// An interceptor has held it. If it went on later, there is a record of that, too.
  case held

  /// The task that has sent it was cancelled.
  case revoked

  /// It was a commit that has thrown, or for whose part there was no state.
  case failed

  init(_ outcome: ActionOutcome) {
    switch outcome {
    case .reduced: self = .reduced
    case .replaced: self = .replaced
    case .dropped: self = .dropped
    case .held: self = .held
    case .revoked: self = .revoked
    case .failed: self = .failed
    }
  }
}
