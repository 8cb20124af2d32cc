/// A gate that a capability closes in front of a tree's entries: some of them wait until it is opened.
///
/// - While it is closed, observers may be shown states other than the present ones: a *moment*.
/// - After it opens, the waiting entries run before all others, in the order they were accepted.
/// - It is only used on the tree's queue.
package protocol EntryGate: AnyObject, Sendable {
  /// `true` if actions that arrive are dropped.
  var dropsActions: Bool { get }

  /// `true` if observers are shown a moment right now.
  var showsMoment: Bool { get }

  /// Decides if an entry waits. Called when the entry's turn comes. Not called for actions whose sender waits for their
  /// step, because they open the gate, nor for work that only follows other entries.
  func blocks(_ kind: WaitingEntry.Kind) -> Bool

  /// Opens the gate with ``Tree/openGate(withNewStates:)``. Called for a caller that waits for its own step, or with
  /// `true` because the root's owner was released.
  func open(isRootGone: Bool)
}

/// The gate of a tree, and the entries that are or were held there.
struct GatedEntries: ~Copyable {
  /// The gate while it is closed; nil while it is open.
  var gate: (any EntryGate)?

  private var queue = EntryQueue()

  /// The numbers of the entries in the queue, in the order of acceptance; the entries before ``first`` have run.
  private var numbers: [UInt64] = []
  private var first = 0

  /// The total number of entries that were let through.
  private(set) var released: UInt64 = 0

  /// The number of the running entry if it waited here; otherwise 0.
  var running: UInt64 = 0

  /// The number of entries that wait, or that run next because the gate was opened.
  var count: Int { numbers.count - first }

  /// `true` if the entries that waited run next, before all others.
  var areNext: Bool { gate == nil && count > 0 }

  /// Adds an entry that was just taken out of its queue.
  mutating func add(_ entry: EntryQueue.Entry, number: UInt64) {
    queue.appendCopy(of: entry)
    numbers.append(number)
  }

  /// Takes the next entry; nil if there is none.
  mutating func next() -> EntryQueue.Entry? {
    guard let entry = queue.next() else { return nil }
    running = numbers[first]
    first += 1
    released += 1
    if first == numbers.count { (numbers, first) = ([], 0) }
    return entry
  }

  /// Calls a closure with each entry that waits, in order.
  func visit(_ body: (EntryQueue.Entry) -> Void) { queue.visit(body) }

  /// Frees memory that isn't needed after all entries have run.
  mutating func trim() {
    queue.trim()
  }
}

extension EntryQueue {
  /// Adds an entry that was taken from another queue.
  fileprivate mutating func appendCopy(of entry: Entry) {
    // Every Swift value can be moved by copying its bytes.
    append(entry.handler)
      .copyMemory(from: entry.payload, byteCount: entry.handler._withUnsafeGuaranteedRef { $0.stride })
  }
}

extension WaitingEntry.Kind {
  /// Makes the kind of an entry in a queue. Only entries of actions have handlers of nodes.
  init(of entry: EntryQueue.Entry) {
    let isWork = entry.handler.toOpaque() == Unmanaged.passUnretained(QueuedWork.handler).toOpaque()
    self = isWork ? entry.payload.assumingMemoryBound(to: QueuedWork.self).pointee.kind : .actions
  }
}
