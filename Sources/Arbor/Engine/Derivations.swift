/// The derived values of a tree that are to be brought up to date or told in this step. On the tree's queue only.
///
/// - All are brought up to date before any observer of the tree is called, and told behind the observers: so whoever is called
///   sees values of one moment.
/// - An input was made before all that is derived from it: taken in the order in which they were made, each value is computed once,
///   when all its inputs are up to date.
@usableFromInline
final class Derivations: @unchecked Sendable {  // The tree's queue owns it.
  /// `true` if any value waits.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var isNeeded = false

  @exclusivity(unchecked)
  private var stale = DerivationQueue()

  @exclusivity(unchecked)
  private var untold = DerivationQueue()

  /// Brings a value up to date in this step, once.
  func add(_ derivation: Derivation) {
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
  func settle(in tree: Mailbox) {
    if isNeeded { settleWaiting(in: tree) }
  }

  @usableFromInline @inline(never)
  func updateStale() {
    while let next = stale.next() {
      if next.update() { untold.insert(next) }
    }
    stale.clear()
  }

  @usableFromInline @inline(never)
  func settleWaiting(in tree: Mailbox) {
    updateStale()
    if !untold.isEmpty { tree.executor.willSettle(tree) }
    while let next = untold.next() {
      next.tell()
      // Whoever was told may have changed another tree.
      updateStale()
    }
    untold.clear()
    isNeeded = false
  }
}
