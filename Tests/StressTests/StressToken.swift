/// An object that a closure, a state or an action holds. Its end is counted, and may cause operations.
final class StressToken: Sendable {
  private let kind: String
  private let census: Census
  private let deed: (@Sendable () -> Void)?

  init(_ kind: String, in census: Census, deed: (@Sendable () -> Void)? = nil) {
    self.kind = kind
    self.census = census
    self.deed = deed
    census.add(kind)
  }

  deinit {
    deed?()
    census.remove(kind)
  }
}
