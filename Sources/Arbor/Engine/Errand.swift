/// Work with a node that waits in the mailbox, and keeps the node until it is done.
struct Errand: Sendable {
  /// What `work` is called with.
  nonisolated(unsafe) let node: AnyObject  // Only the mailbox's queue looks into it.
  let work: @Sendable (AnyObject) -> Void
  let kind: WaitingEntry.Kind

  /// The action that the work lets through, for those who look; nil if it lets none through, or if nobody looks.
  let action: (@Sendable () -> any Sendable)?

  init(
    node: AnyObject,
    _ kind: WaitingEntry.Kind = .other,
    action: (@Sendable () -> any Sendable)? = nil,
    work: @escaping @Sendable (AnyObject) -> Void
  ) {
    self.node = node
    self.work = work
    self.kind = kind
    self.action = action
  }

  static let handler = Handler { (errand: Errand) in
    errand.work(errand.node)
  } look: { errand in
    guard let action = errand.action else { return WaitingEntry(errand.kind) }
    return WaitingEntry(.actions, [action()], of: unsafeDowncast(errand.node, to: Node.self), isAwaited: true)
  }
}
