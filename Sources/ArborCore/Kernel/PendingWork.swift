/// The work of a tree that isn't in its mailbox: tasks, delays and deliveries in progress. It is counted for callers
/// that wait until the tree has settled.
///
/// - May be used from any thread. While no caller waits, a piece of work costs one atomic addition and one subtraction.
package final class PendingWork: Sendable {
  /// A piece of work that is in progress as long as this object lives.
  package final class Hold: Sendable {
    private let work: PendingWork

    package init(on work: PendingWork) {
      self.work = work
      work.begin()
    }

    deinit { work.end() }
  }

  /// A caller that waits until the tree has settled.
  package struct Waiter: Sendable {
    /// The hash value of the task that waits; nil outside tasks.
    let task: Int?
    package let resume: @Sendable (_ hasSettled: Bool) -> Void

    package init(task: Int?, resume: @escaping @Sendable (_ hasSettled: Bool) -> Void) {
      self.task = task
      self.resume = resume
    }
  }

  private struct WeakObject: Sendable {
    weak var object: (any AnyObject & Sendable)?
  }

  private struct Content: Sendable {
    var waiters: [UInt64: Waiter] = [:]

    /// Checks if the tree has settled; nil if no caller waits.
    var look: (@Sendable () -> Void)?

    /// `true` while a check waits for its turn.
    var isLooking = false
    var sources: [WeakObject] = []
  }

  private let pieces = AtomicNumber(0)
  private let isAwaited = AtomicFlag(false)
  private let content = Protected(Content())

  /// The number of pieces in progress.
  package var count: Int { pieces.load() }

  package var isEmpty: Bool { count == 0 }

  package func begin() {
    pieces.add(1)
  }

  package func end() {
    let left = pieces.subtract(1)
    if left == 0, isAwaited.load() { lookIfAwaited() }
  }

  // MARK: The callers that wait

  /// Adds a waiter and checks the tree.
  ///
  /// - Parameter look: Checks if the tree has settled, when its turn comes, and calls ``endLook()`` or
  ///   ``takeWaiters(if:)``.
  package func add(_ waiter: Waiter, number: UInt64, look: @escaping @Sendable () -> Void) {
    content.withLock { content in
      content.waiters[number] = waiter
      if content.look == nil { content.look = look }
      isAwaited.storeInTotalOrder(true)
    }
    lookIfAwaited()
  }

  /// Removes a waiter, unless it was resumed.
  package func remove(_ number: UInt64) -> Waiter? {
    let (waiter, look) = content.withLock { content -> (Waiter?, (@Sendable () -> Void)?) in
      let waiter = content.waiters.removeValue(forKey: number)
      guard content.waiters.isEmpty else { return (waiter, nil) }
      isAwaited.storeInTotalOrder(false)
      return (waiter, content.look.take())
    }
    // It retains the tree, and is released outside the lock.
    withExtendedLifetime(look) {}
    return waiter
  }

  /// The hash values of the tasks that wait.
  package var waitingTasks: Set<Int> { content.withLock { Set($0.waiters.values.compactMap(\.task)) } }

  /// Checks the tree, unless no caller waits or a check is already pending.
  func lookIfAwaited() {
    let look = content.withLock { content -> (@Sendable () -> Void)? in
      guard !content.waiters.isEmpty, !content.isLooking else { return nil }
      content.isLooking = true
      return content.look
    }
    look?()
  }

  /// Ends a check that found work in progress. The end of that work leads to the next check.
  package func endLook() {
    content.withLock { $0.isLooking = false }
    if isEmpty { lookIfAwaited() }
  }

  /// Ends a check and takes out the waiters, if nothing is in progress and a condition holds.
  ///
  /// - The condition is called under the lock, after each waiter that is taken was added.
  /// - Returns: The waiters; nil if the tree hasn't settled, so that another check must follow.
  package func takeWaiters(if isIdle: () -> Bool) -> [Waiter]? {
    let (waiters, look) = content.withLock { content -> ([Waiter]?, (@Sendable () -> Void)?) in
      guard isIdle(), isEmpty else { return (nil, nil) }
      isAwaited.storeInTotalOrder(false)
      defer { (content.waiters, content.look, content.isLooking) = ([:], nil, false) }
      return (Array(content.waiters.values), content.look)
    }
    // Released outside the lock.
    withExtendedLifetime(look) {}
    return waiters
  }

  // MARK: The sources of tasks

  /// The objects that start tasks.
  package var sources: [any AnyObject & Sendable] { content.withLock { $0.sources.compactMap(\.object) } }

  package func add(source: any AnyObject & Sendable) {
    content.withLock { content in
      if content.sources.count == content.sources.capacity { content.sources.removeAll { $0.object == nil } }
      content.sources.append(WeakObject(object: source))
    }
  }
}
