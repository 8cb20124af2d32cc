extension Store {
  /// Adds a function to the store's node, when its turn comes.
  package func add(_ function: AddedFunction<Action>) -> StoreSubscription {
    guard let address, sink is NodeSink<Action> else { Misuse.addingToStoreWithOwnActions.stop() }
    let isAccepted = address.tree.append(at: address, .following(needsPresent: false)) { node in
      Node.of(node).attachments
        .object { AddedFunctions<Action>(on: address.tree) }
        ._withUnsafeGuaranteedRef { $0.add(function) }
    }
    if !isAccepted { reportUseAfterRelease() }
    return StoreSubscription { [weak function] in
      _ = address.tree.append(at: address, .following(needsPresent: false)) { [weak function] node in
        guard let function else { return }
        Node.of(node).attachments.existing(AddedFunctions<Action>.self)?
          ._withUnsafeGuaranteedRef { $0.remove(function) }
      }
    }
  }
}
