import Arbor

/// Two numbers that are equal between steps.
struct Twins: Hashable, Sendable {
  let first: Int
  let second: Int

  /// `true` if a value may follow another one, and neither is a mixture.
  @Sendable
  static func mayFollow(_ old: Twins, _ new: Twins) -> Bool {
    new.first == new.second && old.first < new.first
  }
}

extension Ledger {
  /// The number of changes, counted twice.
  static let twins = StateSelector(StateSelector(\Ledger.changes), StateSelector(\Ledger.right) { $0 }) {
    Twins(first: $0, second: $1)
  }
}
