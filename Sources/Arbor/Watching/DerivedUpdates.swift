/// The derived values of a tree that must be updated, or whose observers must be notified, in the running step.
///
/// - Only used on the tree's queue, unless noted. Released with the tree.
/// - All derived values are updated before any observer of the tree is called. Their own observers are notified after
///   the observers of the stores. So each observer sees values of the same step.
/// - An input is made before every value that is derived from it. So if the values are updated in the order they were
///   made, each is computed once, after all its inputs.
final class DerivedUpdates: Attachment, Sendable {
  private unowned let tree: Tree

  /// The combined values with a changed input in another tree, until they are updated here. May be used from any
  /// thread.
  private let invalidated = Protected<[any Derivation]>([])
  private let hasInvalidated = AtomicFlag(false)

  @exclusivity(unchecked)
  nonisolated(unsafe) private var stale = DerivationQueue()

  @exclusivity(unchecked)
  nonisolated(unsafe) private var unnotified = DerivationQueue()

  private init(in tree: Tree) {
    self.tree = tree
  }

  /// Returns the updates of a tree. May be called from any thread.
  static func of(_ tree: Tree) -> DerivedUpdates {
    tree.attachments.object { DerivedUpdates(in: tree) }.takeUnretainedValue()
  }

  /// Adds a value that must be updated in this step. Adding it again has no effect.
  func add(_ derivation: any Derivation) {
    stale.insert(derivation)
    tree.step.isFollowed = true
  }

  /// Updates the added values.
  package func actBeforeObservers() {
    while let next = stale.next() {
      if next.update() { unnotified.insert(next) }
    }
    stale.clear()
  }

  /// Updates the added values and notifies the observers of those that changed, until no more are added.
  package func actAfterObservers() {
    actBeforeObservers()
    if !unnotified.isEmpty { tree.executor.mayInterrupt(tree) }
    while let next = unnotified.next() {
      next.notify()
      // An observer may have changed another tree, and so an input of a value here.
      actBeforeObservers()
    }
    unnotified.clear()
  }

  // MARK: Combined values whose input in another tree has changed

  /// Requests the update of a combined value whose input in another tree has changed.
  ///
  /// - May be called from any thread that isn't running work of this tree.
  /// - The value is updated after everything accepted so far. It is updated earlier if the change came from an object
  ///   that a thread released after its work, because that thread then updates the value itself.
  func invalidate(_ derivation: any Derivation) {
    let isFirst = invalidated.withLock { invalidated in
      invalidated.append(derivation)
      hasInvalidated.store(true)
      return invalidated.count == 1
    }
    let tree = tree
    DeferredReleases.afterReleasing {
      // If a manual executor is running a tree on this very thread, the tree updates its values later, when their turn
      // comes.
      if self.hasInvalidated.load(), tree.executor.canWait(for: tree) { self.updateInvalidated() }
    }
    // One entry is enough: when its turn comes, it updates all waiting values.
    if isFirst { tree.afterAccepted { self.updateInvalidatedInside() } }
  }

  /// Makes the requested updates and notifies the observers of the values, or waits for the thread that does so.
  ///
  /// - Must not be called in a callback of any tree.
  private func updateInvalidated() {
    tree.mailbox.withLock { mailbox in mailbox.enter() }
    tree.runOnQueue(from: nil, for: "derived") { updateInvalidatedInside() }
  }

  private func updateInvalidatedInside() {
    let derivations = invalidated.withLock { invalidated in
      defer { invalidated = [] }
      return invalidated
    }
    // The array may hold the last references to some of the values.
    Tree.releaseLater(ReleaseBatch(derivations))
    for derivation in derivations { add(derivation) }
    tree.actAfterObservers()
    // Not earlier: a thread that checks it meanwhile must wait.
    invalidated.withLock { hasInvalidated.store(!$0.isEmpty) }
  }
}

/// A queue of derived values, in the order they were made, without duplicates.
struct DerivationQueue {
  private var derivations: [any Derivation] = []

  /// The number of values at the beginning of the array that were taken.
  private var taken = 0

  var isEmpty: Bool { taken == derivations.count }

  /// Adds a value, unless the queue contains it already.
  mutating func insert(_ derivation: any Derivation) {
    // Searches from the end: values that were made later are usually added later.
    var index = derivations.endIndex
    while index > taken, derivations[index - 1].creationOrder > derivation.creationOrder { index -= 1 }
    if index > taken, derivations[index - 1] === derivation { return }
    derivations.insert(derivation, at: index)
  }

  /// Takes the next value. It stays in the array until all values were taken.
  mutating func next() -> (any Derivation)? {
    guard taken < derivations.count else { return nil }
    taken += 1
    return derivations[taken - 1]
  }

  /// Removes the values if all were taken. That doesn't free a value; see ``Tree/keepUntilStepEnds(_:)``.
  mutating func clear() {
    guard isEmpty else { return }
    derivations.removeAll(keepingCapacity: true)
    taken = 0
  }
}

/// A derived value from the perspective of ``DerivedUpdates``. Its variables belong to the queue of its tree.
protocol Derivation: AnyObject, Sendable {
  /// The number of the value in the order in which values are made: greater than the numbers of its inputs.
  var creationOrder: UInt64 { get }

  /// The tree in which the value is updated.
  var tree: Tree { get }

  /// Computes a combined value again if its inputs have changed; a value from a store is already set.
  ///
  /// - Returns: `true` if the value differs from the previous one, so that its observers must be notified.
  func update() -> Bool

  /// Notifies the observers of the value, if it differs from the last one that they received.
  func notify()

  /// Called when an input has changed, in the same tree or in another one. May be called from any thread.
  func invalidate()
}
