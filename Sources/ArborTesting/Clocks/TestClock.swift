internal import Arbor

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(initialState: Search(), effects: searchEffects, clock: clock, reducer: searchReducer)
/// await store.send(.type("tree")) { $0.query = "tree" }
/// clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["trees"])) { $0.results = ["trees"] }
/// ```
///
/// - Whoever sleeps on it is woken when the time has come: in the order of the times, and those of one time in the order in
///   which they began to sleep. Nothing waits for real time. Move it from one thread at a time.
/// - Before time goes on, what was woken by then is run, if it is run by a ``ManualExecutor``: so a timer that is set again while
///   the clock is moved far rings at its time. What is woken at the end is left for the executor's steps.
/// - A task that no manual executor runs is woken, and goes on whenever its own executor lets it.
public final class TestClock: Clock, Sendable {
  /// A time on the clock.
  public struct Instant: InstantProtocol {
    /// The time that has passed since the clock was made.
    public let offset: Duration

    /// Makes a time.
    ///
    /// - Parameter offset: The time since the clock was made.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// A later time.
    ///
    /// - Parameter duration: The time by which it is later; if negative, it is earlier.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The duration from this time to another one.
    ///
    /// - Parameter other: The other time. If it is earlier, the result is negative.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// `true` if a time is before another one.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private let face = Protected(ClockFace())

  /// Makes a clock that shows zero.
  public init() {}

  /// The time that the clock shows.
  public var now: Instant { Instant(offset: face.withLock { $0.now }) }

  /// The clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of those who sleep and of timers that run.
  public var sleepers: Int { face.withLock { $0.count } }

  /// Moves the clock by a duration and wakes who has slept long enough.
  ///
  /// - Parameter duration: The duration. If it is negative, the clock stays where it is.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a time and wakes who has slept long enough.
  ///
  /// - Parameter end: The time. The clock never goes back: it stays where it is if it shows a later time.
  public func advance(to end: Instant) {
    while ring(until: end.offset, isLast: { $0 >= end.offset }) {}
  }

  /// Moves the clock on until nobody sleeps any more, and lets them do what they slept for.
  ///
  /// - A timer that is set again and again would go on for ever: at the limit a failure is recorded.
  /// - Parameters:
  ///   - limit: The greatest number of moments to which the clock is moved; below 0 it counts as 0.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func run(
    atMost limit: Int = 10_000,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    for _ in 0..<max(limit, 0) {
      guard let next = face.withLock({ $0.nextTime }) else { return }
      _ = ring(until: next) { _ in false }
    }
    guard sleepers > 0 else { return }
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    TestRunner.record(.clockThatNeverRests(after: limit, sleepers: sleepers), at: place)
  }

  /// Wakes all whose time is the next one.
  ///
  /// - Parameter isLast: Returns `true` for a time at which the woken steps are left for others to run.
  /// - Returns: `true` if there were any.
  private func ring(until end: Duration, isLast: (Duration) -> Bool) -> Bool {
    let alarms = face.withLock { $0.next(until: end) }
    guard let time = alarms.first?.time else { return false }
    for alarm in alarms { alarm.ring() }
    if !isLast(time) {
      for alarm in alarms { alarm.run?() }
    }
    return true
  }

  /// Sleeps until the clock shows a time, or the task is cancelled.
  ///
  /// - Throws: `CancellationError` if it is.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let (sleep, sleeper) = AsyncStream<Void>.makeStream()
    let task = InspectedTask.current
    let run = task.map { task in { @Sendable in _ = task.run() } }
    task?.sleep(true)
    let number = face.withLockInAsync { face in
      deadline.offset <= face.now ? nil : face.add(at: deadline.offset, run: run) { sleeper.finish() }
    }
    defer { task?.sleep(false) }
    guard let number else { return }
    await withTaskCancellationHandler {
      for await _ in sleep {}
    } onCancel: {
      takeOut(number)?.ring()
    }
    try Task.checkCancellation()
  }

  private func takeOut(_ number: Int) -> ClockFace.Alarm? {
    face.withLock { $0.remove(number) }
  }
}

extension TestClock: ManualClock {
  func schedule(
    after duration: Duration,
    _ ring: @escaping @Sendable () -> Void,
    run: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let number = face.withLock { face in
      duration > .zero ? face.add(at: face.now + duration, run: run, ring) : nil
    }
    if number == nil { ring() }
    return { if let number { _ = self.takeOut(number) } }
  }
}

/// The time that a clock shows since it was made, and those who wait for another one.
private struct ClockFace: Sendable {
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
