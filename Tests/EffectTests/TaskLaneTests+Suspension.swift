import Arbor
import Testing

// MARK: Suspending

extension TaskLaneTests {
  /// A suspended lane without tasks.
  var suspendedLane: TaskLane {
    var lane = TaskLane()
    lane.suspend()
    return lane
  }

  @Test(arguments: modes)
  func `a suspended lane starts nothing, and its task starts once it is resumed`(mode: TaskMode) {
    var lane = suspendedLane
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(!lane.arrive(1, mode).contains(.start(1)))
    #expect(!lane.ring(1).contains(.start(1)))
    #expect(lane.hasTasks)
    #expect(lane.resume().first == .start(1))
    lane.ring(1)
    #expect(lane.end(1) == [])
    #expect(lane.isEmpty)
  }

  @Test(arguments: modes)
  func `a running task continues in a suspended lane, and may end there`(mode: TaskMode) {
    var lane = laneRunningOne(mode)
    lane.suspend()
    #expect(lane.hasTasks)
    #expect(lane.end(1) == [])
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.resume() == [])
    #expect(lane.isEmpty)
  }

  @Test func `tasks start in the order of arrival once the lane is resumed`() {
    var lane = suspendedLane
    lane.arrive(1, .waitInCurrent)
    lane.arrive(2, .parallel)
    lane.arrive(3, .waitInCurrent)
    lane.arrive(4, .parallel)
    #expect(lane.resume() == [.start(1), .start(2), .start(4)])
  }

  @Test func `tasks that wait for others start one by one again once the lane is resumed`() {
    var lane = laneRunningOne(.waitInCurrent)
    lane.arrive(2, .waitInCurrent)
    lane.suspend()
    lane.arrive(3, .waitInCurrent)
    #expect(lane.end(1) == [])
    #expect(lane.resume() == [.start(2)])
    #expect(lane.end(2) == [.start(3)])
  }

  @Test func `a mode applies immediately in a suspended lane`() {
    var lane = laneRunningOne(.parallel)
    lane.suspend()
    #expect(lane.arrive(2, .keepCurrent) == [.drop(2)])
    #expect(lane.arrive(3, .parallel) == [])
    #expect(lane.arrive(4, .dropCurrent) == [.drop(1), .drop(3)])
    #expect(lane.arrive(5, .keepCurrent) == [.drop(5)])
    #expect(lane.arrive(6, .parallel) == [])
    #expect(lane.resume() == [.start(4), .start(6)])
  }

  @Test func `a debounced task whose time is over in a suspended lane drops running tasks when it starts`() {
    var lane = laneRunningOne(.parallel)
    #expect(lane.arrive(2, .debounce(.seconds(1))) == [.schedule(timer: 2, after: .seconds(1))])
    lane.suspend()
    lane.arrive(3, .parallel)
    #expect(lane.ring(2) == [])
    #expect(!lane.isAwaiting(2))
    #expect(lane.resume() == [.drop(1), .start(2), .start(3)])
  }

  @Test func `a newer debounced task replaces one whose time is over in a suspended lane`() {
    var lane = suspendedLane
    lane.arrive(1, .debounce(.seconds(1)))
    lane.ring(1)
    #expect(lane.arrive(2, .debounce(.seconds(1))) == [.drop(1), .schedule(timer: 2, after: .seconds(1))])
    #expect(lane.resume() == [])
    #expect(lane.ring(2) == [.start(2)])
  }

  @Test func `a throttled task opens its window when it starts, and counts as one while the lane is suspended`() {
    var lane = suspendedLane
    #expect(lane.arrive(1, .throttle(.seconds(1), latest: false)) == [])
    #expect(lane.arrive(2, .throttle(.seconds(1), latest: false)) == [.drop(2)])
    #expect(lane.arrive(3, .throttle(.seconds(2), latest: true)) == [.drop(1)])
    #expect(lane.resume() == [.start(3), .schedule(timer: 3, after: .seconds(2))])
    #expect(lane.arrive(4, .throttle(.seconds(1), latest: false)) == [.drop(4)])
  }

  @Test(arguments: modes)
  func `a task that waits in a suspended lane can be canceled, and the lane stays suspended`(mode: TaskMode) {
    var lane = suspendedLane
    lane.arrive(1, mode)
    #expect(lane.cancel(1) == [.drop(1)])
    lane.arrive(2, mode)
    #expect(lane.cancelAll() == [.drop(2)])
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.arrive(3, .parallel) == [])
    #expect(lane.resume() == [.start(3)])
  }

  @Test func `suspending or resuming twice has the same effect as once`() {
    var lane = suspendedLane
    lane.suspend()
    lane.arrive(1, .parallel)
    #expect(lane.resume() == [.start(1)])
    #expect(lane.resume() == [])
  }
}
