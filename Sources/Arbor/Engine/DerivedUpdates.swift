internal import Synchronization

/// The derived values of a tree that are to be brought up to date or told in this step. On the tree's queue only.
///
/// - All are brought up to date before any observer of the tree is called, and told behind the observers: so whoever is called
///   sees values of one moment.
/// - An input was made before all that is derived from it: taken in the order in which they were made, each value is computed once,
///   when all its inputs are up to date.
@usableFromInline
final class DerivedUpdates: @unchecked Sendable {  // The tree's queue owns it.
  /// `true` if any value waits.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var isNeeded = false

  @exclusivity(unchecked)
  private var stale = DerivationQueue()

  @exclusivity(unchecked)
  private var unnotified = DerivationQueue()

  /// Brings a value up to date in this step, once.
  func add(_ derivation: any Derivation) {
    stale.insert(derivation)
    isNeeded = true
  }

  /// Brings all values up to date that are to be.
  @inlinable
  func update() {
    if isNeeded { updateStale() }
  }

  /// Brings up to date and tells all that wait, and what that adds.
  @inlinable
  func updateAndNotify(in tree: Tree) {
    if isNeeded { updateAndNotifyWaiting(in: tree) }
  }

  @usableFromInline @inline(never)
  func updateStale() {
    while let next = stale.next() {
      if next.update() { unnotified.insert(next) }
    }
    stale.clear()
  }

  @usableFromInline @inline(never)
  func updateAndNotifyWaiting(in tree: Tree) {
    updateStale()
    if !unnotified.isEmpty { tree.executor.willNotifyDerivedValues(tree) }
    while let next = unnotified.next() {
      next.notify()
      // Whoever was told may have changed another tree.
      updateStale()
    }
    unnotified.clear()
    isNeeded = false
  }
}

/// Derived values in the order in which they were made, each once.
struct DerivationQueue {
  private var derivedUpdates: [any Derivation] = []

  /// How many of those were taken.
  private var taken = 0

  var isEmpty: Bool { taken == derivedUpdates.count }

  /// Adds a value, unless it waits already.
  mutating func insert(_ derivation: any Derivation) {
    // From the end: as a rule those that were made later are added later.
    var index = derivedUpdates.endIndex
    while index > taken, derivedUpdates[index - 1].order > derivation.order { index -= 1 }
    if index > taken, derivedUpdates[index - 1] === derivation { return }
    derivedUpdates.insert(derivation, at: index)
  }

  /// The first one, which stays where it is until all were taken.
  mutating func next() -> (any Derivation)? {
    guard taken < derivedUpdates.count else { return nil }
    taken += 1
    return derivedUpdates[taken - 1]
  }

  /// Lets go of those that were taken, if all were. None goes by that: see ``Tree/retire(_:)``.
  mutating func clear() {
    guard isEmpty else { return }
    derivedUpdates.removeAll(keepingCapacity: true)
    taken = 0
  }
}

/// A derived value, as far as the order matters in which several are brought up to date and told. Its tree's queue owns what varies.
protocol Derivation: AnyObject, Sendable {
  /// Greater than that of all it is derived from.
  var order: UInt64 { get }

  /// The mailbox of the tree where it is brought up to date.
  var tree: Tree { get }

  /// Brings the value up to date.
  ///
  /// - Returns: Whether it is another one, which those who observe it are to be told.
  func update() -> Bool

  /// Tells those who observe the value, if it is another one than they were told last.
  func notify()

  /// An input in another tree, or of the same one, has changed. From any thread.
  func invalidate()
}

/// Combined values of which an input in another tree has changed.
extension Tree {
  /// Brings a combined value up to date of which an input in another tree has changed: behind all that is accepted, or earlier
  /// if a waiting call has released what changed the input. From any thread that is not inside.
  func invalidate(_ derivation: any Derivation) {
    let isFirst = invalidated.withLock { invalidated in
      invalidated.append(derivation)
      hasInvalidatedValues.store(true, ordering: .releasing)
      return invalidated.count == 1
    }
    DeferredReleases.note(invalidatedIn: self)
    // One entry is enough for all that have expired when its turn comes.
    if isFirst { afterAccepted { [self] in updateInvalidatedInside() } }
  }

  /// `true` until the values that have expired were brought up to date and told. From any thread.
  var hasInvalidated: Bool { hasInvalidatedValues.load(ordering: .acquiring) }

  /// Brings those values up to date that have expired, and tells those who observe them; or waits until that was done. In no
  /// tree's callback.
  func updateInvalidated() {
    mailbox.withLock { mailbox in mailbox.enter() }
    runOnQueue(from: nil, for: "derived") { updateInvalidatedInside() }
  }

  private func updateInvalidatedInside() {
    let invalidated = invalidated.withLock { invalidated in
      defer { invalidated = [] }
      return invalidated
    }
    // They may be the last to hold values that nobody else holds any more.
    Tree.releaseLater(ReleaseBatch(invalidated))
    for derivation in invalidated { derivedUpdates.add(derivation) }
    derivedUpdates.updateAndNotify(in: self)
    // Not earlier: whoever asks meanwhile is to wait.
    self.invalidated.withLock { invalidated in hasInvalidatedValues.store(!invalidated.isEmpty, ordering: .releasing) }
  }
}
