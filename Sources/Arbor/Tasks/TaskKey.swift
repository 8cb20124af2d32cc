/// The key of a task: a value, and its type. Values of different types are never equal keys.
@usableFromInline
struct TaskKey: Hashable, Sendable {
  @usableFromInline let value: any Hashable & Sendable

  /// Taken once, so that no lock is held meanwhile.
  let hash: Int

  init(_ value: some Hashable & Sendable) {
    self.value = value
    hash = value.hashValue
  }

  @usableFromInline
  static func == (left: TaskKey, right: TaskKey) -> Bool {
    func areEqual<Left: Hashable, Right: Hashable>(_ left: Left, _ right: Right) -> Bool {
      // One type, so that the bits are those of one; a dynamic cast takes longer than all else that a key is used for.
      Left.self == Right.self && left == unsafeBitCast(right, to: Left.self)
    }
    return left.hash == right.hash && areEqual(left.value, right.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
