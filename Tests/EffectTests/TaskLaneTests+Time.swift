import Arbor
import Testing

// MARK: Debouncing

extension TaskLaneTests {
  @Test func `of ten debounced tasks the last one starts, at its own time after its arrival`() {
    var lane = TaskLane()
    #expect(lane.arrive(1, .debounce(.seconds(1))) == [.schedule(timer: 1, after: .seconds(1))])
    for task in 2...10 as ClosedRange<UInt64> {
      let commands = lane.arrive(task, .debounce(.seconds(Int(task))))
      #expect(commands == [.drop(task - 1), .schedule(timer: task, after: .seconds(Int(task)))])
    }
    for timer in 1...9 as ClosedRange<UInt64> {
      #expect(lane.ring(timer) == [])
    }
    #expect(lane.ring(10) == [.start(10)])
    #expect(lane.ring(10) == [])
  }

  @Test(arguments: modes)
  func `debounce drops running tasks when its time has come, and not before`(first: TaskMode) {
    var lane = laneRunningOne(first)
    #expect(lane.arrive(2, .debounce(.seconds(1))) == [.schedule(timer: 2, after: .seconds(1))])
    #expect(lane.ring(2) == [.drop(1), .start(2)])
  }

  @Test func `debounce keeps waiting tasks, which wait for it`() {
    var lane = TaskLane()
    lane.arrive(1, .throttle(.seconds(1), latest: true))
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    lane.arrive(3, .waitInCurrent)
    lane.arrive(4, .debounce(.seconds(1)))
    #expect(lane.ring(4) == [.drop(1), .start(4)])
    #expect(lane.end(1) == [])
    #expect(lane.ring(1) == [.start(2), .schedule(timer: 2, after: .seconds(1))])
    #expect(lane.end(4) == [])
    #expect(lane.end(2) == [.start(3)])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a debounced task starts immediately if it has no time to wait`(delay: Duration) {
    var lane = TaskLane()
    lane.arrive(1, .parallel)
    lane.arrive(2, .debounce(.seconds(1)))
    #expect(lane.arrive(3, .debounce(delay)) == [.drop(2), .drop(1), .start(3)])
    #expect(lane.ring(2) == [])
  }

  @Test func `the timer of a canceled debounced task does nothing in a lane that was empty meanwhile`() {
    var lane = TaskLane()
    lane.arrive(1, .debounce(.seconds(1)))
    #expect(lane.cancel(1) == [.drop(1)])
    #expect(lane.isEmpty)
    lane.arrive(2, .debounce(.seconds(1)))
    #expect(lane.ring(1) == [])
    #expect(lane.ring(2) == [.start(2)])
  }
}

// MARK: Throttling

extension TaskLaneTests {
  @Test func `the first throttled task starts, and those inside its window are dropped`() {
    var lane = TaskLane()
    let first = lane.arrive(1, .throttle(.seconds(1), latest: false))
    #expect(first == [.start(1), .schedule(timer: 1, after: .seconds(1))])
    lane.end(1)
    #expect(lane.arrive(2, .throttle(.seconds(9), latest: false)) == [.drop(2)])
    #expect(lane.ring(1) == [])
    #expect(lane.isEmpty)
    let next = lane.arrive(3, .throttle(.seconds(2), latest: false))
    #expect(next == [.start(3), .schedule(timer: 3, after: .seconds(2))])
  }

  @Test func `the last throttled task inside a window starts when the window ends, and opens its own`() {
    var lane = laneWithOpenWindow()
    #expect(lane.arrive(2, .throttle(.seconds(2), latest: true)) == [])
    #expect(lane.arrive(3, .throttle(.seconds(3), latest: true)) == [.drop(2)])
    #expect(lane.ring(2) == [])
    #expect(lane.ring(1) == [.start(3), .schedule(timer: 3, after: .seconds(3))])
    #expect(lane.arrive(4, .throttle(.seconds(4), latest: true)) == [])
    #expect(lane.ring(3) == [.start(4), .schedule(timer: 4, after: .seconds(4))])
    #expect(lane.ring(4) == [])
  }

  @Test func `a throttled task that does not keep the latest does not replace the waiting one`() {
    var lane = laneWithOpenWindow()
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    #expect(lane.arrive(3, .throttle(.seconds(1), latest: false)) == [.drop(3)])
    #expect(lane.ring(1).first == .start(2))
  }

  @Test func `a throttled task that is still running is not dropped by the next`() {
    var lane = TaskLane()
    lane.arrive(1, .throttle(.seconds(1), latest: true))
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    #expect(lane.ring(1) == [.start(2), .schedule(timer: 2, after: .seconds(1))])
  }

  @Test func `a window stays open when its task is canceled, and closes when all are`() {
    var lane = TaskLane()
    lane.arrive(1, .throttle(.seconds(1), latest: true))
    #expect(lane.cancel(1) == [.drop(1)])
    #expect(lane.end(1) == [])
    #expect(lane.arrive(2, .throttle(.seconds(1), latest: true)) == [])
    #expect(lane.cancelAll() == [.drop(2)])
    #expect(lane.isEmpty)
    #expect(lane.arrive(3, .throttle(.seconds(1), latest: true)).first == .start(3))
    #expect(lane.arrive(4, .throttle(.seconds(1), latest: true)) == [])
    #expect(lane.ring(1) == [])
    #expect(lane.ring(3).first == .start(4))
  }

  @Test func `a lane remembers an open window, even without tasks`() {
    var lane = laneWithOpenWindow()
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.ring(1) == [])
    #expect(lane.isEmpty)
  }

  @Test func `a window ends without a task if the waiting one is canceled`() {
    var lane = laneWithOpenWindow()
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    #expect(lane.cancel(2) == [.drop(2)])
    #expect(lane.ring(1) == [])
    #expect(lane.isEmpty)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a window of zero duration is never open`(window: Duration) {
    var lane = TaskLane()
    #expect(lane.arrive(1, .throttle(window, latest: false)) == [.start(1)])
    #expect(lane.arrive(2, .throttle(window, latest: false)) == [.start(2)])
    lane = laneWithOpenWindow()
    #expect(lane.arrive(2, .throttle(window, latest: true)) == [])
    #expect(lane.ring(1) == [.start(2)])
    #expect(lane.end(2) == [])
    #expect(lane.isEmpty)
  }
}
