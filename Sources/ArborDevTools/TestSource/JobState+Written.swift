internal import Arbor

extension JobState: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard self != JobState() else { return .plain("JobState()") }
    let calls = try callsFromTheBeginning(at: place)
    var job = JobState()
    for call in calls { call.perform(&job) }
    guard job == self else { throw place.error("no calls lead to this status; begin the recording at another action") }
    var assignments = StateAssignments()
    assignments.call(calls, at: place.inValue("job"))
    return .value("job", from: .plain("JobState()"), assignments.statements)
  }

  /// Returns the calls that should put a new job into this status.
  private func callsFromTheBeginning(at place: LiteralPlace) throws(SwiftSourceError) -> [WrittenCall<Self>] {
    let last = min(max(attempt ?? 1, 1), 64)
    let begun = attemptsBegun - (last - 1)
    guard 0...64 ~= begun else { throw place.error("it has too many attempts to repeat") }
    var calls: [WrittenCall<Self>] = []
    if begun > 0 {
      let restart = WrittenCall<Self>("restart", try arguments(at: place)) { [maxAttempts, backoff, firstDelay] job in
        job.restart(maxAttempts: maxAttempts, backoff: backoff, delay: firstDelay ?? .zero)
      }
      calls += Array(repeating: restart, count: begun)
    }
    calls += Array(repeating: JobState.retryOrFail(""), count: last - 1)
    switch status {
    case .idle: if begun > 0 { calls.append(WrittenCall("reset") { $0.reset() }) }
    case .inProgress: break
    case .succeeded: calls.append(WrittenCall("succeed") { $0.succeed() })
    case .failed(let reason): calls.append(JobState.fail(reason))
    case .cancelled: calls.append(WrittenCall("cancel") { $0.cancel() })
    }
    return calls
  }

  private static func fail(_ reason: String) -> WrittenCall<Self> {
    WrittenCall("fail", [SourceText.Item(text: .string(reason))]) { $0.fail(reason) }
  }

  private static func retryOrFail(_ reason: String) -> WrittenCall<Self> {
    WrittenCall("retryOrFail", [SourceText.Item(text: .string(reason))]) { $0.retryOrFail(reason) }
  }

  /// Returns the arguments that give a run its attempts and delays.
  ///
  /// - Parameter isComplete: `true` if the arguments replace the attempts and the backoff of the previous run.
  private func arguments(
    isComplete: Bool = false,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> [SourceText.Item] {
    var arguments: [SourceText.Item] = []
    if isComplete || maxAttempts != 1 {
      arguments.append(SourceText.Item(label: "maxAttempts: ", text: .plain("\(maxAttempts)")))
    }
    if isComplete || backoff != .none {
      arguments.append(SourceText.Item(label: "backoff: ", text: try backoff.text(at: place.member("backoff"))))
    }
    if let firstDelay {
      arguments.append(SourceText.Item(label: "delay: ", text: try firstDelay.text(at: place.member("delay"))))
    }
    return arguments
  }
}

extension JobState: PartwiseWritten {
  /// Returns the calls of a reducer: at most two in one step.
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    var assignments = StateAssignments()
    guard let calls = WrittenCall.fewest(try verbs(at: place), atMost: 2, making: self, of: before) else { return nil }
    assignments.call(calls, at: place)
    return assignments
  }

  /// Returns the calls that may have put the job into this status.
  private func verbs(at place: LiteralPlace) throws(SwiftSourceError) -> [WrittenCall<Self>] {
    let (count, backoff, delay) = (maxAttempts, backoff, firstDelay ?? .zero)
    var calls: [WrittenCall<Self>] = [
      WrittenCall("succeed") { $0.succeed() },
      WrittenCall("cancel") { $0.cancel() },
      WrittenCall("reset") { $0.reset() },
      WrittenCall("run", try arguments(at: place)) { $0.run(maxAttempts: count, backoff: backoff, delay: delay) },
      JobState.retryOrFail(reason ?? ""),
    ]
    if let reason { calls.append(JobState.fail(reason)) }
    calls.append(WrittenCall("restart") { $0.restart() })
    if delay > .zero {
      let item = SourceText.Item(label: "delay: ", text: try delay.text(at: place.member("delay")))
      calls.append(WrittenCall("restart", [item]) { $0.restart(delay: delay) })
    }
    // A restart without arguments keeps the attempts and the backoff of the previous run.
    calls.append(
      WrittenCall("restart", try arguments(isComplete: true, at: place)) {
        $0.restart(maxAttempts: count, backoff: backoff, delay: delay)
      }
    )
    return calls
  }
}

extension EffectBackoff: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    func text(_ duration: Duration) throws(SwiftSourceError) -> String {
      try duration.text(at: place.member("delay").with(isTypeKnown: true)).flat
    }
    // For an optional, `.none` would be nil.
    var source = place.isTypeKnown && place.optionals == 0 ? "" : "EffectBackoff"
    if step > .zero {
      guard factor == 1 else { throw place.error("no call makes a backoff with both a step and a factor") }
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
  /// Returns the assignment of the value. A test store compares the value, not the stamp.
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    var assignments = StateAssignments()
    let place = place.member("wrappedValue").declaring(wrappedValue)
    try assignments.addProperty(from: before.wrappedValue, to: wrappedValue, at: place)
    return assignments
  }
}

extension HeldAction: SwiftWritten {
  /// Returns an expression that reads the token from the state of the test's store, the only one that has it.
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard let access = place.access else {
      throw place.error(
        """
        only the store that holds an action has its token; begin the recording before the action is held, keep the token in \
        a property of the state, and decide with an action that doesn't contain it
        """)
    }
    // If an optional is expected, it doesn't have to be unwrapped.
    let unneeded = access.reversed().prefix { $0 == "!" }.prefix(place.optionals).count
    return .plain(String(access.dropLast(unneeded)))
  }
}
