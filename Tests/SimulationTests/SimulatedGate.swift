import Arbor

/// A gate at which actions wait, and the release of what they need.
final class SimulatedGate: EntryGate {
  private unowned let tree: Tree

  init(of tree: Tree) {
    self.tree = tree
  }

  var dropsActions: Bool { false }
  var showsMoment: Bool { false }

  func blocks(_ kind: WaitingEntry.Kind) -> Bool {
    switch kind {
    case .actions, .release: true
    case .awaitedActions, .subscription, .activity, .effect, .event, .other: false
    }
  }

  func open(isRootGone: Bool) { tree.openGate() }
}

/// The same in the model.
extension Model {
  func performGated(_ operations: [Operation], _ number: Int) {
    guard let tree = trees[number], !isBusy(tree) else { return }
    waitAtGate(of: tree) { if tree.gate == nil { tree.gate = [] } }
    for operation in operations { perform(operation) }
    waitAtGate(of: tree) { [unowned self] in _ = openGate(of: tree) }
  }

  private func waitAtGate(of tree: Tree, _ body: () -> Void) {
    wait(for: tree, body)
    if isOnMain { hurry(tree) }
  }

  /// Opens the gate: what has waited there runs next. Returns how many entries that are.
  private func openGate(of tree: Tree) -> Int {
    guard let blocked = tree.gate else { return 0 }
    tree.gate = nil
    tree.begun -= blocked.count
    tree.entries = blocked + tree.entries
    return blocked.count
  }

  /// Runs what waits at the gate, for a caller whose own step follows it.
  func runBlocked(of tree: Tree) {
    while tree.gate != nil {
      for _ in 0..<openGate(of: tree) where tree.gate == nil { runNextEntry(of: tree) }
      makeChanges(in: tree)
    }
  }
}
