/// An action that an interceptor holds: the forms in which it has come up to it, and the position from which it goes on.
///
/// - Its node keeps it, and the token does not: an interceptor may keep the token.
@usableFromInline
final class HeldStep {
  /// The action as its own node has passed it on.
  let action: any Sendable
  private let position: StepPosition
  private let run: (AnyStation, HeldStep) -> Void

  /// The action as each station has it, from its own node up to that whose interceptor holds it. Unretained: its own
  /// node, which keeps this object, retains the others.
  private let forms: [(station: Unmanaged<AnyStation>, form: (any Sendable)?)]

  /// The action that goes on instead, of the type of the interceptor's actions.
  private var replacement: (any Sendable)?

  /// - Parameter run: Runs a step of the node that resumes this one.
  init(at node: AnyStation, _ position: StepPosition, run: @escaping (AnyStation, HeldStep) -> Void) {
    var position = position
    position.end = min(position.end, Identity().number)
    self.position = position
    self.run = run
    var (forms, next) = ([(Unmanaged<AnyStation>, (any Sendable)?)](), node as AnyStation?)
    while let station = next {
      forms.append((.passUnretained(station), station.form))
      next = station === position.station?.takeUnretainedValue() ? nil : station.above
    }
    self.forms = forms
    action = forms[0].1!
  }

  /// Lets the action go on, or another in its place, as a step of its node.
  func resume(at node: AnyStation, replacing replacement: (any Sendable)?) {
    self.replacement = replacement
    run(node, self)
  }

  /// Gives the stations the action again. Returns the position behind the interceptor that has held it.
  @usableFromInline
  func restore(on tree: Tree) -> StepPosition {
    for (station, form) in forms { station._withUnsafeGuaranteedRef { $0.form = form } }
    if let replacement {
      forms.last?.station._withUnsafeGuaranteedRef { station in
        station.form = replacement
        tree.listener?.replaced(by: replacement)
      }
    }
    return position
  }
}

extension Tree {
  /// The actions that interceptors hold: those of each node in the order in which they were held. On the tree's queue.
  package var undecidedActions: [any Sendable] { heldActions.flatMap { $0() ?? [] } }
}

extension AnyStation {
  /// The actions that were dispatched here and are held by interceptors. On the tree's queue only.
  var heldSteps: HeldSteps { attachments.object { HeldSteps(on: tree) }._withUnsafeGuaranteedRef { $0 } }
}

/// The actions of a node that are held by interceptors. On the tree's queue only.
final class HeldSteps: Attachment, @unchecked Sendable {
  // Sendable because it is used on the tree's queue only, and released with its node.

  private var steps: [Int: HeldStep] = [:]
  private var count = 0

  init(on tree: Tree) {
    super.init()
    tree.heldActions.removeAll { $0() == nil }
    tree.heldActions.append { [weak self] in self?.actions }
  }

  /// The actions, in the order in which they were held.
  private var actions: [any Sendable] { steps.sorted { $0.key < $1.key }.map(\.value.action) }

  /// Adds an action, and returns its number.
  func add(_ step: HeldStep) -> Int {
    count += 1
    steps[count] = step
    return count
  }

  /// Lets an action go on, or another in its place.
  func resume(_ number: Int, at node: AnyStation, replacing replacement: (any Sendable)?) {
    guard let step = steps.removeValue(forKey: number) else { return }
    Tree.releaseLater(step)
    step.resume(at: node, replacing: replacement)
  }

  /// Drops an action.
  func drop(_ number: Int) {
    if let step = steps.removeValue(forKey: number) { Tree.releaseLater(step) }
  }
}
