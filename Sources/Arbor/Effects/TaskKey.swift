/// What tasks are known by.
@usableFromInline
struct TaskKey: Hashable, Sendable {
  @usableFromInline let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  @usableFromInline
  static func == (left: TaskKey, right: TaskKey) -> Bool {
    AnyHashable(left.value) == AnyHashable(right.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    value.hash(into: &hasher)
  }

  /// Says on standard error, in one line, that the task of an effect has failed.
  @usableFromInline
  static func report(_ key: TaskKey?, _ error: any Error) {
    let name = key.map { " with the key \($0.value)" } ?? ""
    let line = "Arbor: an effect\(name) failed: \(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    Platform.writeToStandardError(line)
  }
}
