/// A closure and the object that it is called with, waiting in the mailbox. The object is retained until the closure
/// has run.
struct QueuedWork: Sendable {
  /// The object with which `work` is called: an audience, the tree itself, or an object to be released.
  nonisolated(unsafe) let object: AnyObject  // Used on the tree's queue only.
  let work: @Sendable (AnyObject) -> Void
  let kind: WaitingEntry.Kind

  /// Describes the work for inspection; nil if its kind says all, or without inspection.
  let describe: (@Sendable (AnyObject) -> WaitingEntry)?

  init(
    with object: AnyObject,
    _ kind: WaitingEntry.Kind = .other,
    describe: (@Sendable (AnyObject) -> WaitingEntry)? = nil,
    work: @escaping @Sendable (AnyObject) -> Void
  ) {
    self.object = object
    self.work = work
    self.kind = kind
    self.describe = describe
  }

  /// The owner of the handler, which needs none.
  private final class NoOwner: Sendable {
    static let only = NoOwner()
  }

  static let handler = Handler(of: Unmanaged.passUnretained(NoOwner.only)) { (_, queued: QueuedWork, _: Void) in
    queued.work(queued.object)
  } describe: { _, queued in
    queued.describe?(queued.object) ?? WaitingEntry(queued.kind)
  }
}
