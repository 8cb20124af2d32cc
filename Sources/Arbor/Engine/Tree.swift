public import Dispatch

#if DEBUG
  public import Synchronization
#else
  internal import Synchronization
#endif

// Ten files of this folder name each other in a circle. They are one thing, a tree at work: the mailbox runs what was accepted at an
// address; the address leads to an audience, which may be a node with children; an audience has subscriptions; they begin and end by
// changes that the mailbox makes between two entries; and what leaves by them is kept, by the releases, until the thread has left the
// mailbox. Wherever one cuts, a part would know its neighbour by a protocol that has one type. The other files are above or below.

/// The queue of a tree's accepted work, and what runs it: one entry after the other, in the order they were accepted.
///
/// - From any thread: a lock is held for the append alone, and user code never runs under it.
/// - Only the append that finds the mailbox idle wakes the executor, so that a flood pays for one wake, not for one an
///   action.
/// - Whoever waits runs what was accepted before, on its own thread and the tree's queue.
@usableFromInline
package final class Tree: Drainable, @unchecked Sendable {  // What the lock does not guard is the queue's alone.
  @usableFromInline package let queue: DispatchQueue
  @usableFromInline package let quality: DispatchQoS
  let executor: any TreeExecutor
  let clock: any Clock<Duration>

  /// The deliveries that wait for the main actor.
  let main = MainDeliveries()
  let mailbox: Protected<Mailbox>

  /// Entries out of the inbox, taken all at once when those before them are through.
  @exclusivity(unchecked)
  var current = EntryQueue()

  /// How many entries were begun.
  @exclusivity(unchecked)
  var begun: UInt64 = 0

  /// The innermost tree whose work a thread runs. Shared by all trees; kept here to be found at once.
  let currentTree = Platform.ThreadLocal.currentTree

  /// The tree in one of whose callbacks, on the same thread, this one is being run.
  var enclosing: UnsafeRawPointer?

  /// The derived values to settle in the running step.
  @usableFromInline let derivedUpdates = DerivedUpdates()

  /// `true` while derived values are given the state, before the observers are.
  @usableFromInline
  @exclusivity(unchecked)
  var isUpdatingDerivedValues = false

  /// The revision of the state that derived values were given last.
  @usableFromInline
  @exclusivity(unchecked)
  var derivedRevision: UInt64 = 0

  /// `true` while effects are declared and performed, between the reducers and the observers of a step.
  @usableFromInline
  @exclusivity(unchecked)
  var isPerformingEffects = false

  /// `true` while the actions of a batch are reduced: a state in the middle of a step is nobody's.
  @usableFromInline
  @exclusivity(unchecked)
  var isInBatch = false

  /// The nodes that keep the state that they have composed for derived values, for their observers in the same step.
  @usableFromInline
  @exclusivity(unchecked)
  var nodesWithComposedState: [Node] = []

  /// `true` if there are any.
  @usableFromInline
  @exclusivity(unchecked)
  var hasComposedStates = false

  /// Combined values of which an input in another tree has changed, until they are settled here.
  let invalidated = Protected<[any Derivation]>([])
  let hasInvalidatedValues = Atomic(false)

  /// The objects that were let go of since the queue was come to; nil if there are none.
  @exclusivity(unchecked)
  var deferredReleases: DeferredReleases?

  /// Where that is released what a drain has let go of, in order.
  private(set) lazy var releaseQueue = DispatchQueue(label: "Arbor.releasing", qos: quality)

  /// Looks at the tree for who runs it by hand; nil if nobody does.
  @usableFromInline let inspection: (any TreeInspection)?

  /// Hears what happens in the tree; nil if nobody wants to.
  @usableFromInline let listener: (any TreeListener)?

  /// `true` if changes of links wait.
  let hasLinkUpdates = Atomic(false)

  /// The completion of the last task that waits for an entry, until the queue was left.
  @exclusivity(unchecked)
  var completion: (@Sendable () -> Void)?

  /// Work that is to be done once the queue was left.
  @exclusivity(unchecked)
  var afterwards: [@Sendable () -> Void] = []

  /// `true` if reducers run at this moment.
  @usableFromInline
  @exclusivity(unchecked)
  var isReducing = false

  #if DEBUG
    @usableFromInline let phase = StepPhase.Current()
  #endif

  /// The outcome of the changes that the running reducers have applied by themselves.
  @usableFromInline
  @exclusivity(unchecked)
  var writeOutcome = WriteOutcome.none

  /// `true` while an action is reduced that could fail when it was dispatched, whatever has taken its place.
  @usableFromInline
  @exclusivity(unchecked)
  var runningActionCanFail = false

  /// How often reducers have run: while it is the same, so is every state of the tree.
  @usableFromInline
  @exclusivity(unchecked)
  var revision: UInt64 = 0

  @usableFromInline
  init(
    quality: DispatchQoS,
    clock: any Clock<Duration>,
    executor: any TreeExecutor,
    listener: (any TreeListener)? = nil
  ) {
    let quality = Quality(quality)
    self.quality = quality.service
    self.executor = executor
    inspection = executor.inspection(clock: clock)
    self.clock = clock
    self.listener = listener
    queue = DispatchQueue(label: "Arbor", qos: quality.service, autoreleaseFrequency: .workItem)
    mailbox = Protected(Mailbox(quality: quality))
  }

  /// Makes the mailbox of something that belongs to no tree.
  @usableFromInline
  convenience init() {
    self.init(quality: .unspecified, clock: ContinuousClock(), executor: QueueExecutor())
  }

  /// The address's resident, if the address is open.
  @usableFromInline
  func target(of address: Address) -> AnyObject? {
    mailbox.withLock { _ in address.target }
  }

  /// Adds an entry at the end, unless the address is closed.
  ///
  /// - Parameter write: Initializes the handler's payload. Called under the lock: it only copies.
  /// - Returns: Whether the entry was accepted.
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

  /// Adds work with the address's resident at the end, unless the address is closed.
  ///
  /// - Returns: Whether the work was accepted.
  @usableFromInline
  func append(at address: Address, _ work: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    append(at: address, .other, work)
  }

  /// Adds work as above.
  ///
  /// - Parameters:
  ///   - kind: What the work is, for those who look.
  ///   - describe: Says more about it; called with the resident, and only if anybody looks.
  @usableFromInline
  func append(
    at address: Address,
    _ kind: WaitingEntry.Kind,
    describe: (@Sendable (AnyObject) -> WaitingEntry)? = nil,
    _ work: @escaping @Sendable (AnyObject) -> Void
  ) -> Bool {
    let acceptance = mailbox.withLock { mailbox in
      guard let target = address.target else { return Mailbox.Acceptance.refused }
      return mailbox.accept(QueuedWork(node: target, kind, describe: describe, work: work), quality: address.quality)
    }
    return wakeIfNeeded(after: acceptance)
  }

  /// A task is about to suspend until something is done that was accepted.
  @usableFromInline
  func taskWaits() {
    // A callback cannot wait for what comes behind it.
    if !isInside { executor.taskWaits(for: self) }
  }

  func wakeIfNeeded(after acceptance: Mailbox.Acceptance) -> Bool {
    switch acceptance {
    case .refused:
      return false
    case .accepted:
      return true
    case .acceptedToWake(let quality):
      executor.wake(self, quality: quality.service)
      return true
    }
  }

  /// Notes in debug builds which part of a step begins.
  @inlinable @inline(__always)
  func enter(_ phase: StepPhase) {
    #if DEBUG
      self.phase.value.store(phase, ordering: .relaxed)
    #endif
  }

  // MARK: The running thread

  /// `true` if the calling thread runs this tree's work at the moment.
  @usableFromInline package var isInside: Bool {
    isInside(from: currentTree.value)
  }

  /// `true` if a thread that runs a tree's work, or that of several, runs this one's.
  func isInside(from caller: UnsafeRawPointer?) -> Bool {
    var tree = caller
    while let running = tree {
      if running == pointer { return true }
      tree = Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { $0.enclosing }
    }
    return false
  }

  /// Runs a body as another thread would that is in no tree's callback, to simulate one.
  package static func asOtherThread(_ body: () -> Void) {
    let (shared, releasing) = (Platform.ThreadLocal.currentTree, Platform.ThreadLocal.currentReleases)
    let before = (running: shared.value, releases: releasing.value)
    shared.set(nil)
    releasing.set(nil)
    body()
    shared.set(before.running)
    releasing.set(before.releases)
  }

  var pointer: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}
