/// Work with a node that waits in the mailbox, and keeps the node until it is done.
struct Errand: Sendable {
  /// What `work` is called with.
  nonisolated(unsafe) let node: AnyObject  // Only the mailbox's queue looks into it.
  let work: @Sendable (AnyObject) -> Void

  static let handler = Handler { (errand: Errand) in errand.work(errand.node) }
}
