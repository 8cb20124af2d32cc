/// The key of an element in which a feature works: its id, and the key of the element around its collection.
@usableFromInline
package final class ElementKey: Hashable, Sendable {
  @usableFromInline package let outer: ElementKey?
  @usableFromInline package let id: TypedKey

  @usableFromInline
  package init(_ id: some Hashable & Sendable, in outer: ElementKey?) {
    self.id = TypedKey(id)
    self.outer = outer
  }

  /// The id, of the type from which the key was made, and the outer key.
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

/// The ids of the optional parts, from the outermost on, in which a feature works: another id is another part.
@usableFromInline
package struct PartIdentity: Hashable {
  @usableFromInline package var ids: [AnyHashable] = []

  @inlinable
  package init() {}
}
