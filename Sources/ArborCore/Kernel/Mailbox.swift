/// The accepted work of a tree, under its lock: the entries, the link updates, and the number of threads that run them
/// or are about to.
package struct Mailbox: ~Copyable, Sendable {
  /// The outcome of an append.
  enum Acceptance {
    case refused
    case accepted
    case acceptedToWake(Quality)
  }

  /// The outcome of a thread's attempt to leave the queue.
  enum Departure {
    /// Link updates have come in, and the thread must apply them first.
    case refused
    case left
    case leftToWake(Quality)
  }

  var entries = EntryQueue()

  /// The link updates that wait for the end of the running entry.
  var linkUpdates: [QueuedWork] = []

  /// The new children that wait to be added to their parents: with the link updates, or earlier if one gets an
  /// early observer.
  var joins: [QueuedWork] = []

  /// The total number of accepted entries.
  package private(set) var accepted: UInt64 = 0

  /// The number of wakes of the executor that haven't led to a drain yet.
  private var wakes = 0

  /// The number of threads that drain or wait, or are about to enter the queue to do so.
  private(set) var activeThreads = 0

  /// `true` if the last thread that left the queue had taken out entries that haven't run yet.
  private var hasBacklog = false

  /// `true` while the gate is closed. Entries may wait there, and they need their nodes.
  var isGated = false

  /// The quality of service of the queue, which is the minimum for every wake.
  private let leastQuality: Quality

  /// The highest quality of service that was requested since the tree was idle.
  private var quality: Quality

  init(quality: Quality) {
    leastQuality = quality
    self.quality = quality
  }

  /// `true` if no thread runs the tree's work and no entry waits.
  package var isIdle: Bool { activeThreads == 0 && entries.isEmpty && !hasBacklog }

  /// `true` if everything that was accepted has run, and the gate is open.
  package var hasRunAll: Bool { isIdle && !isGated }

  /// Appends an entry, and returns if the executor must be woken for it.
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

  /// Counts a thread that is about to enter the queue.
  package mutating func enter() {
    activeThreads += 1
  }

  /// Counts a thread that enters the queue because of a wake.
  ///
  /// - Returns: `true` if the thread should drain the mailbox; `false` while another thread waits, because that one
  ///   runs the entries it waits for, and wakes the executor for the rest.
  mutating func beginDrain() -> Bool {
    wakes -= 1
    activeThreads += 1
    return activeThreads == 1
  }

  /// Takes out all entries, in exchange for an empty queue, unless link updates wait.
  ///
  /// - Returns: `true` if they were taken.
  mutating func takeEntries(_ empty: inout EntryQueue) -> Bool {
    guard linkUpdates.isEmpty, joins.isEmpty else { return false }
    swap(&entries, &empty)
    return true
  }

  /// Stops counting a thread that leaves the queue. If it is the last one and entries are left, the executor must be
  /// woken.
  ///
  /// - Parameter hasBacklog: `true` if entries were taken out of the mailbox that haven't run yet.
  mutating func leave(hasBacklog: Bool) -> Departure {
    guard linkUpdates.isEmpty, joins.isEmpty else { return .refused }
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

  /// `true` if no thread is running the waiting entries or about to.
  private var hasNoRunner: Bool { activeThreads == 0 && wakes == 0 }
}
