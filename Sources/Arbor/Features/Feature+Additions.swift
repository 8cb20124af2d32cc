extension Feature {
  /// A feature of the effects and interceptors that are added to its store later, by ``StoreProtocol/add(effects:)`` and
  /// ``StoreProtocol/add(interceptor:)``.
  ///
  /// ```swift
  /// let factory = StoreFactory(initialState: AppState(), feature: .combined(app, .additions))
  /// let adding = factory.add { state, action in … }
  /// ```
  ///
  /// - Its place among the features that are combined is that of what is added.
  /// - It is a feature of a whole store: scoped, it stops the program with a message.
  /// - A store without it pays nothing.
  public static var additions: Feature {
    Feature { place in
      guard case .own = place.state, case .one(let target) = place.targets else { Misuse.scopingAdditions.stop() }
      let added = AddedFunctions(performingFor: target)
      place.address.host.attachments.object { AddedFunctionsPlace<Action>() }
        ._withUnsafeGuaranteedRef { $0.functions = added }
      return FeatureFunctions(
        reducer: nil,
        intercept: { action, dispatch, _ in added.intercept(&action, dispatch) },
        effects: FeatureEffects(
          begin: {},
          perform: { action, _, group in added.perform(after: action, in: group) },
          update: nil
        )
      )
    }
  }
}

extension StoreProtocol {
  /// Adds effects to a store that has the feature ``Feature/additions``, for as long as the returned subscription is
  /// kept.
  ///
  /// - They are asked for each action of the store and of its children that is accepted from then on, behind those that
  ///   were added before, with this store's state; not while its scope is nil.
  /// - When the subscription ends, in its turn among the actions, the tasks and waiting actions of these effects are
  ///   cancelled.
  /// - From any thread, also inside callbacks. It does nothing once the owner is gone.
  /// - Stops the program with a message if the store's node has not that feature, or the store has its own type of
  ///   actions.
  public func add(
    effects: @escaping @Sendable (_ state: State, _ action: Action) -> Effect<Action>
  ) -> StoreSubscription {
    add { read in
      AddedFunctions.Function(effect: { action in read().map { effects($0, action) } ?? .none })
    }
  }

  /// Adds an interceptor to a store that has the feature ``Feature/additions``, for as long as the returned subscription
  /// is kept.
  ///
  /// - In all else as ``add(effects:)``. While the store's scope is nil, actions pass it.
  public func add(interceptor: Interceptor<State, Action>) -> StoreSubscription {
    let store = asStore
    return add { read in
      AddedFunctions.Function(intercept: { action, dispatch in
        guard let current = read(), let address = store.address else { return true }
        let context = Interceptor<State, Action>.Context(
          dispatch: dispatch,
          // Read later, the state may be missing: then the state at the time of the action is returned.
          read: { store.state ?? current },
          address: address
        )
        return interceptor.passes(&action, context)
      })
    }
  }

  private func add(
    _ makeFunction: @escaping @Sendable (_ read: @escaping @Sendable () -> State?) -> AddedFunctions<Action>.Function
  ) -> StoreSubscription {
    let store = asStore
    guard let address = store.address,
      let place = address.host.attachments.existing(AddedFunctionsPlace<Action>.self)?.takeUnretainedValue()
    else { Misuse.addingToStoreWithoutAdditions.stop() }
    // Made on the queue, where it is used.
    let added = AddedFunction<Action>()
    let isAccepted = address.tree.append(at: address) { node in
      // Unretained: the node keeps the function.
      let node = Unmanaged.passUnretained(unsafeDowncast(node, to: Node.self))
      let function = makeFunction { node._withUnsafeGuaranteedRef { store.read($0) } }
      added.function = function
      place.functions?.add(function)
    }
    if !isAccepted { store.reportUseAfterRelease() }
    return StoreSubscription {
      _ = address.tree.append(at: address) { _ in
        if let function = added.function { place.functions?.remove(function) }
      }
    }
  }
}

/// A reference to one that was added, for its removal. On the tree's queue only.
private final class AddedFunction<Action: Sendable>: @unchecked Sendable {
  // Sendable because the reference is touched on the tree's queue only.

  weak var function: AddedFunctions<Action>.Function?
}
