import Arbor

/// Each event with its commands as its result, so that a test reads as events and their commands.
extension TaskLane {
  @discardableResult
  mutating func arrive(_ task: UInt64, _ mode: TaskMode) -> [Command] {
    commands { $0.arrive(task, mode, &$1) }
  }

  @discardableResult
  mutating func end(_ task: UInt64, keepsUntilForgotten: Bool = false) -> [Command] {
    commands { $0.end(task, keepsUntilForgotten: keepsUntilForgotten, &$1) }
  }

  @discardableResult
  mutating func ring(_ timer: UInt64) -> [Command] {
    commands { $0.ring(timer, &$1) }
  }

  @discardableResult
  mutating func cancel(_ task: UInt64) -> [Command] {
    commands { $0.cancel(task, &$1) }
  }

  mutating func cancelAll() -> [Command] {
    commands { $0.cancelAll(&$1) }
  }

  @discardableResult
  mutating func resume() -> [Command] {
    commands { $0.resume(&$1) }
  }

  private mutating func commands(of event: (inout TaskLane, inout [Command]) -> Void) -> [Command] {
    var commands: [Command] = []
    event(&self, &commands)
    return commands
  }
}
