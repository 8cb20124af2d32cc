/// The record of an action. A monitor borrows it for the duration of a call.
public struct ActionRecord: ~Copyable {
  /// The action, as it was dispatched.
  public let action: MonitoredAction

  private let trace: UnsafePointer<ActionTrace>

  package init(_ action: consuming MonitoredAction, _ trace: UnsafePointer<ActionTrace>) {
    self.action = action
    self.trace = trace
  }

  /// The number of the action in its tree, from 1, in the order the actions take their turn. A held action that
  /// continues gets a new number.
  public var number: UInt64 { trace.pointee.number }

  /// The cause of the action; `outside`, unless a monitor wants causes (see ``StoreMonitor/wantsCauses``).
  ///
  /// - If a held action continues, its cause is the held action.
  public var cause: ActionCause { trace.pointee.cause }

  /// The outcome of the action.
  public var outcome: ActionOutcome { isPlain ? .reduced : trace.pointee.outcome }

  /// `true` if the action was reduced as it was dispatched, like most actions. Doesn't copy anything.
  package var isPlain: Bool {
    trace.pointee.noStepReason == nil && trace.pointee.details == nil
  }

  /// The times of the action, with nanosecond precision; nil if it wasn't sampled (see
  /// ``StoreMonitor/timingInterval``).
  public var times: ActionTimes? { nanoseconds.map(ActionTimes.init) }

  /// The times of the action in nanoseconds; nil if it wasn't sampled.
  package var nanoseconds: ActionNanoseconds? { ActionNanoseconds(trace) }

  /// The stores' own states before and after the action. Empty if no monitor wanted them or no reducer ran.
  ///
  /// - The first one belongs to the store where the action was dispatched. The states of its ancestors follow, the
  ///   root's last.
  public var states: [StateTransition] { trace.pointee.details?.states ?? [] }

  /// The number of actions, subscriptions and other entries that wait for their turn in the action's tree. Reading it
  /// takes a lock.
  public var waiting: Int { trace.pointee.tree?._withUnsafeGuaranteedRef { $0.waiting } ?? 0 }

  /// `true`, except for the actions of a batch before its last one.
  public var isLastOfStep: Bool { trace.pointee.isLastOfStep }
}

/// An action that a monitor sees. The monitor borrows it for the duration of a call.
public struct MonitoredAction: ~Copyable {
  /// Not retained: it lives as long as this value is borrowed.
  private let node: Unmanaged<NodeIdentity>

  let type: Any.Type
  let address: UnsafeRawPointer

  /// - Parameter store: The store. The caller keeps it as long as the action.
  package init<Action: Sendable>(_ address: UnsafePointer<Action>, in store: MonitoredStore) {
    self.init(address, in: .passUnretained(store.node))
  }

  init<Action: Sendable>(_ address: UnsafePointer<Action>, in node: Unmanaged<NodeIdentity>) {
    self.node = node
    self.address = UnsafeRawPointer(address)
    type = Action.self
  }

  /// The store where the action was dispatched.
  public var store: MonitoredStore { MonitoredStore(node.takeUnretainedValue()) }

  /// The action. Reading it copies the action into an existential box; ``value(as:)`` doesn't need one.
  public var value: any Sendable {
    func load<Action>(_: Action.Type) -> Any { address.assumingMemoryBound(to: Action.self).pointee }
    // `Sendable` can't be tested at run time. The constraint of the initializer tested it at compile time.
    return unsafeBitCast(_openExistential(type, do: load), to: (any Sendable).self)
  }

  /// Returns the action if it has a given type, otherwise nil, without a box.
  public func value<Action>(as _: Action.Type) -> Action? {
    type == Action.self ? address.assumingMemoryBound(to: Action.self).pointee : nil
  }
}
