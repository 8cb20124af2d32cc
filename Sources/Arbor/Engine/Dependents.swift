/// The derived values that are computed from one, in the order in which they were made.
struct Dependents: Sendable {
  struct Dependent: Sendable {
    weak var derivation: Derivation?
    let order: UInt64

    /// Says to the dependent value that the last of its inputs has gone.
    let token: SourceToken

    init(derivation: Derivation, token: SourceToken) {
      self.derivation = derivation
      self.token = token
      order = derivation.order
    }
  }

  private(set) var all: [Dependent] = []
  private var isClosed = false

  mutating func add(_ dependent: Dependent) {
    if !isClosed { all.append(dependent) }
  }

  mutating func remove(_ order: UInt64) -> Dependent? {
    all.firstIndex { $0.order == order }.map { all.remove(at: $0) }
  }

  /// Lets all go, and takes no others.
  mutating func close() -> [Dependent] {
    isClosed = true
    defer { all = [] }
    return all
  }
}
