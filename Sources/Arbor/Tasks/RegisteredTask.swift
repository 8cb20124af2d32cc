/// A task registered in a scope.
@usableFromInline
final class RegisteredTask: @unchecked Sendable {
  // Sendable because the lock of its table guards its variables. Three things are read without the lock. `monitored` is
  // set before the task is registered. The number and the key are set when it is registered and read after that. The
  // sender is read by the task's own body, which ends before the sender is taken away, and by the code whose
  // registration was refused.

  /// Creates the Swift task that runs the body, and notifies the scope when the body has ended. Not called under the
  /// table's lock: waking a thread takes longer than anything done under the lock.
  ///
  /// A closure creates the Swift task, instead of this class, so that the body is called with as few frames as
  /// possible.
  let makeSwiftTask: @Sendable (RegisteredTask) -> Task<Void, Never>

  @usableFromInline let scope: TaskScope

  /// The task's position among all tasks of the process.
  let identity = Identity()

  /// The group that the task has entered; nil if no caller waits for a group of effects that includes it.
  let group: EffectGroup?

  /// `true` if work of the tree registered the task; `false` if a call outside the tree's callbacks did.
  let startedByTree: Bool

  /// `true` if callers that wait for the tree to settle don't wait for the task.
  let isOngoing: Bool

  /// The number of the entry in which the task was registered; 0 if a call outside the tree's callbacks registered it.
  let entry: UInt64

  /// The task as seen by a manual executor; nil in production.
  let inspected: InspectedTask?

  /// The presence that the task needs: without it, the task is canceled. Nil if the task needs none.
  let presence: ScopePresence?

  /// The value of ``ScopePresence/exchanges`` when the task's turn came; nil before that. See
  /// ``TaskScope/watch(_:for:)``.
  var exchanges: UInt64?

  /// The outcome for the task's ``StoreTask``, or for an effect that handles its failure; nil for any other effect.
  let outcome: TaskOutcome?

  /// The task's identity for monitors; nil if the tree has none. Set before the task is registered.
  var monitored: MonitoredTask?

  /// The task's position in the order in which tasks were registered in the scope, from 1; 0 before that.
  @usableFromInline var number: UInt64 = 0

  /// The tasks with its key; nil for a parallel task without a key.
  var keyed: KeyedTasks?

  /// The sender of the task's actions; nil after the task has ended. While it lives, actions of the task may still
  /// arrive, even after the body has ended.
  @usableFromInline var sender: ActionSender?

  /// `true` after its lane has started it: its Swift task exists, or is about to be made.
  var hasBegun = false
  var isDropped = false

  /// The Swift task; nil until the body is started.
  var swiftTask: Task<Void, Never>?

  @usableFromInline
  init(
    in scope: TaskScope,
    group: EffectGroup?,
    outcome: TaskOutcome?,
    inspected: InspectedTask?,
    isOngoing: Bool = false,
    presence: ScopePresence? = nil,
    swiftTask makeSwiftTask: @escaping @Sendable (RegisteredTask) -> Task<Void, Never>
  ) {
    self.scope = scope
    self.group = group
    self.outcome = outcome
    self.inspected = inspected
    self.isOngoing = isOngoing
    self.presence = presence
    self.makeSwiftTask = makeSwiftTask
    startedByTree = scope.tree.isInside
    entry = startedByTree ? scope.tree.runningEntry : 0
    sender = ActionSender(keeping: group)
  }

  /// Runs the body of the task on the tree's executor.
  @usableFromInline
  func run(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    scope.tree.executor.startTask(priority: priority, body)
  }

  /// Runs a body as the code of the task, for a manual executor.
  @usableFromInline
  func runAsTaskCode(_ body: () -> Void) {
    guard let inspected else { return body() }
    InspectedTask.$current.withValue(inspected, operation: body)
  }

  /// Removes the task from the inspection, so that a manual executor doesn't wait for it: it has ended or will never
  /// begin.
  func forgetTracked() {
    if let inspected { scope.tree.taskInspection?.forget(inspected) }
  }

  /// Assigns the task's identity for monitors, before it is registered.
  func identify(in store: MonitoredStore, key: TypedKey?, causedBy cause: ActionCause?) {
    let monitored = MonitoredTask(
      store: store,
      id: identity.number,
      key: key?.value,
      cause: cause ?? scope.tree.cause,
      of: group?.stateEffect
    )
    self.monitored = monitored
    if scope.tree.listener?.wantsCauses == true {
      sender = ActionSender(causedBy: monitored.ownCause, keeping: group)
    }
  }

  /// Reports an event of the task to the monitors, if there are any.
  func report(_ event: (MonitoredTask) -> StoreEvent) {
    guard let monitored else { return }
    scope.tree.post(.other(event(monitored)))
  }

  /// Reports the task's result to the monitors.
  func report(_ result: Result<any Sendable, any Error>) {
    report { task in
      switch result {
      case .success: .taskFinished(task)
      case .failure(is CancellationError): .taskCancelled(task)
      case .failure(let error): .taskFailed(task, error)
      }
    }
  }
}
