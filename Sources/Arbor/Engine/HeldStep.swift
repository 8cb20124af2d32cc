/// An action that an interceptor has just held: what is left of its way through the interceptors, and the receiver of
/// its token.
///
/// - The interceptors return `false`, as for a dropped action. Each function on the way out adds what it would have done
///   after the one that returned.
@usableFromInline
final class HeldStep {
  /// The functions that are left, an ``InterceptorChain/Pass`` for the type of action reached on the way out.
  private var rest: Any

  /// Assigns the action that goes on instead, of the interceptor's type.
  let assign: (any Sendable) -> Void

  /// Gives the token to the interceptor.
  let deliver: (ActionHold) -> Void

  @usableFromInline
  init<Action>(
    _ rest: @escaping InterceptorChain<Action>.Pass,
    assign: @escaping (any Sendable) -> Void,
    deliver: @escaping (ActionHold) -> Void
  ) {
    self.rest = Rest(pass: rest)
    self.assign = assign
    self.deliver = deliver
  }

  private struct Rest<Action: Sendable> {
    let pass: InterceptorChain<Action>.Pass
  }

  /// The functions that are left, which the caller knows to take this type of action.
  func rest<Action>(of _: Action.Type) -> InterceptorChain<Action>.Pass {
    (rest as! Rest<Action>).pass
  }

  /// Replaces the functions that are left by one that calls them.
  @usableFromInline
  func replaceRest<Action, Outer>(
    by makeRest: (@escaping InterceptorChain<Action>.Pass) -> InterceptorChain<Outer>.Pass
  ) {
    rest = Rest(pass: makeRest(rest(of: Action.self)))
  }
}

extension Tree {
  /// The step that the tree of the calling thread holds; nil if an action was dropped, and not held.
  @usableFromInline static var currentHeldStep: HeldStep? {
    guard let running = Platform.ThreadLocal.currentTree.value else { return nil }
    let held = Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { $0.heldStep }
    return held.map { unsafeDowncast($0, to: HeldStep.self) }
  }

  /// Takes the held step out, when all interceptors have returned.
  func takeHeldStep() -> HeldStep? {
    heldStep.take().map { unsafeDowncast($0, to: HeldStep.self) }
  }

  /// The actions that interceptors hold: those of each node in the order in which they were held. On the tree's queue.
  package var undecidedActions: [any Sendable] { heldActions.flatMap { $0() ?? [] } }

  /// Lets go of the held step, which is revoked. It has the closure of the interceptor.
  @usableFromInline
  func releaseHeldStep() {
    if let held = heldStep.take() { Tree.releaseLater(held) }
  }

  /// Adds to a held action's way what follows the interceptors that have just returned `false`.
  ///
  /// - Does nothing if they have dropped the action.
  @usableFromInline
  static func continueHeld<Action: Sendable>(_: Action.Type, _ following: @escaping InterceptorChain<Action>.Pass) {
    currentHeldStep?.replaceRest { (pass: @escaping InterceptorChain<Action>.Pass) -> InterceptorChain<Action>.Pass in
      { action in
        guard pass(&action) else {
          // It may be held again.
          continueHeld(Action.self, following)
          return false
        }
        return following(&action)
      }
    }
  }

  /// Makes the rest of a held action's way one for the action of a node below, which stays as it is.
  ///
  /// - Does nothing if the interceptors that have just returned `false` have dropped the action.
  /// - Parameters:
  ///   - passed: The action as these interceptors have left it.
  ///   - keep: Receives the action that has passed in the end.
  @usableFromInline
  static func continueHeld<Action: Sendable, Below: Sendable>(
    _ passed: Action,
    from _: Below.Type,
    _ keep: @escaping @Sendable (Action) -> Void
  ) {
    currentHeldStep?.replaceRest { (pass: @escaping InterceptorChain<Action>.Pass) -> InterceptorChain<Below>.Pass in
      { _ in
        var passed = passed
        guard pass(&passed) else {
          // It may be held again.
          continueHeld(passed, from: Below.self, keep)
          return false
        }
        keep(passed)
        return true
      }
    }
  }

  /// Makes the rest of a held action's way one for another type or value of the action, where the interceptors that
  /// have just returned `false` are called with that.
  ///
  /// - Does nothing if they have dropped the action.
  /// - Parameter call: Calls the rest with the action that it takes, and does what belongs to an action that has passed.
  @usableFromInline
  static func wrapHeld<Action: Sendable, Outer: Sendable>(
    _ call: @escaping @Sendable (_ pass: InterceptorChain<Action>.Pass, _ outer: inout Outer) -> Bool
  ) {
    currentHeldStep?.replaceRest { (pass: @escaping InterceptorChain<Action>.Pass) -> InterceptorChain<Outer>.Pass in
      { outer in
        guard call(pass, &outer) else {
          // It may be held again.
          wrapHeld(call)
          return false
        }
        return true
      }
    }
  }
}

extension Node {
  /// The actions that were dispatched here and are held by interceptors. On the tree's queue only.
  var heldSteps: HeldSteps { attachments.object { HeldSteps(on: tree) }._withUnsafeGuaranteedRef { $0 } }
}

extension StateNode {
  /// Keeps an action that an interceptor holds, and gives the interceptor its token.
  ///
  /// - The node keeps what is left of the action's way, and the token none of it: an interceptor may keep the token.
  @usableFromInline
  func hold<Tracer: StepTracer>(_ action: Action, from sender: ActionSender?, _ tracer: Tracer) {
    guard let held = tree.takeHeldStep() else { return }
    // It has the closure of the interceptor.
    Tree.releaseLater(held)
    let rest = held.rest(of: Action.self)
    // It is accepted anew here and now, where its cause is known.
    let stamp = Tracer.stamp(on: tree, from: sender)
    let number = heldSteps.add(action, assign: held.assign) { node in
      let tracer = Tracer.of(node.tree)
      unsafeDowncast(node, to: StateNode.self).step(action, from: sender, resuming: rest, stamp, tracer)
    }
    let enqueue: @Sendable ((any Sendable)?) -> Void = { [address = nodeAddress] replacement in
      _ = StateNode.append([action], from: sender, to: address) { node in
        node.heldSteps.resume(number, at: node, replacing: replacement)
      }
    }
    held.deliver(ActionHold(of: Action.self, at: nodeAddress, number, enqueue: enqueue))
  }
}

/// The actions of a node that are held by interceptors. On the tree's queue only.
final class HeldSteps: Attachment, @unchecked Sendable {
  // Sendable because it is used on the tree's queue only, and released with its node.

  private final class Step {
    let action: any Sendable
    let assign: (any Sendable) -> Void
    let run: (Node) -> Void

    init(_ action: any Sendable, assign: @escaping (any Sendable) -> Void, run: @escaping (Node) -> Void) {
      self.action = action
      self.assign = assign
      self.run = run
    }
  }

  private var steps: [Int: Step] = [:]
  private var count = 0

  init(on tree: Tree) {
    super.init()
    tree.heldActions.removeAll { $0() == nil }
    tree.heldActions.append { [weak self] in self?.actions }
  }

  /// The actions, in the order in which they were held.
  private var actions: [any Sendable] { steps.sorted { $0.key < $1.key }.map(\.value.action) }

  /// Adds an action, with functions that replace it and let it go on, and returns its number.
  func add(_ action: any Sendable, assign: @escaping (any Sendable) -> Void, run: @escaping (Node) -> Void) -> Int {
    count += 1
    steps[count] = Step(action, assign: assign, run: run)
    return count
  }

  /// Lets an action go on, or another in its place.
  func resume(_ number: Int, at node: Node, replacing replacement: (any Sendable)?) {
    guard let step = steps.removeValue(forKey: number) else { return }
    Tree.releaseLater(step)
    if let replacement { step.assign(replacement) }
    step.run(node)
  }

  /// Drops an action.
  func drop(_ number: Int) {
    if let step = steps.removeValue(forKey: number) { Tree.releaseLater(step) }
  }
}

/// The decision about a held action, of which the first counts. Undecided when it is released, it drops the action.
@usableFromInline
final class ActionHold: Sendable {
  private let address: NodeAddress
  private let number: Int

  /// The type of the action, for the report of a token that is let go of.
  private let actionType: any Any.Type

  /// Lets the action go on, or another in its place, after everything accepted before. Nil once it is decided: it has the
  /// action's task.
  private let enqueue: Protected<(@Sendable (_ replacement: (any Sendable)?) -> Void)?>

  init(
    of actionType: any Any.Type,
    at address: NodeAddress,
    _ number: Int,
    enqueue: @escaping @Sendable (_ replacement: (any Sendable)?) -> Void
  ) {
    self.actionType = actionType
    self.address = address
    self.number = number
    self.enqueue = Protected(enqueue)
  }

  /// Lets the action go on, or another in its place, unless it is decided.
  func resume(replacing replacement: @autoclosure () -> (any Sendable)? = nil) {
    if let enqueue = decide() { enqueue(replacement()) }
  }

  /// Drops the action, unless it is decided.
  func drop() {
    if decide() != nil { removeStep() }
  }

  /// Returns the way on once, for the caller that may decide.
  private func decide() -> (@Sendable ((any Sendable)?) -> Void)? { enqueue.withLock { $0.take() } }

  private func removeStep() {
    _ = address.tree.append(at: address) { [number] node in unsafeDowncast(node, to: Node.self).heldSteps.drop(number) }
  }

  deinit {
    guard decide() != nil, address.isOpen else { return }
    removeStep()
    address.reportForgottenToken(of: actionType)
  }
}

extension StateNode {
  /// Accepts actions that an observer has sent while it is shown another moment than the present. They reach no reducer,
  /// and the monitors see them dropped.
  @inlinable
  static func drop<Tracer: StepTracer>(
    _ actions: [Action],
    at address: NodeAddress,
    _ stamp: Tracer.Stamp,
    _: Tracer.Type
  ) -> Bool {
    address.tree.append(at: address, .other, describe: nil) { node in
      let node = unsafeDowncast(node, to: StateNode.self)
      let tracer = Tracer.of(node.tree)
      for (index, action) in actions.enumerated() {
        var trace = tracer.begin(action, stamp, at: node)
        tracer.didNotStep(&trace, .dropped)
        tracer.finish(action, &trace, isLastOfStep: index == actions.count - 1, at: node)
      }
    }
  }
}
