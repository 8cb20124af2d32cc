extension StoreProtocol {
  /// Returns a store of a part of this store's state, with the same actions.
  ///
  /// - An optional result is passed on to observers unchanged, including nil.
  /// - Parameter project: Reads the part from the state. Called on the tree's queue.
  @inlinable @inline(__always)
  public func scope<Part: Sendable>(to project: @escaping @Sendable (_ state: State) -> Part) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(presences: store.presences) { project($0) }
  }

  /// Returns a store of an optional part of this store's state, with the same actions.
  ///
  /// - While the part is nil, observers aren't called and ``state`` is nil. Actions are still sent.
  /// - Parameter project: Reads the part from the state; nil while there is none.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(presences: store.presences(of: project), project)
  }

  /// Returns a store of a part of this store's state, with its own type of actions.
  ///
  /// - Parameters:
  ///   - project: Reads the part from the state.
  ///   - embed: Wraps an action of the part in an action of this store, usually an enum case. Called once for each
  ///     action, on the thread that dispatches it; for actions of a child of the part, on the tree's queue after the
  ///     child's own interceptors.
  @inlinable @inline(__always)
  public func scope<Part: Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences) { project($0) }
  }

  /// Returns a store of the part of this store's state at a key path, with its own type of actions.
  ///
  /// - Its tasks belong to a place, which is the key path. All scopes to that key path, and a ``Feature`` scoped to it,
  ///   share the same tasks and keys. Otherwise it works like the form with a function.
  /// - Parameters:
  ///   - part: The key path of the part.
  ///   - embed: Wraps an action of the part in an action of this store, as in the form with a function.
  @inlinable @inline(__always)
  public func scope<Part: Sendable, PartAction: Sendable>(
    to part: any KeyPath<State, Part> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    let place = ScopePlace.part(part)
    let checked = store.checked(embed, at: place)
    return store.scoped(embed: checked, presences: store.presences, place: place) { $0[keyPath: part] }
  }

  /// Returns a store of an optional part of this store's state, with its own type of actions.
  ///
  /// - While the part is nil, observers aren't called and ``state`` is nil. Actions are still sent.
  /// - Tasks started on this store are canceled when the part becomes nil. If the part is `Identifiable`, they are also
  ///   canceled when a part with another id replaces it.
  /// - Parameters:
  ///   - project: Reads the part from the state; nil while there is none.
  ///   - embed: Wraps an action of the part in an action of this store, usually an enum case. Called once for each
  ///     action, on the thread that dispatches it; for actions of a child of the part, on the tree's queue after the
  ///     child's own interceptors.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences(of: project), project)
  }

  /// Returns a store of the optional part of this store's state at a key path, with its own type of actions.
  ///
  /// - Its tasks belong to a place, which is the key path. All scopes to that key path, and a ``Feature`` scoped to it,
  ///   share the same tasks and keys. Otherwise it works like the form with a function.
  /// - Parameters:
  ///   - part: The key path of the part, which is nil while there is none.
  ///   - embed: Wraps an action of the part in an action of this store, as in the form with a function.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional part: any KeyPath<State, Part?> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    scope(toOptional: { $0[keyPath: part] }, at: .part(part), action: embed)
  }

  /// Returns a store of an optional part of this store's state, with its own type of actions, and the tasks of a place.
  @inlinable
  package func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    at place: ScopePlace,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    let checked = store.checked(embed, at: place)
    return store.scoped(embed: checked, presences: store.presences(of: project), place: place, project)
  }
}

extension Store {
  /// Returns a function that embeds the actions of a scope. In debug builds it checks the first action: a feature at
  /// the scope's place must find it.
  @inlinable @inline(__always)
  func checked<PartAction: Sendable>(
    _ embed: @escaping @Sendable (PartAction) -> Action,
    at place: ScopePlace
  ) -> @Sendable (PartAction) -> Action {
    #if DEBUG
      let check = PairCheck()
      return { [sink] action in
        let embedded = embed(action)
        check.once { PlacedExtracts.check(embedded, of: PartAction.self, at: place, in: sink.host) }
        return embedded
      }
    #else
      return embed
    #endif
  }
}

#if DEBUG
  /// The check that `action` and `extract` belong together. It runs once, with the first action.
  @usableFromInline
  package final class PairCheck: Sendable {
    private let isMade: AtomicFlag

    /// - Parameter isMade: `true` if the pair needs no check.
    @usableFromInline
    package init(isMade: Bool = false) {
      self.isMade = AtomicFlag(isMade)
    }

    @usableFromInline
    package func once(_ check: () -> Void) {
      if !isMade.exchange(true) { check() }
    }

    /// Checks that an action is found in the embedded one. The action may be found in another form.
    package func check<PartAction>(_: PartAction, isFoundBy find: () -> PartAction?) {
      once {
        guard find() != nil else {
          Misuse.embeddingWhatIsNotExtracted.stop(about: String(describing: PartAction.self))
        }
      }
    }

    /// Returns `true` if two ids are equal. The id of a part without one can't be compared.
    @usableFromInline
    package static func areSame<ID>(_ left: ID, _ right: ID) -> Bool {
      func areSame<Compared: Equatable>(_ left: Compared) -> Bool { left == right as? Compared }
      return (left as? any Equatable).map { areSame($0) } ?? true
    }
  }

  /// The functions with which the features at the places of a host find their actions.
  @usableFromInline
  package final class PlacedExtracts: Attachment {
    private struct Extract: Sendable {
      let place: ScopePlace
      let whole: ObjectIdentifier
      let part: ObjectIdentifier
      let finds: @Sendable (any Sendable) -> Bool
    }

    private let extracts = Protected<[Extract]>([])

    /// Records how a feature at a place finds its actions.
    @usableFromInline
    package static func note<Whole: Sendable, PartAction>(
      _ finds: @escaping @Sendable (Whole) -> Bool,
      of part: PartAction.Type,
      at place: ScopePlace,
      in host: AttachmentHost
    ) {
      let scope = AttachmentHost(in: host, presences: [], place: place)
      guard let parent = scope.parent, let place = scope.place else { return }
      let extract = Extract(place: place, whole: ObjectIdentifier(Whole.self), part: ObjectIdentifier(part)) {
        ($0 as? Whole).map(finds) ?? false
      }
      let noted = parent.attachments.object { PlacedExtracts() }.takeUnretainedValue()
      noted.extracts.withLock { $0.append(extract) }
    }

    /// Reports an embedded action if the place has features with its type of actions and none of them finds it. That
    /// may be intended: the action may be one of the whole state.
    @usableFromInline
    static func check<Whole: Sendable, PartAction>(
      _ action: Whole,
      of part: PartAction.Type,
      at place: ScopePlace,
      in host: AttachmentHost
    ) {
      let scope = AttachmentHost(in: host, presences: [], place: place)
      guard let parent = scope.parent, let place = scope.place else { return }
      // Compares places and calls functions outside the lock: both are user code.
      let noted = parent.attachments.existing(PlacedExtracts.self)?.takeUnretainedValue().extracts.withLock { $0 } ?? []
      let (whole, part) = (ObjectIdentifier(Whole.self), ObjectIdentifier(part))
      let extracts = noted.filter { $0.whole == whole && $0.part == part && $0.place == place }
      guard !extracts.isEmpty, !extracts.contains(where: { $0.finds(action) }) else { return }
      Misuse.scopingPastTheFeature.report(about: String(describing: PartAction.self))
    }
  }
#endif
