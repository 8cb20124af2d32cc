extension StoreProtocol {
  /// Returns the output of a selector for the state; nil once the owner is gone or while the scope is nil.
  ///
  /// - Like ``state``, this waits for everything accepted before the call, and the selector runs on the store's queue.
  ///   Inside an interceptor or observer of the same tree, it returns at once; inside a reducer, it stops the program.
  /// - The store's node caches the output. A closure-backed store has no node and computes the output each time.
  /// - Parameter selector: The selector. If you create one for each call, it is computed each time.
  @inlinable
  public func select<Output>(_ selector: StateSelector<State, Output>) -> Output? {
    let store = asStore
    var output: Output?
    // Optional chaining, because unwrapping would retain the address.
    let isOpen = store.address?.wait(for: "select") { node in
      let place = Node.of(node)
      let version = StateVersion(revision: place.tree.step.revision, reader: store.identity)
      SelectorCache.of(place)._withUnsafeGuaranteedRef { selectors in
        output =
          selector.recall(from: selectors, at: version)
          ?? store.read(node).map { state in selector.evaluate(state, selectors, version) }
      }
    }
    guard let isOpen else { return store.read(nil).map(selector.callAsFunction) }
    if !isOpen { store.reportUseAfterRelease() }
    return output
  }
}

extension Store {
  /// Returns the number of times a selector was computed for this store's node, after everything accepted before the
  /// call. For tests of the cost of a selector.
  package func recomputationCount<Output>(of selector: StateSelector<State, Output>) -> Int {
    var count = 0
    _ = address?.wait { node in
      let selectors = Node.of(node).attachments.existing(SelectorCache.self)
      count = selectors?.takeUnretainedValue().recomputations(of: selector.identity) ?? 0
    }
    return count
  }
}
