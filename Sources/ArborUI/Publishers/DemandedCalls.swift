#if canImport(Combine)
  /// The calls that a subscriber should receive, according to its demand: a state machine without locks or effects.
  ///
  /// - The caller runs the effect that an event returns, outside any lock, and reports the end of each call. Until
  ///   then, no other call is returned: calls are serial, and none begins inside another.
  /// - A value without demand is not kept. The newest value is read again when there is demand.
  struct DemandedCalls<Value: Sendable>: Sendable {
    /// The work that an event requires.
    enum Effect: Sendable {
      /// Call the subscriber with a value, then report the end of the call.
      case receive(Value)

      /// Read the newest value, and report it when it is there. A source that cannot be read ignores this.
      case readNewest

      /// Call the subscriber with the completion. Nothing follows.
      case finish
    }

    /// The number of values that may still be accepted; nil if unlimited.
    private var demand: Int? = 0

    /// The values accepted during a call. Only a closure-backed store sends any then.
    private var waiting: [Value] = []

    private var isCalling = false

    /// `true` if the newest value arrived without demand.
    private var hasSkipped = false

    /// `true` while the newest value is being read, so that it is not read twice.
    private var isReading = false

    /// `true` if more was requested since that read began: its value may be older than the request.
    private var isReadTooEarly = false

    private var isSourceGone = false

    /// The subscriber requests more values; nil if it requests all.
    mutating func request(_ count: Int?) -> Effect? {
      add(count)
      return readNewestIfNeeded()
    }

    /// The source has sent a value.
    mutating func send(_ value: Value) -> Effect? {
      hasSkipped = demand == 0
      guard !hasSkipped else { return nil }
      // Counted on acceptance, so that no value is accepted and then dropped under the lock.
      if let count = demand { demand = count - 1 }
      guard !isCalling else {
        waiting.append(value)
        return nil
      }
      return call(with: value)
    }

    /// The newest value was read.
    mutating func didRead(_ value: Value) -> Effect? {
      isReading = false
      if isReadTooEarly {
        isReadTooEarly = false
        return readNewestIfNeeded()
      }
      // Otherwise the source has already sent it, or a newer one, when there was demand.
      return hasSkipped ? send(value) : nil
    }

    /// The subscriber's call has returned, with a request for more values.
    mutating func didReceive(requesting count: Int?) -> Effect? {
      isCalling = false
      add(count)
      guard waiting.isEmpty else { return call(with: waiting.removeFirst()) }
      return isSourceGone ? finish() : readNewestIfNeeded()
    }

    /// The source is gone.
    mutating func sourceIsGone() -> Effect? {
      isSourceGone = true
      return isCalling ? nil : finish()
    }

    private mutating func call(with value: Value) -> Effect {
      isCalling = true
      return .receive(value)
    }

    private mutating func finish() -> Effect {
      // This is the last call, and its end is not reported.
      isCalling = true
      return .finish
    }

    private mutating func add(_ count: Int?) {
      guard let count, let current = demand else {
        demand = nil
        return
      }
      let (sum, isTooMuch) = current.addingReportingOverflow(count)
      demand = isTooMuch ? nil : sum
    }

    private mutating func readNewestIfNeeded() -> Effect? {
      guard hasSkipped, demand != 0 else { return nil }
      guard !isReading else {
        isReadTooEarly = true
        return nil
      }
      isReading = true
      return .readNewest
    }
  }
#endif
