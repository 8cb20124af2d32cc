/// The time that a clock shows since it was made, and those who wait for another one.
struct ClockFace: Sendable {
  /// What happens at a time.
  struct Alarm: Sendable {
    let number: Int
    let time: Duration
    let ring: @Sendable () -> Void

    /// Runs what comes of it; nil if whatever comes of it runs by itself.
    let run: (@Sendable () -> Void)?
  }

  private(set) var now = Duration.zero
  private var alarms: [Int: Alarm] = [:]
  private var lastNumber = 0

  var count: Int { alarms.count }

  /// The next time at which anything happens.
  var nextTime: Duration? { alarms.values.map(\.time).min() }

  /// Adds what is to happen at a time.
  ///
  /// - Returns: What it is known by.
  mutating func add(
    at time: Duration,
    run: (@Sendable () -> Void)?,
    _ ring: @escaping @Sendable () -> Void
  ) -> Int {
    lastNumber += 1
    alarms[lastNumber] = Alarm(number: lastNumber, time: time, ring: ring, run: run)
    return lastNumber
  }

  mutating func remove(_ number: Int) -> Alarm? {
    alarms.removeValue(forKey: number)
  }

  /// Moves to the next time at which anything happens, and takes that out; to the end if nothing does before.
  mutating func next(until end: Duration) -> [Alarm] {
    guard let time = nextTime, time <= end else {
      now = max(now, end)
      return []
    }
    now = max(now, time)
    let due = alarms.values.filter { $0.time == time }.sorted { $0.number < $1.number }
    for alarm in due { alarms[alarm.number] = nil }
    return due
  }
}
