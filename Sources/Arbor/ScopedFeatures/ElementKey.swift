/// The key of an element in which a feature works: its id, and the key of the element that contains its collection.
@usableFromInline
package final class ElementKey: Hashable, Sendable {
  @usableFromInline package let outer: ElementKey?
  @usableFromInline package let id: TypedKey

  @usableFromInline
  package init(_ id: some Hashable & Sendable, in outer: ElementKey?) {
    self.id = TypedKey(id)
    self.outer = outer
  }

  /// Returns the id, in the type from which the key was made, and the outer key.
  @inlinable
  package func split<ID>(as _: ID.Type) -> (id: ID, outer: ElementKey?) { (id.value as! ID, outer) }

  @usableFromInline
  package static func == (left: ElementKey, right: ElementKey) -> Bool {
    left.id == right.id && left.outer == right.outer
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(outer)
  }

  /// The key of the element of the outermost collection.
  package var outermost: ElementKey {
    var key = self
    while let outer = key.outer { key = outer }
    return key
  }
}

/// The ids of the optional parts in which a feature works, the outermost first: another id means another part.
@usableFromInline
package struct PartIdentity: Hashable {
  @usableFromInline package var ids: [AnyHashable] = []

  @inlinable
  package init() {}
}

/// The outermost collection whose elements a feature works in. It tracks which elements a step may have changed, so
/// that effects don't compare others with the state.
///
/// - Only used on the tree's queue.
@usableFromInline
package final class WatchedCollection: Sendable {
  /// The number of performers whose effects depend on the elements.
  @usableFromInline nonisolated(unsafe) package var watchers = 0

  /// The number of parts that the performers have checked because each element may have changed.
  @usableFromInline nonisolated(unsafe) package var looks = 0

  /// The elements that the running step may have changed. Set before the performers are called.
  @usableFromInline nonisolated(unsafe) package var touched = TouchedElements.all

  /// Compares the collection with its last version. Set once, before the performers are called.
  @usableFromInline nonisolated(unsafe) package var compare: () -> Void = {}

  /// The number of the action after which a batch ended and the collection was compared for it.
  private nonisolated(unsafe) var batchEnd: UInt64 = 0

  @inlinable
  package init() {}

  /// Compares the collection at the end of a batch, once for all performers.
  ///
  /// - After the last action that was a step, an action that wasn't a step may have changed elements.
  package func compareAtEndOfBatch(after action: UInt64) {
    guard batchEnd != action else { return }
    batchEnd = action
    compare()
  }
}

/// The elements that one or more steps may have changed.
@usableFromInline
package enum TouchedElements: Sendable {
  /// Each element of the outermost collection, or a part that isn't in a collection.
  case all

  /// Some elements of the outermost collection; a key may occur twice.
  case some([ElementKey])

  @inlinable package static var none: TouchedElements { .some([]) }

  /// Adds the elements that another step may have changed.
  package mutating func add(_ others: TouchedElements) {
    guard case .some(var touched) = self, case .some(let others) = others else {
      self = .all
      return
    }
    // Often no element has changed, or the same one again.
    guard let last = others.last, others.count > 1 || touched.last != last else { return }
    // Changed in place, as the only owner.
    self = .none
    touched += others
    self = .some(touched)
  }
}
