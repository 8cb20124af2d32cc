/// The reports to the monitor of a tree.
extension Model {
  final class Monitor {
    let token: HeldToken

    /// The number of reported tasks that have begun and not ended.
    var tasks = 0
    var isRootGone = false
    var isGone = false

    init(_ token: HeldToken) {
      self.token = token
    }
  }

  /// Reports the outcome of an action once its step is done.
  func record(_ action: Action, _ verdict: Verdict, isLast: Bool, at node: Node) {
    guard let monitor = node.tree.monitor, !monitor.isGone else { return }
    let states = action.number.isMultiple(of: 3) ? verdict.states : 0
    note(.recorded, node.tree.number, action.number, verdict.outcome.digest(isLast: isLast, states: states))
    react(to: action.number, at: Place(.monitor, node.tree.number))
  }

  /// Reports a current event. Called on the tree's queue.
  func tell(_ kind: MonitoredKind, in node: Node) {
    if !node.isOfDerived { tell(kind, in: node.tree, isRoot: node.parent == nil) }
  }

  /// Reports an event in its turn, if a condition then holds.
  func post(_ kind: MonitoredKind, in node: Node, if condition: @escaping () -> Bool = { true }) {
    guard node.tree.monitor != nil, !node.isOfDerived else { return }
    accept(in: node.tree) { [unowned self] in
      if condition() { tell(kind, in: node.tree, isRoot: node.parent == nil) }
    }
  }

  /// Reports an event of a task in its turn.
  func post(_ kind: MonitoredKind, of task: Task) {
    let tree = task.table.tree
    guard tree.monitor != nil, task.table.isMonitored else { return }
    accept(in: tree) { [unowned self] in tell(kind, in: tree, isRoot: false, key: task.key) }
  }

  private func tell(_ kind: MonitoredKind, in tree: Tree, isRoot: Bool, key: Int? = nil) {
    guard let monitor = tree.monitor, !monitor.isGone else { return }
    note(.monitored, tree.number, kind.rawValue, key.map { UInt64($0) + 1 } ?? 0)
    switch kind {
    case .taskStarted: monitor.tasks += 1
    case .taskFinished, .taskFailed, .taskCancelled: monitor.tasks -= 1
    case .storeGone where isRoot: monitor.isRootGone = true
    default: return
    }
    guard monitor.isRootGone, monitor.tasks == 0 else { return }
    monitor.isGone = true
    letGo { [unowned self] in release(monitor.token) }
  }
}
