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
/// - Tasks that sleep on it wake when their time comes, in the order of the times. Tasks with the same time wake in the
///   order they began to sleep. Nothing waits for real time. Move the clock from one thread at a time.
/// - The clock stops at each of these times, and a ``ManualExecutor`` then runs the woken work before time passes
///   further. So a repeating timer fires at each of its times, even if you move the clock far. Work that is woken at
///   the final time is left for the executor's steps.
/// - A task that isn't on a manual executor is woken, too, and resumes when its own executor runs it.
public final class TestClock: Clock, Sendable {
  /// A time on the clock.
  public struct Instant: InstantProtocol {
    /// The time that has passed since the clock was created.
    public let offset: Duration

    /// Makes a time from an offset.
    ///
    /// - Parameter offset: The time since the clock was created.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns a later time.
    ///
    /// - Parameter duration: The duration to add. If it is negative, the result is earlier.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration from this time to another one.
    ///
    /// - Parameter other: The other time. If it is earlier, the result is negative.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// `true` if the first time is before the second.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private let face = Protected(ClockFace())

  /// Makes a clock that starts at zero.
  public init() {}

  /// The current time of the clock.
  public var now: Instant { Instant(offset: face.withLock { $0.now }) }

  /// The resolution of the clock, which is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks and running timers.
  public var sleepers: Int { face.withLock { $0.count } }

  /// Moves the clock by a duration, and wakes each task whose time has come.
  ///
  /// - Parameter duration: The duration. If it is negative, the clock stays where it is.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a time, and wakes each task whose time has come.
  ///
  /// - Parameter end: The time. The clock never goes back: if it is already later, it stays where it is.
  public func advance(to end: Instant) {
    while ring(until: end.offset, isLast: { $0 >= end.offset }) {}
  }

  /// Moves the clock forward until no task sleeps and no timer runs, and runs the woken work.
  ///
  /// - A repeating timer would continue forever, so a failure is recorded at the limit.
  /// - Parameters:
  ///   - limit: The maximum number of times that the clock is moved. A negative number counts as 0.
  ///   - fileID: The file of the call, where a failure is recorded.
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

  /// Wakes everything that waits for the next time.
  ///
  /// - Parameter isLast: Returns `true` for a time at which the woken steps are left for others to run.
  /// - Returns: `true` if anything waited.
  private func ring(until end: Duration, isLast: (Duration) -> Bool) -> Bool {
    let alarms = face.withLock { $0.next(until: end) }
    guard let time = alarms.first?.time else { return false }
    for alarm in alarms { alarm.ring() }
    if !isLast(time) {
      for alarm in alarms { alarm.run?() }
    }
    return true
  }

  /// Sleeps until the clock shows a time, or the task is canceled.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
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

/// The time since a clock was created, and the alarms that are set.
private struct ClockFace: Sendable {
  /// Work that is due at a time.
  struct Alarm: Sendable {
    let number: Int
    let time: Duration
    let ring: @Sendable () -> Void

    /// Runs the woken work; nil if the work runs by itself.
    let run: (@Sendable () -> Void)?
  }

  private(set) var now = Duration.zero

  /// The alarms that are set, in the order of their times, and of their creation for the same time.
  private var alarms: [Alarm] = []
  private var lastNumber = 0

  var count: Int { alarms.count }

  /// The time of the next alarm.
  var nextTime: Duration? { alarms.first?.time }

  /// Adds an alarm at a time.
  ///
  /// - Returns: The number of the alarm.
  mutating func add(
    at time: Duration,
    run: (@Sendable () -> Void)?,
    _ ring: @escaping @Sendable () -> Void
  ) -> Int {
    lastNumber += 1
    // Search from the end, because newer alarms are usually for later times.
    let place = alarms.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    alarms.insert(Alarm(number: lastNumber, time: time, ring: ring, run: run), at: place)
    return lastNumber
  }

  mutating func remove(_ number: Int) -> Alarm? {
    alarms.firstIndex { $0.number == number }.map { alarms.remove(at: $0) }
  }

  /// Moves to the time of the next alarms and removes them; moves to the end if there are none before it.
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
