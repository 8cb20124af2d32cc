/// The place of a scope in its node or enclosing scope.
@usableFromInline
package enum ScopePlace: Hashable, Sendable {
  /// The part at a key path.
  case part(any AnyKeyPath & Sendable)

  /// An element of the collection at a key path.
  case element(ElementPlace)

  /// Returns `true` if this is the place of an element of the collection at the other place.
  package func isElement(of other: ScopePlace) -> Bool {
    guard case .element(let element) = self, case .part(let path) = other else { return false }
    return element.collection as AnyKeyPath == path as AnyKeyPath
  }

  /// Returns this place relative to the whole that contains an outer place; nil if no key path leads there.
  func part(of outer: ScopePlace) -> ScopePlace? {
    guard case .part(let outerPath) = outer, case .part(let path) = self else { return nil }
    return appended(path, to: outerPath).map { .part($0) }
  }
}

/// Returns the key path along one key path and then another; nil if the second doesn't begin where the first ends.
package func appended(
  _ path: any AnyKeyPath & Sendable,
  to outer: any AnyKeyPath & Sendable
) -> (any AnyKeyPath & Sendable)? {
  // Sendable because both of its parts are.
  (outer as AnyKeyPath).appending(path: path as AnyKeyPath).map {
    unsafeBitCast($0, to: (any AnyKeyPath & Sendable).self)
  }
}

/// The place of an element of a collection.
@usableFromInline
package final class ElementPlace: Hashable, Sendable {
  let collection: any AnyKeyPath & Sendable
  private let id: any Hashable & Sendable

  @usableFromInline
  package init(_ id: any Hashable & Sendable, in collection: any AnyKeyPath & Sendable) {
    self.id = id
    self.collection = collection
  }

  @usableFromInline
  package static func == (left: ElementPlace, right: ElementPlace) -> Bool {
    left.collection as AnyKeyPath == right.collection as AnyKeyPath && AnyHashable(left.id) == AnyHashable(right.id)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(collection as AnyKeyPath)
    hasher.combine(AnyHashable(id))
  }
}
