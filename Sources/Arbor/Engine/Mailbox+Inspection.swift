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

/// An entry of a mailbox, as it is seen by who looks at it before it is run.
@usableFromInline
package struct WaitingEntry: Sendable {
  /// The kind of work of an entry.
  @usableFromInline
  package enum Kind: Sendable {
    case actions
    case subscription
    case release
    case activity
    case event
    case other
  }

  package let kind: Kind

  /// The actions of the step; none if it is none, or if they were revoked.
  package let actions: [any Sendable]

  /// The store to which they were sent, for monitors; nil if there are none.
  package let store: MonitoredStore?

  /// `true` if a task waits for it.
  package let isAwaited: Bool

  @usableFromInline
  init(_ kind: Kind, _ actions: [any Sendable] = [], of store: MonitoredStore? = nil, isAwaited: Bool = false) {
    self.kind = kind
    self.actions = actions
    self.isAwaited = isAwaited
    self.store = store
  }

  /// `true` if it is a step of actions.
  package var isStep: Bool { !actions.isEmpty }
}
