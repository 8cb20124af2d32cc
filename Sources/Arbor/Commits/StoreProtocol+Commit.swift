extension StoreProtocol where Action == Mutation<State> {
  /// Changes the state in a closure, as one step, and returns after the observers on the store's queue were called.
  ///
  /// ```swift
  /// store.commit { $0.name = self.text }
  /// let count = try store.commit { state in try state.add(item) }
  /// ```
  ///
  /// - From any thread. It waits for what was accepted before the call, as ``dispatchAndWait(_:)`` does; the closure
  ///   runs on the calling thread and on the tree's queue. In an asynchronous function it blocks the thread meanwhile,
  ///   as a lock does.
  /// - It is an action: its mutation passes the interceptors, and is then reduced. An interceptor that drops the
  ///   mutation, or replaces it by one that does not apply it, stops the program with a message; see
  ///   ``Mutation/isAwaited``. A closure that changes nothing is a step like any other.
  /// - If the closure throws, the state is restored, there is no step, and no observer is notified. Objects that the
  ///   state refers to are not restored. For this a closure that can throw keeps a copy of its state, that is, of this
  ///   scope's part; any other closure changes the state in place.
  /// - It changes the root's state, or the part of it to which the key paths of the scopes lead. A `scope(to:)` or
  ///   `stateMapping` whose result has the same type is only a view. If reducers of child stores ran before a commit
  ///   that then throws, their changes are undone.
  /// - Inside a callback of the same tree, which may be a task's cancellation handler, it would wait forever: it stops
  ///   the program with a message. Use ``commitLater(named:fileID:line:_:)`` there.
  /// - Parameters:
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Returns: The result of the closure; nil if the closure was not called, because the store's owner is gone or the
  ///   part is nil.
  /// - Throws: The error of the closure, with its type: `{ state throws(Refusal) in … }`.
  @inlinable
  @discardableResult
  public func commit<Result, Failure: Error>(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let store = asStore
    var outcome: Swift.Result<Result, Failure>?
    let isAccepted = store.sink.performCommit { state in
      guard let state = state?.assumingMemoryBound(to: State.self) else { return false }
      // A closure that cannot throw changes the state in place. With a copy kept, its writes would have to copy what
      // they change.
      let before = Failure.self == Never.self ? nil : state.pointee
      do throws(Failure) {
        outcome = .success(try body(&state.pointee))
        return true
      } catch {
        outcome = .failure(error)
        if let before { state.pointee = before }
        return false
      }
    } _: { commit in
      Mutation(MutationOrigin(name, fileID, line), of: commit, canFail: Failure.self != Never.self)
    }
    if !isAccepted { store.reportUseAfterRelease() }
    return try outcome?.get()
  }

  /// Changes the state in a closure, as one step, after what is waiting.
  ///
  /// - From any thread, also inside observers and interceptors. Returns at once: the mutation is dispatched as any
  ///   action.
  /// - Does nothing, and is no step, if the store's optional part is nil by then. Does nothing once the owner is gone.
  @inlinable
  public func commitLater(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (_ state: inout State) -> Void
  ) {
    dispatch(Mutation(named: name, fileID: fileID, line: line, body))
  }

  /// A store of a part of this store's state, with commits of that part.
  ///
  /// - A part that is stored in the state itself is changed in place. A part that is computed, or stored in an object,
  ///   is read, changed, and then assigned. A subscript of an array stops the program if there is no such element, as
  ///   it does anywhere.
  @inlinable
  public func scope<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let store = asStore
    return store.scoped(to: PartWriter(part), presences: store.presences) { [part = PartReader(part)] in part($0) }
  }

  /// A store of an optional part of this store's state, with commits of that part.
  ///
  /// - While the part is nil, observers are not called, ``state`` is nil, and commits do nothing: they are no step, and
  ///   return nil.
  @inlinable
  public func scope<Part: Sendable>(
    atOptional part: any WritableKeyPath<State, Part?> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let project: @Sendable (State) -> Part? = { [part = PartReader(part)] in part($0) }
    let store = asStore
    return store.scoped(to: PartWriter(optional: part), presences: store.presences(of: project), project)
  }
}

extension Store {
  /// A store of a part of this store's state, with commits of that part.
  @inlinable
  func scoped<Part>(
    to part: PartWriter<State, Part>,
    presences: [AttachmentHost.PresenceSource],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Mutation<Part>> where Action == Mutation<State> {
    let commit: ActionSink<Mutation<Part>>.Commit = { [sink] change, mutation in
      sink.performCommit {
        part.write($0, change)
      } _: {
        // Here `change` has become a write of the whole.
        let made = mutation($0)
        return Mutation(made.origin, of: $0, canFail: made.canFail || part.isOptional)
      }
    }
    return scoped(embed: { $0.scoped(to: part) }, commit: commit, presences: presences, project)
  }
}
