/// The storage of an index of a kind.
@usableFromInline
final class IndexBox<Content: Sendable>: IndexStorage, @unchecked Sendable {  // Changed by its only owner alone.
  @usableFromInline
  @exclusivity(unchecked)
  var content: Content

  @inlinable
  init(_ content: Content) {
    self.content = content
    super.init()
  }

  @inlinable
  static func content(of storage: IndexStorage) -> Content {
    unsafeDowncast(storage, to: IndexBox.self).content
  }

  /// Changes the content: of a copy, if there are other owners.
  @inlinable
  static func change<Result>(_ storage: inout IndexStorage, _ body: (inout Content) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&storage) { storage = IndexBox(content(of: storage)) }
    return body(&unsafeDowncast(storage, to: IndexBox.self).content)
  }
}
