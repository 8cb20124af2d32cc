import Arbor

extension ActionTrace {
  /// Makes the trace of an action with an outcome.
  init(_ outcome: ActionOutcome, _ times: ActionTimes?) {
    self.init(accepted: times.map { TreeTime($0.accepted) } ?? .none)
    switch outcome {
    case .reduced: break
    case .replaced(let other): note(other)
    case .dropped: noStepReason = .dropped
    case .held: noStepReason = .saved
    case .revoked: noStepReason = .revoked
    case .failed: noStepReason = .failed
    }
    guard let times else { return }
    begun = accepted.after(times.waited)
    intercepted = begun.after(times.intercepted)
    reduced = intercepted.after(times.reduced)
    notifying = reduced
    delivered = notifying.after(times.delivered)
  }
}

extension TreeTime {
  fileprivate func after(_ duration: Duration) -> TreeTime {
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(TreeTime(duration).nanoseconds)
    return TreeTime(nanoseconds: isTooLate ? .max : sum)
  }
}
