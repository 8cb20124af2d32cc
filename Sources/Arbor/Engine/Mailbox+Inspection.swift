/// Looking at what waits, without running it.
extension Mailbox {
  /// The entry whose turn is next; nil if none waits.
  package var nextEntry: WaitingEntry? {
    onQueueOrInside {
      // They are left where they are: who is idle is told by that.
      current.first.map(Mailbox.look) ?? inbox.withLock { $0.entries.first.map(Mailbox.look) }
    }
  }

  /// All entries that wait, in order.
  package var entries: [WaitingEntry] {
    onQueueOrInside {
      var entries: [WaitingEntry] = []
      current.visit { entries.append(Mailbox.look(at: $0)) }
      inbox.withLock { inbox in inbox.entries.visit { entries.append(Mailbox.look(at: $0)) } }
      return entries
    }
  }

  private static func look(at entry: EntryQueue.Entry) -> WaitingEntry {
    entry.handler._withUnsafeGuaranteedRef { $0.look(UnsafeRawPointer(entry.payload)) }
  }

  private func onQueueOrInside<Value>(_ look: () -> Value) -> Value {
    guard !isInside else { return look() }
    var value: Value?
    onQueue { value = look() }
    return value!
  }
}
