public import Arbor

/// A task of a recorded store.
public struct RecordedTask: Identifiable, Sendable {
  /// The end of a task.
  public enum Outcome: Sendable {
    case finished
    case cancelled
    case failed(any Error)
  }

  /// The number of the task, ``/Arbor/MonitoredTask/id``.
  public let id: UInt64

  /// The store to which the task, or the scope that started it, belongs.
  public let store: MonitoredStore

  /// The task's key; nil if it has none.
  public let key: (any Hashable & Sendable)?

  /// The cause of the task.
  public let cause: ActionCause

  /// The time at which the task began, since the tree was made.
  public let began: Duration

  /// The time at which the task ended; nil while it runs.
  public internal(set) var ended: Duration?

  /// The end of the task; nil while it runs.
  public internal(set) var outcome: Outcome?

  init(_ task: MonitoredTask, began: Duration) {
    id = task.id
    store = task.store
    key = task.key
    cause = task.cause
    self.began = began
  }

  /// Makes a task of a file.
  init(_ task: RecordingDocument.Task, of store: MonitoredStore) {
    id = UInt64(task.id)
    self.store = store
    key = task.key.map(FileText.init)
    cause = ActionCause(task.cause)
    began = Duration(microseconds: task.began)
    ended = task.ended.map { Duration(microseconds: $0) }
    outcome = task.outcome.map { outcome in
      switch outcome {
      case .finished: .finished
      case .cancelled: .cancelled
      case .failed: .failed(FileText(text: task.error ?? ""))
      }
    }
  }
}

/// The tasks of a recording, in the order in which they began. The oldest leave that have ended.
struct RecordedTasks: Sendable {
  private(set) var all: [RecordedTask]

  init(_ tasks: [RecordedTask] = []) {
    all = tasks
  }

  /// The places of the tasks that run, counted from the first task that there ever was.
  private var running: [UInt64: Int] = [:]

  /// The number of tasks that have left.
  private var removed = 0

  /// A number that changes when a task begins or ends.
  private(set) var revision = 0

  /// Adds a task. Returns those that leave.
  mutating func begin(_ task: MonitoredTask, at time: Duration, limit: Int) -> [RecordedTask] {
    revision += 1
    running[task.id] = removed + all.count
    all.append(RecordedTask(task, began: time))
    // Several at once, so that each costs little.
    let excess = all.count - limit
    guard excess > limit / 4, running.values.min() ?? .max >= removed + excess else { return [] }
    let leaving = Array(all[..<excess])
    removed += excess
    all.removeFirst(excess)
    return leaving
  }

  mutating func end(_ task: MonitoredTask, _ outcome: RecordedTask.Outcome, at time: Duration) {
    guard let place = running.removeValue(forKey: task.id) else { return }
    revision += 1
    all[place - removed].ended = time
    all[place - removed].outcome = outcome
  }

  /// The number of all tasks that there ever were.
  var end: Int { removed + all.count }

  /// The places of the tasks that run, counted from the first task that there ever was.
  var runningPlaces: [Int] { Array(running.values) }

  /// The tasks from a place on, and those of some places before it that are meant and were not forgotten.
  func tasks(from place: Int, and places: [Int], where isMeant: (RecordedTask) -> Bool) -> [RecordedTask] {
    let earlier = places.filter { removed <= $0 && $0 < place }.sorted().map { all[$0 - removed] }.filter(isMeant)
    return earlier + all[min(max(place - removed, 0), all.count)...]
  }
}
