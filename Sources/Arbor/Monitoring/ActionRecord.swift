/// The record of an action, borrowed by a monitor for the duration of a call.
public struct ActionRecord: ~Copyable {
  /// The action, as it was dispatched.
  public let action: MonitoredAction

  private let trace: UnsafePointer<ActionTrace>

  package init(_ action: consuming MonitoredAction, _ trace: UnsafePointer<ActionTrace>) {
    self.action = action
    self.trace = trace
  }

  /// The number of the action in its tree, from 1 on, in the order in which their turns have come. A held action that
  /// goes on gets another one.
  public var number: UInt64 { trace.pointee.number }

  /// The cause of the action; outside, unless a monitor wants causes (see ``StoreMonitor/wantsCauses``).
  ///
  /// - A held action that goes on is caused by the action that was held.
  public var cause: ActionCause { trace.pointee.cause }

  /// The outcome of the action.
  public var outcome: ActionOutcome { isPlain ? .reduced : trace.pointee.outcome }

  /// `true` if the action was reduced as it was dispatched, as most are. Copies nothing.
  package var isPlain: Bool {
    trace.pointee.noStepReason == nil && trace.pointee.details == nil
  }

  /// The times of the action, to the nanosecond; nil if it was not sampled (see ``StoreMonitor/timingInterval``).
  public var times: ActionTimes? { nanoseconds.map(ActionTimes.init) }

  /// The same in nanoseconds.
  package var nanoseconds: ActionNanoseconds? { ActionNanoseconds(trace) }

  /// The stores' own states before and after the action: first of the store to which it was dispatched, then of each
  /// ancestor, the root's last. Empty if no monitor wanted them or no reducer ran.
  public var states: [StateTransition] { trace.pointee.details?.states ?? [] }

  /// The number of actions, subscriptions and other things that wait for their turn in the action's tree. Takes a lock.
  public var waiting: Int { trace.pointee.tree?._withUnsafeGuaranteedRef { $0.waiting } ?? 0 }

  /// `true` except for the actions of a batch before its last one.
  public var isLastOfStep: Bool { trace.pointee.isLastOfStep }
}

/// An action that a monitor sees, borrowed for the duration of a call.
public struct MonitoredAction: ~Copyable {
  /// Not retained: it lives as long as this is borrowed.
  private let node: Unmanaged<NodeIdentity>

  let type: Any.Type
  let address: UnsafeRawPointer

  /// - Parameter store: The store, which the caller keeps as long as the action.
  package init<Action: Sendable>(_ address: UnsafePointer<Action>, in store: MonitoredStore) {
    self.init(address, in: .passUnretained(store.node))
  }

  init<Action: Sendable>(_ address: UnsafePointer<Action>, in node: Unmanaged<NodeIdentity>) {
    self.node = node
    self.address = UnsafeRawPointer(address)
    type = Action.self
  }

  /// The store to which the action was dispatched.
  public var store: MonitoredStore { MonitoredStore(node.takeUnretainedValue()) }

  /// The action. This copies it into an existential box, which ``value(as:)`` does not need.
  public var value: any Sendable {
    func load<Action>(_: Action.Type) -> Any { address.assumingMemoryBound(to: Action.self).pointee }
    // `Sendable` cannot be tested at run time. The constraint of the initializer has tested it at compile time.
    return unsafeBitCast(_openExistential(type, do: load), to: (any Sendable).self)
  }

  /// The action if it is of a type, else nil; without a box.
  public func value<Action>(as _: Action.Type) -> Action? {
    type == Action.self ? address.assumingMemoryBound(to: Action.self).pointee : nil
  }
}
