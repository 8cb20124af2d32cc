/// The derived values of a tree that must be updated, or whose observers must be notified, in the running step.
///
/// - On the tree's queue only, unless noted. Released with the tree.
/// - All derived values are updated before any observer of the tree is called, and their own observers are notified
///   after the observers of the stores: so each observer sees values of one step.
/// - An input is made before every value that is derived from it. So the values are updated in the order in which they
///   were made: each is computed once, after all its inputs were updated.
final class DerivedUpdates: Attachment, Sendable {
  private unowned let tree: Tree

  /// The combined values with a changed input in another tree, until they are updated here. From any thread.
  private let invalidated = Protected<[any Derivation]>([])
  private let hasInvalidated = AtomicFlag(false)

  @exclusivity(unchecked)
  nonisolated(unsafe) private var stale = DerivationQueue()

  @exclusivity(unchecked)
  nonisolated(unsafe) private var unnotified = DerivationQueue()

  private init(in tree: Tree) {
    self.tree = tree
  }

  /// The updates of a tree. From any thread.
  static func of(_ tree: Tree) -> DerivedUpdates {
    tree.attachments.object { DerivedUpdates(in: tree) }.takeUnretainedValue()
  }

  /// Adds a value to be updated in this step; once, however often the value is added.
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

  /// Updates the added values and notifies the observers of those that have changed, until no more are added.
  package func actAfterObservers() {
    actBeforeObservers()
    if !unnotified.isEmpty { tree.executor.mayInterrupt(tree) }
    while let next = unnotified.next() {
      next.notify()
      // An observer may have changed another tree, and with that an input of a value here.
      actBeforeObservers()
    }
    unnotified.clear()
  }

  // MARK: Combined values whose input in another tree has changed

  /// Requests the update of a combined value whose input in another tree has changed.
  ///
  /// - From any thread that runs no work of this tree.
  /// - The value is updated after everything accepted so far; earlier if the change came from an object that a thread
  ///   has released after its work, because that thread then updates the value itself.
  func invalidate(_ derivation: any Derivation) {
    let isFirst = invalidated.withLock { invalidated in
      invalidated.append(derivation)
      hasInvalidated.store(true)
      return invalidated.count == 1
    }
    let tree = tree
    DeferredReleases.afterReleasing {
      // A tree that a manual executor is running on this very thread updates its values later, in their turn.
      if self.hasInvalidated.load(), tree.executor.canWait(for: tree) { self.updateInvalidated() }
    }
    // One entry is enough: it updates all values that wait when its turn comes.
    if isFirst { tree.afterAccepted { self.updateInvalidatedInside() } }
  }

  /// Makes the requested updates and notifies the observers of the values, or waits for the thread that does so.
  ///
  /// - Not to be called in a callback of any tree.
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
    // Not earlier: a thread that asks meanwhile must wait.
    invalidated.withLock { hasInvalidated.store(!$0.isEmpty) }
  }
}

/// A queue of derived values, in the order in which they were made, each at most once.
struct DerivationQueue {
  private var derivations: [any Derivation] = []

  /// The number of values at the beginning of the array that were taken.
  private var taken = 0

  var isEmpty: Bool { taken == derivations.count }

  /// Adds a value, unless the queue contains it already.
  mutating func insert(_ derivation: any Derivation) {
    // Searched from the end: as a rule, values that were made later are added later.
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

  /// Removes the values if all were taken. That frees no value: see ``Tree/keepUntilStepEnds(_:)``.
  mutating func clear() {
    guard isEmpty else { return }
    derivations.removeAll(keepingCapacity: true)
    taken = 0
  }
}

/// A derived value, as ``DerivedUpdates`` sees it. Its variables belong to the queue of its tree.
protocol Derivation: AnyObject, Sendable {
  /// The number of the value in the order in which values are made: greater than the numbers of its inputs.
  var creationOrder: UInt64 { get }

  /// The tree in which the value is updated.
  var tree: Tree { get }

  /// Computes a combined value again if its inputs have changed; a value from a store was set already.
  ///
  /// - Returns: `true` if the value differs from the previous one, so that its observers must be notified.
  func update() -> Bool

  /// Notifies the observers of the value, if it differs from the one that they received last.
  func notify()

  /// Called when an input has changed, in the same tree or in another one. From any thread.
  func invalidate()
}
