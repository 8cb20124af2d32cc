/// What tasks are known by: a value, and its type. Values of different types are never equal keys.
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

  /// Says on standard error, in one line, that the task of an effect has failed.
  @usableFromInline
  static func report(_ key: TaskKey?, _ error: any Error) {
    let name = key.map { " with the key \($0.value)" } ?? ""
    let line = "Arbor: an effect\(name) failed: \(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    Platform.writeToStandardError(line)
  }
}
