import Arbor
import TestSupport

/// A monitor that records what it sees, and runs a test's closure.
final class Watcher: StoreMonitor {
  let timingInterval: Int
  let lines = RecordedValues<String>()
  let times = RecordedValues<ActionTimes?>()
  let states = RecordedValues<[StateTransition]>()
  private let wanted: @Sendable (Any) -> Bool
  private let react: @Sendable (String) -> Void

  init(
    timingInterval: Int = 1,
    wanting wanted: @escaping @Sendable (Any) -> Bool = { _ in false },
    react: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.timingInterval = timingInterval
    self.wanted = wanted
    self.react = react
  }

  func wantsStates(of action: borrowing MonitoredAction) -> Bool { wanted(action.value) }

  func monitor(_ record: borrowing ActionRecord) {
    let last = record.isLastOfStep ? "" : " …"
    times.append(record.times)
    states.append(record.states)
    write("\(record.action.value) to \(record.action.store): \(Watcher.text(record.outcome))\(last)")
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    switch event {
    case .storeMade(let store): write("+ store \(store)")
    case .storeGone(let store): write("- store \(store)")
    case .observerMade(let store): write("+ observer of \(store)")
    case .observerGone(let store): write("- observer of \(store)")
    case .taskStarted(let task): write("started \(Watcher.text(task))")
    case .taskFinished(let task): write("finished \(Watcher.text(task))")
    case .taskCancelled(let task): write("cancelled \(Watcher.text(task))")
    case .taskFailed(let task, let error): write("failed \(Watcher.text(task)): \(error)")
    case .activity(let activity, let store): write("\(activity) in \(store)")
    }
  }

  private func write(_ line: String) {
    lines.append(line)
    react(line)
  }

  private static func text(_ task: MonitoredTask) -> String {
    "\(task.key.map { "\($0)" } ?? "a task") of \(task.store)"
  }

  private static func text(_ outcome: ActionOutcome) -> String {
    switch outcome {
    case .replaced(let other): "replaced by \(other)"
    default: "\(outcome)"
    }
  }
}
