/// The accepted work of a tree, under its lock: the entries, the link updates, and the number of threads that are to
/// run them.
package struct Mailbox: ~Copyable, Sendable {
  /// The outcome of an append.
  enum Acceptance {
    case refused
    case accepted
    case acceptedToWake(Quality)
  }

  /// The outcome of a thread's attempt to leave the queue.
  enum Departure {
    /// Link updates have come in, which the thread applies first.
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

  /// The number of entries that were ever accepted.
  package private(set) var accepted: UInt64 = 0

  /// The number of wakes of the executor that have not led to a drain yet.
  private var wakes = 0

  /// The number of threads that drain or wait, or are about to enter the queue for that.
  private(set) var activeThreads = 0

  /// `true` if the thread that left the queue last had taken entries out that did not run yet.
  private var hasBacklog = false

  /// `true` while the gate is closed: entries may wait there, which need their nodes.
  var isGated = false

  /// The quality of service of the queue, which every wake has at least.
  private let leastQuality: Quality

  /// The highest quality of service that was asked for since the tree was idle.
  private var quality: Quality

  init(quality: Quality) {
    leastQuality = quality
    self.quality = quality
  }

  /// `true` if no thread runs the tree's work and no entry waits.
  package var isIdle: Bool { activeThreads == 0 && entries.isEmpty && !hasBacklog }

  /// `true` if everything that was accepted has run, and the gate is open.
  package var hasRunAll: Bool { isIdle && !isGated }

  /// Appends an entry, and returns whether the executor must be woken for it.
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
  /// - Returns: `true` if the thread is to drain the mailbox. It is not while another thread waits: that one runs the
  ///   entries it waits for, and wakes the executor for the rest.
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

  /// Ends the count of a thread that leaves the queue. The last one has the executor woken for entries that are left.
  ///
  /// - Parameter hasBacklog: `true` if entries were taken out of the mailbox that did not run yet.
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

  /// `true` if no thread runs, or is about to run, what waits.
  private var hasNoRunner: Bool { activeThreads == 0 && wakes == 0 }
}
