extension Store {
  /// A store of a part of this one's state, with the same actions.
  ///
  /// - `project` runs on the store's queue. A result that is optional is passed on as it is, nil included.
  @inlinable
  public func scope<Part: Sendable>(to project: @escaping @Sendable (_ state: State) -> Part) -> Store<Part, Action> {
    scoped(sink, watches: watches) { project($0) }
  }

  /// A store of a part that is there at times, with the same actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    scoped(sink, watches: watches(of: project), project)
  }

  /// A store of a part of this one's state, with its own type of actions.
  ///
  /// - Parameter embed: Makes an action of this store of the part's, as a rule an enum's case. Called once an action:
  ///   where it is dispatched, on that thread; for actions of a child of the part on the store's queue, behind the
  ///   child's own interceptor.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    scoped(sink.embedding(embed, watches: watches), watches: watches) { project($0) }
  }

  /// A store of a part that is there at times, with its own type of actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil. Actions are sent all the same.
  /// - Parameter embed: Makes an action of this store of the part's, as a rule an enum's case. Called once an action:
  ///   where it is dispatched, on that thread; for actions of a child of the part on the store's queue, behind the
  ///   child's own interceptor.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let watches = watches(of: project)
    return scoped(sink.embedding(embed, watches: watches), watches: watches, project)
  }

  @inlinable
  func scoped<Part: Sendable, PartAction: Sendable>(
    _ sink: ActionSink<PartAction>,
    watches: [Place.PresenceWatch],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, PartAction> {
    guard depth < scopeLimit else { Misuse.nestingScopes.stop() }
    return Store<Part, PartAction>(
      address: address,
      sink: sink,
      read: { [read] node in read(node).flatMap(project) },
      connect: { [connect] observer, role in connect(observer.looking(through: project), role) },
      depth: depth + scopeDepth(of: Part.self),
      watches: watches
    )
  }

  /// What tells the tasks of an optional part whether it is there.
  @inlinable
  func watches<Part>(of project: @escaping @Sendable (State) -> Part?) -> [Place.PresenceWatch] {
    watches + [
      { [connect] notice in
        let observer = Observer<State>(
          identity: Identity(),
          form: .noticing { state in notice(state.flatMap(project) != nil) }
        )
        _ = connect(observer, .observer(scope: Identity()))
      }
    ]
  }
}

/// The depth to which scopes may be made one of the other: so much needs less than half a megabyte of stack, which is what a thread has
/// at least.
@usableFromInline let scopeLimit = 1_000

/// What a scope adds to the depth: one, and more where its state is large in itself, of which each scope on the way has copies on the
/// stack. Of large states a few scopes are nested at most.
@inlinable
func scopeDepth<Part>(of _: Part.Type) -> Int {
  1 + min(MemoryLayout<Part>.size / 64, 50)
}
