internal import Arbor

/// A call of a job's method.
private struct JobCall {
  let text: String
  let perform: (inout EffectState) -> Void
}

extension EffectState: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard self != EffectState() else { return .plain("EffectState()") }
    let calls = try callsFromTheBeginning(at: place)
    var job = EffectState()
    for call in calls { call.perform(&job) }
    guard job == self else { throw place.error("no calls put a job into this status; begin the recording elsewhere") }
    let texts = ["var job = EffectState()"] + calls.map { "job.\($0.text)" } + ["return job"]
    return .plain("{ \(texts.joined(separator: "; ")) }()")
  }

  /// The calls that put a new job into this status, if any do.
  private func callsFromTheBeginning(at place: LiteralPlace) throws(SwiftSourceError) -> [JobCall] {
    let last = min(max(attempt ?? 1, 1), 64)
    let begun = attemptsBegun - (last - 1)
    guard 0...64 ~= begun else { throw place.error("its attempts are too many to be begun again") }
    var calls: [JobCall] = []
    if begun > 0 {
      let restart = JobCall(text: "restart\(try arguments(at: place))") { [maxAttempts, backoff, firstDelay] job in
        job.restart(maxAttempts: maxAttempts, backoff: backoff, delay: firstDelay ?? .zero)
      }
      calls += Array(repeating: restart, count: begun)
    }
    calls += Array(repeating: JobCall(text: "retryOrFail(\"\")") { $0.retryOrFail("") }, count: last - 1)
    switch status {
    case .idle: if begun > 0 { calls.append(JobCall(text: "reset()") { $0.reset() }) }
    case .inProgress: break
    case .succeeded: calls.append(JobCall(text: "succeed()") { $0.succeed() })
    case .failed(let reason): calls.append(failing(for: reason))
    case .cancelled: calls.append(JobCall(text: "cancel()") { $0.cancel() })
    }
    return calls
  }

  private func failing(for reason: String) -> JobCall {
    JobCall(text: "fail(\(StringLiteral.line(reason)))") { $0.fail(reason) }
  }

  /// The arguments that give a run its attempts and delays.
  private func arguments(at place: LiteralPlace) throws(SwiftSourceError) -> String {
    var arguments: [String] = []
    if maxAttempts != 1 { arguments.append("maxAttempts: \(maxAttempts)") }
    if backoff != .none { arguments.append("backoff: \(try backoff.text(at: place.member("backoff")).flat)") }
    if let firstDelay { arguments.append("delay: \(try firstDelay.text(at: place.member("delay")).flat)") }
    return "(\(arguments.joined(separator: ", ")))"
  }
}

extension EffectState: PartwiseWritten {
  /// Adds the verbs of a reducer: one, or two in one step.
  func add(
    to assignments: inout StateAssignments,
    from before: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard let before = before as? Self else { return false }
    guard before != self else { return true }
    let calls = try verbs(at: place)
    for first in calls {
      var job = before
      first.perform(&job)
      guard job == self else { continue }
      assignments.call("\(target).\(first.text)")
      return true
    }
    for first in calls {
      for second in calls {
        var job = before
        first.perform(&job)
        second.perform(&job)
        guard job == self else { continue }
        assignments.call("\(target).\(first.text)")
        assignments.call("\(target).\(second.text)")
        return true
      }
    }
    return false
  }

  /// The calls that may have put the job into this status.
  private func verbs(at place: LiteralPlace) throws(SwiftSourceError) -> [JobCall] {
    let arguments = try arguments(at: place)
    let (count, backoff, delay) = (maxAttempts, backoff, firstDelay ?? .zero)
    var calls = [
      JobCall(text: "succeed()") { $0.succeed() },
      JobCall(text: "cancel()") { $0.cancel() },
      JobCall(text: "reset()") { $0.reset() },
      JobCall(text: "run\(arguments)") { $0.run(maxAttempts: count, backoff: backoff, delay: delay) },
    ]
    if let reason {
      calls.append(JobCall(text: "retryOrFail(\(StringLiteral.line(reason)))") { $0.retryOrFail(reason) })
      calls.append(failing(for: reason))
    } else {
      calls.append(JobCall(text: "retryOrFail(\"\")") { $0.retryOrFail("") })
    }
    calls.append(JobCall(text: "restart()") { $0.restart() })
    if delay > .zero {
      let text = try delay.text(at: place.member("delay")).flat
      calls.append(JobCall(text: "restart(delay: \(text))") { $0.restart(delay: delay) })
    }
    calls.append(
      JobCall(text: "restart\(try allArguments(at: place))") {
        $0.restart(maxAttempts: count, backoff: backoff, delay: delay)
      }
    )
    return calls
  }

  /// The arguments of a restart that keeps neither the attempts nor the delays of the run before.
  private func allArguments(at place: LiteralPlace) throws(SwiftSourceError) -> String {
    let backoff = try backoff.text(at: place.member("backoff")).flat
    guard let firstDelay else { return "(maxAttempts: \(maxAttempts), backoff: \(backoff))" }
    let delay = try firstDelay.text(at: place.member("delay")).flat
    return "(maxAttempts: \(maxAttempts), backoff: \(backoff), delay: \(delay))"
  }
}

extension EffectBackoff: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    func text(_ duration: Duration) throws(SwiftSourceError) -> String {
      try duration.text(at: place.member("delay").with(isTypeKnown: true)).flat
    }
    // `.none` of an optional would be nil.
    var source = place.isTypeKnown && place.optionals == 0 ? "" : "EffectBackoff"
    if step > .zero {
      guard factor == 1 else { throw place.error("no call makes a backoff that is added to and multiplied") }
      source += ".linear(initial: \(try text(initial)), step: \(try text(step)))"
    } else if factor != 1 {
      source += ".exponential(initial: \(try text(initial))\(factor == 2 ? "" : ", factor: \(factor)"))"
    } else {
      source += initial == .zero ? ".none" : ".constant(\(try text(initial)))"
    }
    if maximum < EffectBackoff.longest { source += ".capped(at: \(try text(maximum)))" }
    if jitter != 0 || seed != 0 { source += ".jittered(by: \(jitter), seed: \(DigitGroups.of("\(seed)")))" }
    return .plain(source)
  }
}

extension Stamped: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let isKnown = place.isTypeKnown && DeclaredType.isThat(of: wrappedValue)
    let name = place.isTypeKnown ? "Stamped" : try SwiftLiteral.name(of: Self.self, at: place)
    let value = try SwiftLiteral.text(of: wrappedValue, at: place.member("wrappedValue").with(isTypeKnown: isKnown))
    return .list(opening: name + "(", [SourceText.Item(label: "wrappedValue: ", text: value)], closing: ")")
  }
}

extension Stamped: PartwiseWritten {
  /// Adds what changes the value: a test store compares that, and not the stamp.
  func add(
    to assignments: inout StateAssignments,
    from before: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard let before = before as? Self else { return false }
    let place = place.member("wrappedValue").with(isTypeKnown: DeclaredType.isThat(of: wrappedValue))
    try assignments.addProperty(
      from: before.wrappedValue, to: wrappedValue, target: "\(target).wrappedValue", at: place)
    return true
  }
}

extension HeldAction: SwiftWritten {
  /// Only the store of the test has the token that is held there.
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard place.hasStore else {
      throw place.error("only the store that holds an action has its token; send what the test's own state has")
    }
    return .plain("store.\(place.path)")
  }
}
