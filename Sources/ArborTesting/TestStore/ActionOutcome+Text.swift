internal import Arbor

extension ActionOutcome {
  /// The outcome of an action, to be read behind it; empty if it simply came to the reducers.
  var text: String {
    switch self {
    case .reduced: ""
    case .replaced(let other): ", replaced by \(ActionText.of(other))"
    case .dropped: ", dropped"
    case .held: ", held by an interceptor"
    case .revoked: ", revoked"
    case .failed: ", failed"
    }
  }
}
