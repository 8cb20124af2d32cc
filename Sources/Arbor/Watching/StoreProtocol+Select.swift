extension StoreProtocol {
  /// The output of a selector for the state; nil once the owner is gone or the scope is nil.
  ///
  /// - Of the state behind everything that was accepted before the call, and on the store's queue, as ``state``: inside an
  ///   interceptor or observer of the same tree it answers at once, inside a reducer it stops the program.
  /// - The place in the tree remembers the output; a store that was made by hand has none and computes each time.
  @inlinable
  public func select<Output>(_ selector: StateSelector<State, Output>) -> Output? {
    let store = asStore
    var output: Output?
    // Chained, not unwrapped: so nothing is retained.
    let isOpen = store.address?.wait(for: "select") { node in
      let place = unsafeDowncast(node, to: Node.self)
      let moment = StateVersion(revision: place.tree.revision, reader: store.identity)
      place.attachments.object(SelectorCache.init)._withUnsafeGuaranteedRef { selectors in
        output =
          selector.recall(from: selectors, at: moment)
          ?? store.read(node).map { state in selector.evaluate(state, selectors, moment) }
      }
    }
    guard let isOpen else { return store.read(nil).map(selector.callAsFunction) }
    if !isOpen { store.reportUseAfterRelease() }
    return output
  }
}

extension Store {
  /// How often a selector was computed for this store's place in the tree, behind everything that was accepted before: for
  /// tests of what a selector costs.
  package func recomputationCount<Output>(of selector: StateSelector<State, Output>) -> Int {
    var count = 0
    _ = address?.wait { node in
      let selectors = unsafeDowncast(node, to: Node.self).attachments.existing(SelectorCache.self)
      count = selectors?.takeUnretainedValue().recomputations(of: selector.identity) ?? 0
    }
    return count
  }
}
