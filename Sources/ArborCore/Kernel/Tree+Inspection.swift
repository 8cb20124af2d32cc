/// Inspecting the entries of a tree, from any thread.
extension Tree {
  /// The number of entries that wait for their turn, not counting those at a closed gate.
  @usableFromInline package var waiting: Int {
    // A variable that both closures capture would be allocated.
    guard !isInside else { return waitingInside }
    var waiting = 0
    onQueue { waiting = waitingInside }
    return waiting
  }

  private var waitingInside: Int {
    Int(mailbox.withLock { $0.accepted } - begun) + (gated.areNext ? gated.count : 0)
  }

  /// The number of threads that drain or wait, or are about to enter the queue to do so.
  package var activeThreads: Int {
    mailbox.withLock { $0.activeThreads }
  }

  /// The number of memory chunks that the entries occupy.
  package var chunkCount: Int {
    var count = 0
    onQueue { count = current.chunkCount + mailbox.withLock { $0.entries.chunkCount } }
    return count
  }

  /// The next entry; nil if none waits.
  package var nextEntry: WaitingEntry? {
    onQueueOrInside {
      // The mailbox keeps its entries, because they determine if the tree is idle.
      var first: EntryQueue.Entry?
      if gated.areNext { gated.visit { first = first ?? $0 } }
      return (first ?? current.first).map(Tree.describe) ?? mailbox.withLock { $0.entries.first.map(Tree.describe) }
    }
  }

  /// All waiting entries, in order.
  package var entries: [WaitingEntry] {
    onQueueOrInside {
      var entries: [WaitingEntry] = []
      if gated.areNext { gated.visit { entries.append(Tree.describe(at: $0)) } }
      current.visit { entries.append(Tree.describe(at: $0)) }
      mailbox.withLock { mailbox in mailbox.entries.visit { entries.append(Tree.describe(at: $0)) } }
      return entries
    }
  }

  private static func describe(at entry: EntryQueue.Entry) -> WaitingEntry {
    entry.handler._withUnsafeGuaranteedRef { $0.describe(UnsafeRawPointer(entry.payload)) }
  }

  private func onQueueOrInside<Value>(_ describe: () -> Value) -> Value {
    guard !isInside else { return describe() }
    var value: Value?
    onQueue { value = describe() }
    return value!
  }
}
