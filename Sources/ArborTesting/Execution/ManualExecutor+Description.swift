internal import Arbor
internal import ArborDiff
internal import Dispatch

extension ManualExecutor: CustomStringConvertible {
  /// The waiting work, one item per line: the entries of each mailbox in order, then deliveries, timers and parts of
  /// tasks, then the tasks that have not ended.
  public var description: String {
    let (waiting, others) = schedule.waiting
    let trees = waiting.compactMap { $0 as? Tree }.map { (isHeld: schedule.isHolding($0), entries: $0.entries) }
    var lines: [String] = []
    for (number, tree) in trees.enumerated() where !tree.entries.isEmpty {
      lines.append("tree \(number + 1):")
      lines += tree.entries.map { "  " + $0.text + (tree.isHeld && $0.isStep ? " (held)" : "") }
    }
    lines += others.map(\.text)
    lines += schedule.tasks.map { "not ended: \($0.text)" }
    let seed = seed.map { "seed \($0), " } ?? ""
    return (["ManualExecutor: \(seed)\(pending) pending"] + lines).joined(separator: "\n")
  }
}

extension WaitingEntry {
  /// A short description.
  var text: String {
    switch kind {
    case .actions, .awaitedActions: actionsText
    case .subscription: "a subscription"
    case .release: "a release"
    case .activity: "an activity"
    case .effect: kind.stateEffect ?? "the effects that depend on the state"
    case .event: "an event for monitors"
    case .following, .other: "work of the tree"
    }
  }

  private var actionsText: String {
    guard let first = actions.first else { return "revoked actions" }
    let store = store.map { " to \($0)" } ?? ""
    guard actions.count > 1 else { return "action \(ActionText.of(first))\(store)" }
    return "batch \(actions.map(ActionText.of).joined(separator: ", "))\(store)"
  }
}

extension Turn {
  fileprivate var text: String {
    switch work {
    case .tree: "entries of a tree"
    case .delivery(let queue, _): "a delivery on \(queue.label)"
    case .timer: "a timer that has fired"
    case .part: "a part of a task"
    }
  }
}
