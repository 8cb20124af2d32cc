/// Describing the entries that wait, without running them.
extension Tree {
  /// The next entry; `nil` if none waits.
  package var nextEntry: WaitingEntry? {
    onQueueOrInside {
      // The mailbox keeps its entries: whether the tree is idle depends on them.
      current.first.map(Tree.describe) ?? mailbox.withLock { $0.entries.first.map(Tree.describe) }
    }
  }

  /// All entries that wait, in order.
  package var entries: [WaitingEntry] {
    onQueueOrInside {
      var entries: [WaitingEntry] = []
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
