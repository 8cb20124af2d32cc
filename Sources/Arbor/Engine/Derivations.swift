/// The derived values of a tree that are to be told or computed in this step. On the tree's queue only.
///
/// - Whatever a value is derived from was made before it: taken in the order in which they were made, each is computed
///   once a step, when all that it is derived from is up to date.
@usableFromInline
final class Derivations: @unchecked Sendable {  // The tree's queue owns it.
  /// Whether any waits.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var isNeeded = false

  private var waiting: [any Derivation] = []

  /// How many of those were begun.
  private var begun = 0

  /// Settles a derived value in this step, once.
  func add(_ derivation: any Derivation) {
    // From the end: as a rule those that are made later are added later.
    var index = waiting.endIndex
    while index > begun, waiting[index - 1].order > derivation.order { index -= 1 }
    if index > begun, waiting[index - 1] === derivation { return }
    waiting.insert(derivation, at: index)
    isNeeded = true
  }

  /// Settles all that wait, and what that adds.
  @inlinable
  func settle() {
    if isNeeded { settleWaiting() }
  }

  @usableFromInline @inline(never)
  func settleWaiting() {
    while begun < waiting.count {
      begun += 1
      waiting[begun - 1].settle()
    }
    waiting.removeAll(keepingCapacity: true)
    begun = 0
    isNeeded = false
  }
}
