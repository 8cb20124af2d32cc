/// A place in a tree where the effects of a feature work: a node, or the parts of its state to which the feature is scoped.
@usableFromInline
package struct EffectPlace<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline package let address: NodeAddress
  @usableFromInline package let state: StateAccess<State>
  @usableFromInline package let targets: EffectTargets<Action>

  /// Decides whether effects are performed here; nil if they always are.
  @usableFromInline package var sharing: (any EffectSharing)?

  @inlinable
  package init(
    at address: NodeAddress,
    _ state: StateAccess<State>,
    _ targets: EffectTargets<Action>,
    sharing: (any EffectSharing)? = nil
  ) {
    self.address = address
    self.state = state
    self.targets = targets
    self.sharing = sharing
  }

  /// Makes the place from a feature's place. Returns nil if the feature isn't in a tree: then no effects are performed.
  @inlinable
  package init?(_ place: FeaturePlace<State, Action>) {
    switch place.site {
    case .node(let box, let sink, let onError):
      self.init(at: place.address, .own(box), .one(EffectTarget(sink, onEffectError: onError)))
    case .other(let place): self = place as! EffectPlace
    case .beside: return nil
    }
  }

  /// The place for the feature whose effects work here.
  @inlinable package var featurePlace: FeaturePlace<State, Action> { FeaturePlace(at: address, .other(self)) }

  /// `true` while the effects of the reduced action are performed by another client of a shared store.
  @usableFromInline package var isElsewhere: Bool { sharing?.isElsewhere == true }
}

/// Access to the state of a feature on the tree's queue.
@usableFromInline
package enum StateAccess<State: Sendable>: Sendable {
  /// A node's own state.
  case own(StateBox<State>)

  /// Parts of a node's state: one, which may be missing, or the elements of a collection.
  case parts(PartAccess<State>)

  /// Calls a body with the state of an element. Doesn't call it if there is none.
  ///
  /// - Parameter key: The element; nil outside collections.
  @inlinable @inline(__always)
  package func read(_ key: ElementKey?, _ body: (UnsafePointer<State>) -> Void) {
    switch self {
    case .own(let box): body(box.pointer)
    case .parts(let parts): parts.read(key, body)
    }
  }

  /// Calls a body with each state that exists, in order.
  ///
  /// - Parameter elements: The elements of the outermost collection that contain the states; nil for all states.
  @inlinable
  package func readEach(in elements: [ElementKey]?, _ body: (UnsafePointer<State>, ElementKey?) -> Void) {
    switch self {
    case .own(let box): body(box.pointer, nil)
    case .parts(let parts): parts.readEach(elements, body)
    }
  }

  /// The outermost collection whose elements contain the states; nil if there is none.
  @usableFromInline package var collection: WatchedCollection? {
    switch self {
    case .own: nil
    case .parts(let parts): parts.collection
    }
  }

  /// Finds the identity of a state that may be missing; nil if the state can neither be missing nor be replaced.
  @usableFromInline package var identity: (@Sendable (ElementKey?) -> PartIdentity?)? {
    switch self {
    case .own: nil
    case .parts(let parts): parts.identity
    }
  }

  /// Finds the identities of many states, like ``identity`` for one.
  @usableFromInline package var identities: (@Sendable ([ElementKey?]) -> [PartIdentity?])? {
    switch self {
    case .own: nil
    case .parts(let parts): parts.identities
    }
  }
}

/// Access to the parts of a node's state.
@usableFromInline
package struct PartAccess<State: Sendable>: Sendable {
  @usableFromInline let read: @Sendable (ElementKey?, _ body: (UnsafePointer<State>) -> Void) -> Void
  @usableFromInline let readEach: @Sendable ([ElementKey]?, _ body: (UnsafePointer<State>, ElementKey?) -> Void) -> Void

  /// Finds the identity of a part; returns nil if the part is missing. Nil itself if the part always exists and never
  /// changes its identity.
  @usableFromInline let identity: (@Sendable (ElementKey?) -> PartIdentity?)?

  /// Finds the identities of many parts, like ``identity`` for one. The time is linear in the number of parts plus the
  /// number of keys.
  @usableFromInline let identities: (@Sendable ([ElementKey?]) -> [PartIdentity?])?

  /// The outermost collection whose elements contain the parts; nil if there is none.
  @usableFromInline let collection: WatchedCollection?

  @inlinable
  package init(
    read: @escaping @Sendable (ElementKey?, (UnsafePointer<State>) -> Void) -> Void,
    readEach: @escaping @Sendable ([ElementKey]?, (UnsafePointer<State>, ElementKey?) -> Void) -> Void,
    identity: (@Sendable (ElementKey?) -> PartIdentity?)?,
    identities: (@Sendable ([ElementKey?]) -> [PartIdentity?])?,
    collection: WatchedCollection?
  ) {
    self.read = read
    self.readEach = readEach
    self.identity = identity
    self.identities = identities
    self.collection = collection
  }
}

/// The targets of a feature's effects: one, or one for each element of a collection.
@usableFromInline
package enum EffectTargets<Action: Sendable>: Sendable {
  case one(EffectTarget<Action>)
  case each(@Sendable (ElementKey?) -> EffectTarget<Action>)

  /// Returns the target of an element's effects.
  ///
  /// - Parameter key: The element; nil outside collections.
  @inlinable
  package func target(of key: ElementKey?) -> EffectTarget<Action> {
    switch self {
    case .one(let target): target
    case .each(let makeTarget): makeTarget(key)
    }
  }
}

/// A target of effects.
@usableFromInline
package struct EffectTarget<Action: Sendable>: Sendable {
  /// Receives the actions of the effects. Its host has their tasks.
  @usableFromInline package let sink: ActionSink<Action>

  /// Receives the errors that a feature doesn't handle itself; nil if they are printed.
  @usableFromInline package let onEffectError: EffectErrorHandler<Action>?

  @inlinable
  package init(_ sink: ActionSink<Action>, onEffectError: EffectErrorHandler<Action>?) {
    self.sink = sink
    self.onEffectError = onEffectError
  }
}
