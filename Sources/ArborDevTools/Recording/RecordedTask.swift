public import Arbor

/// A task of a recorded store.
public struct RecordedTask: Identifiable, Sendable {
  /// The end of a task.
  public enum Outcome: Sendable {
    /// The task ended without an error.
    case finished

    /// The task was canceled after it had started.
    case cancelled

    /// The task threw an error. If the task was read from a file, the error consists of its text.
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

  /// The time at which the task started, since the tree was made.
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

  /// Makes a task from a file.
  init(_ task: RecordingDocument.Task, of store: MonitoredStore) {
    id = UInt64(task.id)
    self.store = store
    key = task.key.map(FileText.init)
    cause = task.cause
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

/// The tasks of a recording, in the order in which they started. The oldest tasks that have ended are removed.
///
/// - Places count all tasks so far.
struct RecordedTasks: Sendable {
  private(set) var all: [RecordedTask]

  /// The places of the tasks, in ascending order.
  private var places: [Int]

  /// The number of all tasks so far.
  private(set) var end: Int

  /// The places of the running tasks.
  private var running: [UInt64: Int] = [:]

  /// A number that changes when a task starts or ends.
  private(set) var revision = 0

  init(_ tasks: [RecordedTask] = []) {
    all = tasks
    places = Array(tasks.indices)
    end = tasks.count
  }

  /// Adds a task. Returns the tasks that are removed.
  mutating func begin(_ task: MonitoredTask, at time: Duration, limit: Int) -> [RecordedTask] {
    revision += 1
    running[task.id] = end
    all.append(RecordedTask(task, began: time))
    places.append(end)
    end += 1
    // Removes several at once, so that the cost for each is low. Running tasks stay.
    let excess = all.count - running.count - limit
    return excess > limit / 4 ? removeOldestEnded(excess) : []
  }

  private mutating func removeOldestEnded(_ number: Int) -> [RecordedTask] {
    var (leaving, staying): ([RecordedTask], [RecordedTask]) = ([], [])
    var stayingPlaces: [Int] = []
    for (task, place) in zip(all, places) {
      if leaving.count < number, task.ended != nil {
        leaving.append(task)
      } else {
        staying.append(task)
        stayingPlaces.append(place)
      }
    }
    (all, places) = (staying, stayingPlaces)
    return leaving
  }

  mutating func end(_ task: MonitoredTask, _ outcome: RecordedTask.Outcome, at time: Duration) {
    guard let place = running.removeValue(forKey: task.id) else { return }
    revision += 1
    let index = firstIndex(from: place)
    all[index].ended = time
    all[index].outcome = outcome
  }

  /// The places of the running tasks.
  var runningPlaces: [Int] { Array(running.values) }

  /// Returns the tasks from a place on, preceded by the remaining tasks at given earlier places that fulfill a condition.
  func tasks(from place: Int, and others: [Int], where isMeant: (RecordedTask) -> Bool) -> [RecordedTask] {
    let earlier = others.filter { $0 < place }.sorted().compactMap { other in
      let index = firstIndex(from: other)
      return index < places.count && places[index] == other ? all[index] : nil
    }
    return earlier.filter(isMeant) + all[firstIndex(from: place)...]
  }

  /// Returns the index of the first task at or after a place.
  private func firstIndex(from place: Int) -> Int { places.indices.end { places[$0] < place } }
}
