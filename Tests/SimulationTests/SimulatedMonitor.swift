import Arbor

/// A monitor of a tree of the engine that records all reports.
final class SimulatedMonitor: StoreMonitor, @unchecked Sendable {  // Only one thread uses it.
  private let tree: Int
  private let token: EngineToken
  private weak let engine: Engine?

  init(_ tree: Int, _ token: EngineToken, in engine: Engine) {
    self.tree = tree
    self.token = token
    self.engine = engine
  }

  func wantsStates(of action: borrowing MonitoredAction) -> Bool {
    number(of: action).isMultiple(of: 3)
  }

  func monitor(_ record: borrowing ActionRecord) {
    let number = number(of: record.action)
    let outcome: RecordedOutcome =
      switch record.outcome {
      case .reduced: .reduced
      case .replaced: .replaced
      case .dropped: .dropped
      case .held: .held
      case .revoked: .revoked
      case .failed: .failed
      }
    engine?.note(.recorded, tree, number, outcome.digest(isLast: record.isLastOfStep, states: record.states.count))
    engine?.react(to: number, at: Place(.monitor, tree))
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    var key: Int?
    let kind: MonitoredKind
    switch event {
    case .storeMade: kind = .storeMade
    case .storeGone: kind = .storeGone
    case .observerMade: kind = .observerMade
    case .observerGone: kind = .observerGone
    case .taskStarted(let task): (kind, key) = (.taskStarted, task.key as? Int)
    case .taskFinished(let task): (kind, key) = (.taskFinished, task.key as? Int)
    case .taskCancelled(let task): (kind, key) = (.taskCancelled, task.key as? Int)
    case .taskFailed(let task, _): (kind, key) = (.taskFailed, task.key as? Int)
    case .activity: kind = .activity
    }
    engine?.note(.monitored, tree, kind.rawValue, key.map { UInt64($0) + 1 } ?? 0)
  }

  private func number(of action: borrowing MonitoredAction) -> Int32 {
    action.value(as: SimulatedAction.self)?.number ?? action.value(as: Mutation<SimulatedState>.self)!.carried.number
  }
}

/// The outcome of an action, as reported to a monitor.
enum RecordedOutcome: UInt64, Sendable {
  case reduced, replaced, dropped, revoked, failed, held

  func digest(isLast: Bool, states: Int) -> UInt64 {
    rawValue + (isLast ? 10 : 0) + 100 * UInt64(states)
  }
}

/// The reports to a monitor other than actions.
enum MonitoredKind: Int32, Sendable {
  case storeMade, storeGone, observerMade, observerGone, taskStarted, taskFinished, taskCancelled, taskFailed, activity
}
