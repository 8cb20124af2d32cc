/// Actions that interceptors hold.
extension Model {
  /// An action on its way.
  final class Step {
    /// The action as seen by its node.
    var action: Action
    var position: Position

    /// The position of the first added interceptor that does not judge it.
    var end = Int.max
    let isRevoked: () -> Bool
    var whenDone: () -> Void

    init(_ action: Action, at node: Node, isRevoked: @escaping () -> Bool, whenDone: @escaping () -> Void) {
      self.action = action
      position = Position(node, action)
      self.isRevoked = isRevoked
      self.whenDone = whenDone
    }

    var node: Node { position.way[0].node }
  }

  /// Holds an action as the interceptor received it; the interceptor is not called again about its earlier form.
  func hold(_ step: Step) {
    lastPosition += 1
    step.end = min(step.end, lastPosition)
    step.action = step.position.way[0].action
    for index in step.position.way.indices { step.position.way[index].isReplaced = false }
    held[Int(step.position.here.action.number), default: []].append(step)
  }

  /// Decides about the action with a number that has been held longest. The decision takes effect in its turn.
  func decide(_ number: Int, _ decision: Decision) {
    guard held[number]?.isEmpty == false, let step = held[number]?.removeFirst() else { return }
    let node = step.node
    // The deciding call keeps the sender until it returns. The held action keeps it until the thread leaves the tree in
    // which its step has ended.
    var keepers = 2
    let whenDone = step.whenDone
    let release = {
      keepers -= 1
      if keepers == 0 { whenDone() }
    }
    step.whenDone = { [unowned self] in letGo(release) }
    defer { release() }
    let isDropped = if case .drop = decision { true } else { false }
    accept(at: node, isDropped ? .passes : .waits) { [unowned self] in
      switch decision {
      case .pass: break
      case .drop: return step.whenDone()
      case .replace(let script): step.position.replace(by: script)
      }
      run([step], at: node)
    }
  }
}
