import Arbor
import TestSupport
import Testing

@Suite("Task lane")
struct TaskLaneTests {
  static let modes: [TaskMode] = [
    .parallel, .dropCurrent, .waitInCurrent, .keepCurrent, .debounce(.seconds(1)),
    .throttle(.seconds(1), latest: false), .throttle(.seconds(1), latest: true),
  ]

  /// Modes whose tasks start immediately in a lane where another task runs and no window is open.
  static let startingBeside: [TaskMode] = [
    .parallel, .throttle(.seconds(1), latest: false), .throttle(.seconds(1), latest: true),
  ]

  /// A lane in which task 1 of a mode is running, and no timers are left.
  func laneRunningOne(_ mode: TaskMode) -> TaskLane {
    var lane = TaskLane()
    lane.arrive(1, mode)
    lane.ring(1)
    return lane
  }

  /// A lane in which the window of task 1, which has ended, is open.
  func laneWithOpenWindow(_ window: Duration = .seconds(1)) -> TaskLane {
    var lane = TaskLane()
    lane.arrive(1, .throttle(window, latest: true))
    lane.end(1)
    return lane
  }

  @Test(arguments: modes)
  func `a lane is empty, then occupied, then empty again`(mode: TaskMode) {
    var lane = TaskLane()
    #expect(lane.isEmpty && !lane.hasTasks)
    lane.arrive(1, mode)
    #expect(!lane.isEmpty && lane.hasTasks)
    lane.ring(1)
    #expect(!lane.isEmpty && lane.hasTasks)
    lane.end(1)
    #expect(lane.isEmpty && !lane.hasTasks)
  }

  @Test(arguments: modes, startingBeside)
  func `a parallel or throttled task starts next to any other`(first: TaskMode, second: TaskMode) {
    var lane = laneRunningOne(first)
    #expect(lane.arrive(2, second).first == .start(2))
    #expect(lane.end(1) == [])
    #expect(lane.hasTasks)
  }

  @Test func `ten tasks in parallel run at once, and end in any order`() {
    var lane = TaskLane()
    for task in 1...10 as ClosedRange<UInt64> {
      #expect(lane.arrive(task, .parallel) == [.start(task)])
    }
    for task in [5, 1, 10, 7, 2, 9, 3, 4, 8] as [UInt64] {
      #expect(lane.end(task) == [])
      #expect(lane.end(task) == [])
      #expect(lane.hasTasks)
    }
    #expect(lane.cancelAll() == [.drop(6)])
  }
}

// MARK: Canceling

extension TaskLaneTests {
  @Test(arguments: modes)
  func `a canceled task is dropped once, and its end is not reported`(mode: TaskMode) {
    var lane = laneRunningOne(mode)
    #expect(lane.cancel(1) == [.drop(1)])
    #expect(lane.cancel(1) == [])
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.end(1) == [])
    #expect(lane.cancel(1) == [])
    #expect(lane.isEmpty)
  }

  @Test func `canceling, ending or firing unknown tasks does nothing`() {
    var lane = TaskLane()
    #expect(lane.cancel(1) + lane.end(1) + lane.ring(1) + lane.cancelAll() == [])
    #expect(lane.isEmpty)
    lane.arrive(2, .parallel)
    #expect(lane.cancel(1) + lane.end(1) + lane.ring(2) == [])
    #expect(lane.end(2) == [])
    #expect(lane.cancel(2) == [])
    #expect(lane.isEmpty)
  }

  @Test func `a task that has ended is dropped with others while it is known`() {
    for mode in [TaskMode.dropCurrent, .debounce(.zero)] {
      var lane = laneRunningOne(.parallel)
      #expect(lane.end(1, keepsUntilForgotten: true) == [])
      #expect(!lane.hasTasks && !lane.isEmpty)
      #expect(lane.arrive(2, mode) == [.drop(1), .start(2)])
      #expect(lane.end(2, keepsUntilForgotten: true) == [])
      #expect(lane.arrive(3, .waitInCurrent) == [.start(3)])
      #expect(lane.cancelAll() == [.drop(2), .drop(3)])
      #expect(lane.end(3) == [])
      #expect(lane.isEmpty)
    }
  }

  @Test func `a forgotten task is not dropped any more`() {
    var lane = laneRunningOne(.parallel)
    lane.end(1, keepsUntilForgotten: true)
    lane.forget(1)
    #expect(lane.isEmpty)
    #expect(lane.arrive(2, .dropCurrent) == [.start(2)])
  }

  @Test func `canceling all drops each task once, and later tasks start`() {
    var lane = TaskLane()
    lane.arrive(1, .parallel)
    lane.arrive(2, .parallel)
    lane.arrive(3, .waitInCurrent)
    lane.cancel(2)
    #expect(lane.cancelAll() == [.drop(1), .drop(3)])
    #expect(lane.cancelAll() == [])
    #expect(!lane.hasTasks && !lane.isEmpty)
    #expect(lane.arrive(4, .parallel) == [.start(4)])
  }
}

// MARK: At random

extension TaskLaneTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `every promise holds in any order of events`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var witness = LaneWitness()
    // Few steps between two complete ends keep lanes small; many steps let them fill.
    let steps = Int.random(in: 1...120, using: &random)
    for _ in 0..<steps {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: witness.arrive(mode(using: &random))
      case 50..<70:
        if let task = witness.occupants.randomElement(using: &random) {
          witness.end(task, keepsUntilForgotten: .random(using: &random))
        }
      case 70..<86: if let timer = witness.pendingTimers.randomElement(using: &random) { witness.ring(timer) }
      case 86..<93: witness.cancel(UInt64.random(in: 0...witness.newest + 1, using: &random))
      case 93..<95: witness.suspend()
      case 95..<97: witness.resume()
      case 97: if let task = witness.known.randomElement(using: &random) { witness.forget(task) }
      case 98: witness.end(UInt64.random(in: 0...witness.newest + 1, using: &random))
      default: witness.cancelAll()
      }
    }
    witness.finish()
    #expect(witness.broken == [])
  }

  func mode(using random: inout SplitMix64) -> TaskMode {
    let duration = Duration.seconds(Int.random(in: -1...3, using: &random))
    return switch Int.random(in: 0..<14, using: &random) {
    case 0..<3: .parallel
    case 3: .dropCurrent
    case 4..<8: .waitInCurrent
    case 8: .keepCurrent
    case 9..<11: .debounce(duration)
    default: .throttle(duration, latest: .random(using: &random))
    }
  }
}
