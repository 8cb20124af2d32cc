// The life of an action that an interceptor holds:
//
//  1. Interceptor     `.hold` of the module Arbor makes a verdict of the kind `save`. `judge` wraps its closure in
//                     a `SavedStepReceiver`.
//  2. StateNode+Step  `runInStages` stops there, when the position has already moved past the interceptor. `hold` saves
//     the
//                     action as each station has it, with the position: a `SavedStep`, kept by the node to which the action
//                     was sent. The interceptor gets a `SavedStepDecision`, in a `HeldAction` of the module Arbor.
//  3. HeldAction      `pass`, `replace` or `drop` calls the decision; the first call counts. `replacement` (StateWrite)
//                     makes the replacement of a mutation that may fail.
//  4. StateNode+Step  The decision is an entry of its own in the mailbox. It calls `resume` or `drop` of the node's
//                     `SavedSteps`, in this file.
//  5. this file       `restore` gives the stations the action again, and `runInStages` continues from the position.

/// An action that an interceptor holds: its form at each station up to the interceptor, and the position from which it
/// continues.
///
/// - The node to which the action was sent keeps this object. The token doesn't, because an interceptor may keep the
///   token.
@usableFromInline
package final class SavedStep {
  /// A number that is greater than those of all steps saved earlier in the process.
  let number = Identity().number

  /// The action in its form at the node to which it was sent.
  let action: any Sendable
  private let position: StepPosition
  private let run: (AnyStation, SavedStep) -> Void

  /// The action as each station has it, from the node to which it was sent up to the node whose interceptor holds it.
  /// Unretained: the first node, which keeps this object, retains the others.
  private let forms: [(station: Unmanaged<AnyStation>, form: (any Sendable)?)]

  /// The action that continues instead, of the type of the interceptor's actions.
  private var replacement: (any Sendable)?

  /// - Parameter run: Runs a step of the node that resumes this one.
  init(at node: AnyStation, _ position: StepPosition, run: @escaping (AnyStation, SavedStep) -> Void) {
    var position = position
    // An interceptor that is added from now on has a higher number, and doesn't judge the action.
    position.end = min(position.end, number)
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

  /// Continues with the action, or with another in its place, as a step of its node.
  func resume(at node: AnyStation, replacing replacement: (any Sendable)?) {
    self.replacement = replacement
    run(node, self)
  }

  /// Gives the stations the action again. Returns the position after the interceptor that held it.
  @usableFromInline
  func restore(on tree: Tree) -> StepPosition {
    for (station, form) in forms { station._withUnsafeGuaranteedRef { $0.form = form } }
    if let replacement {
      forms.last?.station._withUnsafeGuaranteedRef { $0.form = replacement }
      tree.didReplaceAction(by: replacement)
    }
    return position
  }
}

extension AnyStation {
  /// The actions that were dispatched here and that interceptors hold. Only used on the tree's queue.
  var savedSteps: SavedSteps { attachments.object { SavedSteps(on: tree) }._withUnsafeGuaranteedRef { $0 } }
}

/// The actions of a node that interceptors hold. Only used on the tree's queue, and released with the node.
final class SavedSteps: Attachment, Sendable {
  nonisolated(unsafe) private var steps: [UInt64: SavedStep] = [:]

  init(on tree: Tree) {
    tree.inspection?.willSaveSteps { [weak self] in self?.actions }
  }

  /// The actions, in the order they were held.
  private var actions: [any Sendable] { steps.sorted { $0.key < $1.key }.map(\.value.action) }

  func add(_ step: SavedStep) {
    steps[step.number] = step
  }

  /// Continues with an action, or with another in its place.
  func resume(_ number: UInt64, at node: AnyStation, replacing replacement: (any Sendable)?) {
    guard let step = steps.removeValue(forKey: number) else { return }
    Tree.releaseLater(step)
    step.resume(at: node, replacing: replacement)
  }

  /// Drops an action.
  func drop(_ number: UInt64) {
    if let step = steps.removeValue(forKey: number) { Tree.releaseLater(step) }
  }
}
