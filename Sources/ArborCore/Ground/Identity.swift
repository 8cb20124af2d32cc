/// A number that is unique in the process. It identifies observers, stores, tasks and other objects.
@usableFromInline
package struct Identity: Hashable, Sendable {
  private static let last = AtomicNumber(0)

  @usableFromInline package let number: UInt64

  /// Takes the next number. No number is used twice: 64 bits are enough for any process.
  @usableFromInline
  package init() {
    number = UInt64(truncatingIfNeeded: Identity.last.add(1))
  }
}

/// A value with its type, as the key of a task or of an element. Values of different types are never equal keys.
@usableFromInline
package struct TypedKey: Hashable, Sendable {
  @usableFromInline package let value: any Hashable & Sendable

  /// The hash value, computed once and outside any lock, because hashing is user code.
  package let hash: Int

  package init(_ value: some Hashable & Sendable) {
    self.value = value
    hash = value.hashValue
  }

  @usableFromInline
  package static func == (left: TypedKey, right: TypedKey) -> Bool {
    func areEqual<Left: Hashable, Right: Hashable>(_ left: Left, _ right: Right) -> Bool {
      // The cast is safe because the types are the same. A dynamic cast takes longer than everything else a key is used
      // for.
      Left.self == Right.self && left == unsafeBitCast(right, to: Left.self)
    }
    return left.hash == right.hash && areEqual(left.value, right.value)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
