import Arbor

/// The key and mode of a task in the stress test, and the number of its actions.
struct TaskPlan: Sendable {
  /// The keys for which there are tasks of all modes.
  static let keys = 0..<3

  /// The key whose tasks all wait for each other.
  static let queuedKey = 9

  let key: Int?
  let mode: TaskMode
  let actions: Int

  /// `true` if two bodies with its key never run at once.
  var isQueued: Bool { key == TaskPlan.queuedKey }

  /// A plan for a place where other keys matter.
  static func sending(_ actions: Int) -> TaskPlan { TaskPlan(key: nil, mode: .parallel, actions: actions) }

  private init(key: Int?, mode: TaskMode, actions: Int) {
    self.key = key
    self.mode = mode
    self.actions = actions
  }

  init(_ dice: Dice) {
    actions = dice.roll(4)
    if dice.hits(oneIn: 4) {
      key = TaskPlan.queuedKey
      mode = .waitInCurrent
    } else {
      key = dice.hits(oneIn: 6) ? nil : dice.roll(TaskPlan.keys.count)
      mode =
        [
          .parallel, .dropCurrent, .waitInCurrent, .keepCurrent, .debounce(.microseconds(30)),
          .throttle(.microseconds(30), latest: dice.hits(oneIn: 2)),
        ][dice.roll(6)]
    }
  }
}
