public import Arbor

extension StoreProtocol {
  /// Returns how many times a selector was computed for this store's place in the tree, for tests of the selector's
  /// cost.
  ///
  /// - The number is taken after everything that was accepted before this call.
  ///
  /// - Parameter selector: The selector. If it was never computed there, the result is 0.
  public func recomputations<Output>(of selector: StateSelector<State, Output>) -> Int {
    asStore.recomputationCount(of: selector)
  }
}

extension Derived {
  /// Returns how many times a selector was computed for this value, like ``Arbor/StoreProtocol/recomputations(of:)``.
  ///
  /// - Parameter selector: The selector. If it was never computed there, the result is 0.
  public func recomputations<State, Output>(of selector: StateSelector<State, Output>) -> Int {
    recomputationCount(of: selector)
  }
}
