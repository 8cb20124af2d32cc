/// The content of a mailbox under its lock: the accepted entries, and the count of those who are coming to run them.
struct Mailbox: ~Copyable, Sendable {
  /// The outcome for an entry.
  enum Acceptance {
    case refused
    case accepted
    case acceptedToWake(Quality)
  }

  /// The outcome for one who wanted to leave.
  enum Departure {
    /// Changes of links have come in, which he makes first.
    case refused
    case left
    case leftToWake(Quality)
  }

  var entries = EntryQueue()

  /// Changes of links that wait for the running round of notification to end, if there is one.
  var changes: [QueuedWork] = []

  /// New children that wait to join their parents: with the changes, or before somebody asks for one of them.
  var joins: [QueuedWork] = []

  /// How many entries were ever accepted.
  private(set) var accepted: UInt64 = 0

  /// How many wakes of the executor have not been answered yet.
  private var wakes = 0

  /// How many drains and waits run, or are on their way to the queue.
  private(set) var activeThreads = 0

  /// `true` if the last one who left the queue left entries behind that it had taken out.
  private var hasBacklog = false

  /// The quality of service that wakes have anyway, and the highest asked for since the mailbox was idle.
  private let leastQuality: Quality
  private var quality: Quality

  init(quality: Quality) {
    leastQuality = quality
    self.quality = quality
  }

  /// `true` if nothing runs and nothing waits.
  var isIdle: Bool { activeThreads == 0 && entries.isEmpty && !hasBacklog }

  /// Adds an entry at the end, and tells whether the executor must be woken for it.
  ///
  /// - Parameter write: Initializes the handler's payload.
  @inline(__always)
  mutating func accept(
    _ handler: Unmanaged<Handler>,
    quality asked: Quality,
    write: (UnsafeMutableRawPointer) -> Void
  ) -> Acceptance {
    write(entries.append(handler))
    accepted += 1
    guard hasNoRunner || asked > quality else { return .accepted }
    quality = max(quality, asked)
    wakes += 1
    return .acceptedToWake(quality)
  }

  mutating func accept(_ work: QueuedWork, quality: Quality) -> Acceptance {
    accept(Unmanaged.passUnretained(QueuedWork.handler), quality: quality) { place in
      place.initializeMemory(as: QueuedWork.self, to: work)
    }
  }

  /// Somebody will come to the queue, run what was accepted until now, and leave.
  mutating func enter() {
    activeThreads += 1
  }

  /// The executor answers a wake.
  ///
  /// - Returns: Whether it is to run what waits: somebody who came before it runs no more than he waits for.
  mutating func beginDrain() -> Bool {
    wakes -= 1
    activeThreads += 1
    return activeThreads == 1
  }

  /// Somebody who attended is done. The last one sees to it that what is left will be run.
  ///
  /// - Parameter hasBacklog: Whether entries were taken out that were not run yet.
  mutating func leave(hasBacklog: Bool) -> Departure {
    guard changes.isEmpty, joins.isEmpty else { return .refused }
    self.hasBacklog = hasBacklog
    activeThreads -= 1
    guard hasNoRunner else { return .left }
    guard !isIdle else {
      quality = leastQuality
      return .left
    }
    wakes = 1
    return .leftToWake(quality)
  }

  /// `true` if nobody would run an entry that came now.
  private var hasNoRunner: Bool { activeThreads == 0 && wakes == 0 }
}

/// Work with a node that waits in the mailbox, and keeps the node until it is done.
struct QueuedWork: Sendable {
  /// The node with which `work` is called.
  nonisolated(unsafe) let node: AnyObject  // Only the mailbox's queue looks into it.
  let work: @Sendable (AnyObject) -> Void
  let kind: WaitingEntry.Kind

  /// Says what it is, for those who look; nil if its kind says all, or if nobody looks.
  let describe: (@Sendable (AnyObject) -> WaitingEntry)?

  init(
    node: AnyObject,
    _ kind: WaitingEntry.Kind = .other,
    describe: (@Sendable (AnyObject) -> WaitingEntry)? = nil,
    work: @escaping @Sendable (AnyObject) -> Void
  ) {
    self.node = node
    self.work = work
    self.kind = kind
    self.describe = describe
  }

  /// Stands for the owner that the handler does not need.
  private final class Nobody: Sendable {
    static let shared = Nobody()
  }

  static let handler = Handler(of: Unmanaged.passUnretained(Nobody.shared)) { (_, queued: QueuedWork, _: Void) in
    queued.work(queued.node)
  } describe: { _, queued in
    queued.describe?(queued.node) ?? WaitingEntry(queued.kind)
  }
}
