import Arbor

/// A gate where actions wait, and the release of the objects they need.
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
    case .awaitedActions, .subscription, .activity, .effect, .event, .following, .other: false
    }
  }

  func open(isRootGone: Bool) { tree.openGate() }
}

/// The gate in the model.
extension Model {
  func performGated(_ operations: [Operation], _ number: Int) {
    guard let tree = trees[number], !isBusy(tree) else { return }
    waitAtGate(of: tree) { if tree.gate == nil { tree.gate = [] } }
    for operation in operations { perform(operation) }
    waitAtGate(of: tree) { [unowned self] in openGate(of: tree) }
  }

  private func waitAtGate(of tree: Tree, _ body: () -> Void) {
    wait(for: tree, body)
    if isOnMain { hurry(tree) }
  }

  /// Opens the gate: the actions that waited there run next.
  private func openGate(of tree: Tree) {
    tree.entries = (tree.gate.take() ?? []) + tree.entries
  }

  /// Runs the actions that wait at the gate, for a caller whose own step follows them.
  func runBlocked(of tree: Tree) {
    guard tree.gate != nil else { return }
    openGate(of: tree)
    runEntries(of: tree, upTo: 0)
  }
}
