public import Dispatch

// The words of this folder, from the outside in:
//
// - tree: everything that one factory owns: nodes, derived values, activity channels. One `Tree` with one serial
//   dispatch queue.
// - mailbox: the accepted work of a tree, in order, under a lock. An *entry* is one piece of it, run by its *handler*.
// - audience: the observers of one thing, as a list of *subscriptions*. A node is an audience; a derived value and a
//   channel of activities have one.
// - node: the root or a child store. A scope isn't a node but a view of one.
// - address: a reference to an audience that keeps it only while it has an owner.
// - step: an action (or a batch) whose reducers have run; after each, the observers of the whole tree are notified. The
//   folder Steps contains the way of an action through the nodes, its *stations*.
// - owner: the object that keeps a node in its tree: the factory's or a `StoreObject`'s `Owner`. Its release closes the
//   address.
// - host: the object to which the tasks of a node or of a scope are attached, and a node's activity channels; it is
//   closed with the node. A node also has attachments that are only released with it, such as selector caches. The tree
//   has attachments that it calls in its steps.
// - place: the key path of a scope; scopes and features of the same place share their tasks.
//
// StateNode+Step.swift begins with the life of an action, ObserverSubscription.swift with the life of a subscription.
//
// Eight files of this folder refer to each other's types in a circle: Tree, Tree+Wait, NodeAddress, Audience, Node,
// ObserverSubscription, Attachments, DeferredReleases. Together they are a tree at work: work is accepted at an
// address. An address leads to an audience, which may be a node. An audience has subscriptions. Objects that they
// release are kept until the thread has left the tree.

/// A tree of stores: its mailbox, the queue on which accepted work runs, and the state of the running step.
///
/// - Work is accepted from any thread, under a lock that is held only during the append. The lock also guards the
///   changes of subscriptions and addresses; user code never runs under it.
/// - Entries run one at a time, in the order they were accepted.
/// - An append only wakes the executor if it finds the tree idle or raises the quality of service. A thread that leaves
///   the queue with entries remaining wakes it, too. So a flood of actions costs one wake per drain, not one per
///   action.
/// - A waiting thread runs the entries accepted before its call itself, on the tree's queue, unless another thread has
///   run them.
@usableFromInline
package final class Tree: Drainable, @unchecked Sendable {  // The mailbox has a lock; the rest belongs to the queue.
  @usableFromInline package let queue: DispatchQueue
  @usableFromInline package let quality: DispatchQoS
  package let executor: any TreeExecutor
  package let clock: any Clock<Duration>

  /// The tasks, delays and deliveries in progress.
  package let pending = PendingWork()
  package let mailbox: Protected<Mailbox>

  /// Drains the tree and releases it once. All wakes use this block, and each retains the tree.
  private(set) var drainAndRelease: @Sendable @convention(block) () -> Void = {}

  /// The entries that were taken out of the mailbox, all at once, after the ones before them had run.
  @exclusivity(unchecked)
  var current = EntryQueue()

  /// The root node; nil if the tree only has audiences of other kinds. Unretained: each node retains its parent, so the
  /// root lives as long as any node.
  @usableFromInline
  @exclusivity(unchecked)
  package var root: Unmanaged<Node>!

  /// The gate in front of the entries, with the entries that wait there.
  @exclusivity(unchecked)
  var gated = GatedEntries()

  /// The number of entries whose turn has come: they have begun, or were moved to the gate.
  @exclusivity(unchecked)
  package var begun: UInt64 = 0

  /// The innermost tree whose work the calling thread runs. Stored to avoid the initialization check of a global.
  let currentTree = Platform.ThreadLocal.currentTree

  /// The objects of capabilities that act with the tree's steps.
  package let attachments = Attachments()

  /// The queue on which a drain releases its deferred objects, in order.
  private(set) lazy var releaseQueue = DispatchQueue(label: "Arbor.releasing", qos: quality)

  /// The inspection of a manual executor; nil in production.
  @usableFromInline package let inspection: (any TreeInspection)?

  /// The listener for the tree's events; nil if there is none.
  @usableFromInline package let listener: (any TreeListener)?

  /// The listener, if it traces actions. Retained by the tree.
  @usableFromInline let tracer: Unmanaged<ListenerBox>?

  /// The name of the root in reports; nil for a tree without a root.
  let rootName: RootName?

  /// `true` if link updates or joins wait in the mailbox.
  let hasLinkUpdates = AtomicFlag(false)

  /// The record of the thread that runs the tree's work.
  @exclusivity(unchecked)
  var thread = RunningThread()

  #if DEBUG
    @usableFromInline let phase = StepPhase.Current()
  #endif

  /// The record of the tree's steps.
  @usableFromInline
  @exclusivity(unchecked)
  package var step = RunningStep()

  /// The number of interceptors and effects that were added to nodes. Changed on the queue, and when a node is freed.
  @usableFromInline let addedCount = AtomicNumber(0)

  @usableFromInline
  init(
    quality: DispatchQoS,
    clock: any Clock<Duration>,
    executor: any TreeExecutor,
    listener: (any TreeListener)? = nil,
    root rootName: RootName? = nil
  ) {
    let quality = Quality(quality)
    self.quality = quality.service
    self.executor = executor
    inspection = executor.inspection(clock: clock)
    self.clock = clock
    self.listener = listener
    tracer = listener.flatMap { $0.tracesActions ? .passRetained(ListenerBox($0)) : nil }
    self.rootName = rootName
    queue = DispatchQueue(label: "Arbor", qos: quality.service, autoreleaseFrequency: .workItem)
    mailbox = Protected(Mailbox(quality: quality))
    drainAndRelease = makeDrainAndRelease()
  }

  /// Makes a tree for a source without one: a closure-backed store, or a constant derived value.
  @usableFromInline
  package convenience init() {
    self.init(quality: .unspecified, clock: ContinuousClock(), executor: QueueExecutor())
  }

  deinit {
    tracer?.release()
  }

  /// Returns the audience at an address; nil if the address is closed.
  @usableFromInline
  func target(of address: Address) -> AnyObject? {
    mailbox.withLock { _ in address.target }
  }

  /// Appends an entry to the mailbox, unless the address is closed.
  ///
  /// - Parameter write: Initializes the handler's payload. Called under the lock, so it must only copy.
  /// - Returns: `true` if the entry was accepted.
  @usableFromInline
  func append(
    at address: Address,
    _ handler: Unmanaged<Handler>,
    write: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    let acceptance = mailbox.withLock { mailbox in
      guard address.target != nil else { return Mailbox.Acceptance.refused }
      return mailbox.accept(handler, quality: address.quality, write: write)
    }
    return wakeIfNeeded(after: acceptance)
  }

  /// Appends work with the audience at an address to the mailbox, unless the address is closed.
  ///
  /// - Returns: `true` if the work was accepted.
  @usableFromInline
  package func append(at address: Address, _ work: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    append(at: address, .other, work)
  }

  /// Appends work of a kind with the audience at an address to the mailbox, unless the address is closed.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entry, for inspection.
  ///   - describe: Describes the entry in more detail. Called with the audience, and only for an inspection.
  /// - Returns: `true` if the work was accepted.
  @usableFromInline
  package func append(
    at address: Address,
    _ kind: WaitingEntry.Kind,
    describe: (@Sendable (AnyObject) -> WaitingEntry)? = nil,
    _ work: @escaping @Sendable (AnyObject) -> Void
  ) -> Bool {
    let acceptance = mailbox.withLock { mailbox in
      guard let target = address.target else { return Mailbox.Acceptance.refused }
      return mailbox.accept(QueuedWork(with: target, kind, describe: describe, work: work), quality: address.quality)
    }
    return wakeIfNeeded(after: acceptance)
  }

  /// Records in debug builds which part of a step begins.
  @inlinable @inline(__always)
  func enter(_ phase: StepPhase) {
    #if DEBUG
      self.phase.number.store(phase.rawValue)
    #endif
  }

  // MARK: The running thread

  /// `true` if the calling thread is running this tree's work.
  @usableFromInline package var isInside: Bool {
    isInside(from: currentTree.value)
  }

  /// Returns `true` if a thread is running this tree's work. `caller` is the thread's innermost tree.
  func isInside(from caller: UnsafeRawPointer?) -> Bool {
    var tree = caller
    while let running = tree {
      if running == pointer { return true }
      tree = Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { $0.thread.enclosing }
    }
    return false
  }

  /// The tree's identity for thread-local variables and the wait table.
  var pointer: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The record of a tree's steps, and of the running one.
@usableFromInline
package struct RunningStep {
  /// The number of the running action's form. It grows with each action that begins, and with each replacement. A
  /// scoped feature checks an action once for each number.
  @usableFromInline package var formNumber: UInt64 = 0

  /// Counts everything that may have changed a state: each reduced action, also inside a batch, and each failed
  /// mutation. While it is the same, every state of the tree is the same.
  @usableFromInline package var revision: UInt64 = 0

  /// The outcome of the mutations that the reducers applied.
  @usableFromInline package var writes = WriteOutcome.none

  /// `true` if a change was made whose caller waits for it, and which would be lost if the action weren't a step.
  @usableFromInline package var hasAwaitedChange = false

  /// The sender that can still revoke the running action; nil if there is none. It can revoke the action until the
  /// interceptors are done, or until one of them decides that the action is reduced. The code that runs the step keeps
  /// the sender alive.
  @usableFromInline package unowned(unsafe) var revocableSender: ActionSender?

  /// The parts of the action that scoped features keep from the interceptors to the effects.
  @usableFromInline var kept = ContiguousArray<Unmanaged<KeptPart>>()

  /// `true` while reducers run.
  @usableFromInline var isReducing = false

  /// `true` while effects are requested and performed, between the reducers and the observers.
  @usableFromInline var isPerformingEffects = false

  /// The work that waits for the end of the running batch, in order; nil outside batches of several actions. During a
  /// batch, state effects and observers skip the intermediate states.
  @usableFromInline package var afterBatch: [() -> Void]?

  /// The nodes that composed their state for effects or early observers, and keep it for the others.
  @usableFromInline var nodesWithComposedState: [Node] = []

  /// `true` while the early observers receive the new state, before any other observer does.
  @usableFromInline var isEarlyRound = false

  /// The revision of the last state that the early observers received.
  @usableFromInline var earlyRevision: UInt64 = 0

  /// `true` if an attachment of the tree must be called before and after the observers.
  @usableFromInline package var isFollowed = false

  /// The cause of anything that the running callback starts, in a tree whose listener wants causes.
  @usableFromInline package var cause = ActionCause.outside

  @inlinable
  init() {}

  @inlinable package var isInBatch: Bool { afterBatch != nil }
  @inlinable var hasComposedStates: Bool { !nodesWithComposedState.isEmpty }
}

/// The outcome of the mutations that reducers applied. Each mutation may fail.
@usableFromInline
package enum WriteOutcome {
  /// No mutation was applied.
  case none

  /// At least one mutation succeeded.
  case made

  /// Mutations were applied, and all of them failed.
  case failed

  mutating func note(_ isMade: Bool) {
    if isMade {
      self = .made
    } else if self == .none {
      self = .failed
    }
  }
}
