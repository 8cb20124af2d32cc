import Arbor
import Testing

// MARK: Dropping the current ones

extension TaskLaneTests {
  @Test(arguments: modes)
  func `dropCurrent drops running tasks and starts without waiting for their bodies`(first: TaskMode) {
    var lane = laneRunningOne(first)
    #expect(lane.arrive(2, .dropCurrent) == [.drop(1), .start(2)])
    #expect(lane.end(1) == [])
    #expect(lane.hasTasks)
  }

  @Test func `of ten tasks that drop the current ones only the last survives`() {
    var lane = TaskLane()
    #expect(lane.arrive(1, .dropCurrent) == [.start(1)])
    for task in 2...10 as ClosedRange<UInt64> {
      #expect(lane.arrive(task, .dropCurrent) == [.drop(task - 1), .start(task)])
    }
    #expect(lane.cancelAll() == [.drop(10)])
  }

  @Test func `dropCurrent drops running tasks and then the queued, the debounced and the throttled ones`() {
    var lane = TaskLane()
    lane.arrive(1, .throttle(.seconds(1), latest: true))
    lane.arrive(2, .parallel)
    lane.arrive(3, .throttle(.seconds(1), latest: true))
    lane.arrive(4, .waitInCurrent)
    lane.arrive(5, .debounce(.seconds(1)))
    lane.arrive(6, .waitInCurrent)
    let drops = ([1, 2, 4, 6, 5, 3] as [UInt64]).map(TaskLane.Command.drop)
    #expect(lane.arrive(7, .dropCurrent) == drops + [.start(7)])
    #expect(lane.ring(5) == [])
    #expect(lane.ring(1) == [])
    #expect(lane.end(7) == [])
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.end(1) + lane.end(2) == [])
    #expect(lane.isEmpty)
  }

  @Test func `dropCurrent leaves an open window open`() {
    var lane = laneWithOpenWindow()
    #expect(lane.arrive(2, .dropCurrent) == [.start(2)])
    #expect(lane.arrive(3, .throttle(.seconds(1), latest: false)) == [.drop(3)])
  }
}

// MARK: Waiting in the current ones

extension TaskLaneTests {
  @Test(arguments: modes)
  func `waitInCurrent starts when the running tasks have ended`(first: TaskMode) {
    var lane = laneRunningOne(first)
    #expect(lane.arrive(2, .waitInCurrent) == [])
    #expect(lane.end(1) == [.start(2)])
  }

  @Test(arguments: modes)
  func `waitInCurrent starts when the body of a dropped task has ended, and not before`(first: TaskMode) {
    var lane = laneRunningOne(first)
    lane.arrive(2, .waitInCurrent)
    #expect(lane.cancel(1) == [.drop(1)])
    #expect(lane.arrive(3, .waitInCurrent) == [])
    #expect(lane.end(1) == [.start(2)])
    #expect(lane.end(2) == [.start(3)])
  }

  @Test func `waitInCurrent does not start while the body of a dropped task is running`() {
    var lane = TaskLane()
    lane.arrive(1, .parallel)
    lane.arrive(2, .dropCurrent)
    lane.arrive(3, .waitInCurrent)
    #expect(lane.end(2) == [])
    #expect(lane.end(1) == [.start(3)])
  }

  @Test func `waiting tasks start one by one, first in, first out, and those canceled meanwhile never start`() {
    var lane = TaskLane()
    #expect(lane.arrive(1, .waitInCurrent) == [.start(1)])
    for task in 2...7 as ClosedRange<UInt64> {
      #expect(lane.arrive(task, .waitInCurrent) == [])
    }
    #expect(lane.cancel(2) == [.drop(2)])
    #expect(lane.cancel(5) == [.drop(5)])
    #expect(lane.cancel(7) == [.drop(7)])
    #expect(lane.arrive(8, .waitInCurrent) == [])
    #expect(lane.end(1) == [.start(3)])
    #expect(lane.end(3) == [.start(4)])
    #expect(lane.end(4) == [.start(6)])
    #expect(lane.end(6) == [.start(8)])
    #expect(lane.end(8) == [])
    #expect(lane.isEmpty)
  }

  @Test func `waitInCurrent waits for a newer task that is already running, so that two never run at once`() {
    var lane = TaskLane()
    lane.arrive(1, .parallel)
    lane.arrive(2, .waitInCurrent)
    #expect(lane.arrive(3, .parallel) == [.start(3)])
    #expect(lane.end(1) == [])
    #expect(lane.end(3) == [.start(2)])
  }

  @Test func `waitInCurrent lets an earlier debounced task go first`() {
    var lane = TaskLane()
    lane.arrive(1, .debounce(.seconds(1)))
    #expect(lane.arrive(2, .waitInCurrent) == [])
    #expect(lane.ring(1) == [.start(1)])
    #expect(lane.end(1) == [.start(2)])
  }

  @Test func `waitInCurrent lets an earlier throttled task go first`() {
    var lane = laneWithOpenWindow()
    #expect(lane.arrive(2, .throttle(.seconds(1), latest: true)) == [])
    #expect(lane.arrive(3, .waitInCurrent) == [])
    #expect(lane.ring(1) == [.start(2), .schedule(timer: 2, after: .seconds(1))])
    #expect(lane.end(2) == [.start(3)])
  }

  @Test func `waitInCurrent starts once the waiting task before it is canceled`() {
    var lane = laneWithOpenWindow()
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    lane.arrive(3, .debounce(.seconds(1)))
    lane.arrive(4, .waitInCurrent)
    #expect(lane.cancel(3) == [.drop(3)])
    #expect(lane.cancel(2) == [.drop(2), .start(4)])
  }

  @Test func `waitInCurrent starts once a newer task takes the place of the waiting one before it`() {
    var lane = laneWithOpenWindow()
    lane.arrive(2, .debounce(.seconds(1)))
    lane.arrive(3, .waitInCurrent)
    let replacement = lane.arrive(4, .debounce(.seconds(2)))
    #expect(replacement == [.drop(2), .schedule(timer: 4, after: .seconds(2)), .start(3)])

    lane = laneWithOpenWindow()
    lane.arrive(2, .throttle(.seconds(1), latest: true))
    lane.arrive(3, .waitInCurrent)
    #expect(lane.arrive(4, .throttle(.seconds(1), latest: true)) == [.drop(2), .start(3)])
  }

  @Test func `waitInCurrent does not wait for an open window without tasks`() {
    var lane = laneWithOpenWindow()
    #expect(lane.arrive(2, .waitInCurrent) == [.start(2)])
  }
}

// MARK: Keeping the current one

extension TaskLaneTests {
  @Test(arguments: modes)
  func `keepCurrent is dropped while another runs`(first: TaskMode) {
    var lane = laneRunningOne(first)
    #expect(lane.arrive(2, .keepCurrent) == [.drop(2)])
    lane.end(1)
    #expect(lane.arrive(3, .keepCurrent) == [.start(3)])
  }

  @Test(arguments: modes)
  func `keepCurrent starts while the body of a dropped task is running`(first: TaskMode) {
    var lane = laneRunningOne(first)
    lane.cancel(1)
    #expect(lane.arrive(2, .keepCurrent) == [.start(2)])
  }

  @Test func `keepCurrent is dropped while a debounced task waits`() {
    var lane = TaskLane()
    lane.arrive(1, .debounce(.seconds(1)))
    #expect(lane.arrive(2, .keepCurrent) == [.drop(2)])
  }

  @Test func `keepCurrent is dropped while a throttled task waits, but not because of an open window`() {
    var lane = laneWithOpenWindow()
    #expect(!lane.hasTasks)
    #expect(lane.arrive(2, .keepCurrent) == [.start(2)])
    lane.end(2)
    lane.arrive(3, .throttle(.seconds(1), latest: true))
    #expect(lane.arrive(4, .keepCurrent) == [.drop(4)])
  }

  @Test func `keepCurrent is dropped while a queued task waits for the body of a dropped one`() {
    var lane = TaskLane()
    lane.arrive(1, .parallel)
    lane.arrive(2, .waitInCurrent)
    lane.cancel(1)
    #expect(lane.arrive(3, .keepCurrent) == [.drop(3)])
  }
}

// MARK: Reserved places

extension TaskLaneTests {
  @Test func `a reserved place is a waiting task, and does not block the queue`() {
    var lane = TaskLane()
    lane.reserve(1)
    #expect(lane.hasTasks)
    #expect(!lane.isEmpty)
    #expect(lane.arrive(2, .keepCurrent) == [.drop(2)])
    #expect(lane.arrive(3, .waitInCurrent) == [.start(3)])
    lane.end(3)
    lane.release(1)
    #expect(lane.isEmpty)
  }

  @Test func `a reserved place is released by a cancellation and by dropCurrent`() {
    var lane = TaskLane()
    lane.reserve(1)
    #expect(lane.cancel(1) == [.drop(1)])
    #expect(lane.cancel(1) == [])
    lane.reserve(2)
    lane.reserve(3)
    #expect(lane.cancelAll() == [.drop(2), .drop(3)])
    lane.reserve(4)
    #expect(lane.arrive(5, .dropCurrent) == [.drop(4), .start(5)])
  }

  @Test func `a task in its own place comes before the places that were reserved later`() {
    var (lane, commands) = (TaskLane(), [TaskLane.Command]())
    lane.reserve(1)
    lane.reserve(2)
    lane.reserve(3)
    lane.arrive(4, .keepCurrent, reservation: 2, &commands)
    #expect(commands == [.drop(4)], "the first place is before it")
    lane.release(1)
    lane.arrive(5, .keepCurrent, reservation: 2, &commands)
    lane.arrive(6, .dropCurrent, reservation: 2, &commands)
    #expect(commands == [.drop(4), .start(5), .drop(5), .start(6)])
    lane.release(2)
    #expect(lane.arrive(7, .dropCurrent) == [.drop(6), .drop(3), .start(7)])
  }
}
