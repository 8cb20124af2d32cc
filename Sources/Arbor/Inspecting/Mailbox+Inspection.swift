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

  /// Makes a delay, behind which there will be a task, known to who runs the tree by hand, if anybody does.
  ///
  /// - Parameter stop: What stops it; harmless once it is over.
  /// - Returns: What stops it, or tells that it is over.
  func trackDelay(_ stop: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let inspection else { return stop }
    let delay = inspection.track(key: nil, cause: nil, isEffect: true)
    // Neither holds the other: the inspection holds the delay, until it is over.
    let end: @Sendable () -> Void = { [weak inspection, weak delay] in
      stop()
      if let delay { inspection?.forget(delay) }
    }
    delay.whenCancelled(end)
    return end
  }

  /// Makes a task known to who runs the tree by hand; nil if nobody does.
  @usableFromInline
  func track(_ key: TaskKey?, after cause: @autoclosure () -> (any Sendable)?, isEffect: Bool) -> TrackedTask? {
    inspection?.track(key: key, cause: cause(), isEffect: isEffect)
  }
}
