/// The time that a clock shows since it was made, and those who wait for another one.
struct ClockFace: Sendable {
  /// Something that is due at a time.
  struct Alarm: Sendable {
    let number: Int
    let time: Duration
    let ring: @Sendable () -> Void

    /// Runs what comes of it; nil if whatever comes of it runs by itself.
    let run: (@Sendable () -> Void)?
  }

  private(set) var now = Duration.zero

  /// The entries to come, in the order of the times, and of one time in the order in which they came.
  private var alarms: [Alarm] = []
  private var lastNumber = 0

  var count: Int { alarms.count }

  /// The next time at which anything happens.
  var nextTime: Duration? { alarms.first?.time }

  /// Adds what is to happen at a time.
  ///
  /// - Returns: The number of the entry.
  mutating func add(
    at time: Duration,
    run: (@Sendable () -> Void)?,
    _ ring: @escaping @Sendable () -> Void
  ) -> Int {
    lastNumber += 1
    // From behind: what comes later is as a rule for a later time.
    let place = alarms.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    alarms.insert(Alarm(number: lastNumber, time: time, ring: ring, run: run), at: place)
    return lastNumber
  }

  mutating func remove(_ number: Int) -> Alarm? {
    alarms.firstIndex { $0.number == number }.map { alarms.remove(at: $0) }
  }

  /// Moves to the next time at which anything happens, and takes that out; to the end if nothing does before.
  mutating func next(until end: Duration) -> [Alarm] {
    guard let time = nextTime, time <= end else {
      now = max(now, end)
      return []
    }
    now = max(now, time)
    let due = alarms.prefix { $0.time == time }
    alarms.removeFirst(due.count)
    return Array(due)
  }
}
