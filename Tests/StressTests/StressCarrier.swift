import Arbor

/// A type of actions of the stress test: an enum, or mutations.
protocol StressCarrier: Sendable {
  static func carrying(_ mark: Mark, in tree: StressTree<Self>) -> Self

  var slip: Slip { get }

  /// The action by which interceptors replace this one.
  func replaced(in tree: StressTree<Self>) -> Self

  static func makeFactory(of tree: StressTree<Self>, _ work: [StateEffect<Ledger, Self>]) -> StoreFactory<Ledger, Self>

  /// A scope with its own actions.
  static func scope(of store: Store<Ledger, Self>, in tree: StressTree<Self>) -> Store<Ledger, Self>

  /// A scope with its own actions that is nil at about every second step.
  static func optionalScope(of store: Store<Ledger, Self>, in tree: StressTree<Self>) -> Store<Ledger, Self>

  /// Sends an action and waits for its step.
  ///
  /// - Returns: `false` if there was no step.
  static func wait(for mark: Mark, in store: Store<Ledger, Self>, _ tree: StressTree<Self>) -> Bool

  /// Sends an action without effect: commits a change that throws, or sends an action that is dropped, and waits for
  /// it.
  ///
  /// - Returns: `true` if it is dropped.
  static func fail(_ slip: Slip, in store: Store<Ledger, Self>, _ tree: StressTree<Self>) -> Bool

  /// Sends an action to the optional part.
  static func sendToPart(_ slip: Slip, in store: Store<Ledger, Self>, _ tree: StressTree<Self>, waits: Bool)
}
