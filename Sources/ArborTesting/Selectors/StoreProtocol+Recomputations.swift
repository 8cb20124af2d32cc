public import Arbor

extension StoreProtocol {
  /// The number of times that a selector was computed for this store's place in the tree, behind everything that was
  /// accepted before: for tests of what a selector costs.
  ///
  /// - Parameter selector: The selector. The number of one that was never computed there is 0.
  public func recomputations<Output>(of selector: StateSelector<State, Output>) -> Int {
    asStore.recomputationCount(of: selector)
  }
}

extension Derived {
  /// The number of times that a selector was computed for this value, as ``Arbor/StoreProtocol/recomputations(of:)``.
  ///
  /// - Parameter selector: The selector. The number of one that was never computed there is 0.
  public func recomputations<State, Output>(of selector: StateSelector<State, Output>) -> Int {
    recomputationCount(of: selector)
  }
}
