/// Derived values in the order in which they were made, each once.
struct DerivationQueue {
  private var derivations: [Derivation] = []

  /// How many of those were taken.
  private var taken = 0

  var isEmpty: Bool { taken == derivations.count }

  /// Adds a value, unless it waits already.
  mutating func insert(_ derivation: Derivation) {
    // From the end: as a rule those that were made later are added later.
    var index = derivations.endIndex
    while index > taken, derivations[index - 1].order > derivation.order { index -= 1 }
    if index > taken, derivations[index - 1] === derivation { return }
    derivations.insert(derivation, at: index)
  }

  /// The first one, which stays where it is until all were taken.
  mutating func next() -> Derivation? {
    guard taken < derivations.count else { return nil }
    taken += 1
    return derivations[taken - 1]
  }

  /// Lets go of those that were taken, if all were. None goes by that: see ``Mailbox/retire(_:)``.
  mutating func clear() {
    guard isEmpty else { return }
    derivations.removeAll(keepingCapacity: true)
    taken = 0
  }
}
