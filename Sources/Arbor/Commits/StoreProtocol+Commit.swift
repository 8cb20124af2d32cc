extension StoreProtocol where Action == Mutation<State> {
  /// Changes the state in a closure, as one step, and returns once the observers on the store's queue were called.
  ///
  /// ```swift
  /// store.commit { $0.name = self.text }
  /// let count = try store.commit { state in try state.add(item) }
  /// ```
  ///
  /// - From any thread. It waits for what was accepted before the call, and for no more; the closure runs on the calling
  ///   thread and the store's queue. In an asynchronous function it blocks the thread for so long, as a lock does.
  /// - It is an action: it passes the interceptors first, and is reduced in its place. One that drops it, or replaces it by one that
  ///   does not apply it, stops the program and says so; see ``Mutation/isAwaited``. A closure that changes nothing is a step like
  ///   any other.
  /// - If the closure throws, its state is as it was before: there is no step, and nobody is notified. For that a closure that
  ///   can throw keeps a copy of its state, that is, of this scope's part; any other changes the state in place. What has
  ///   happened to objects that the state refers to is not undone.
  /// - What changes is what the reducers change: the root's state, or its part at the key paths on the way, whatever a
  ///   `scope(to:)` or a `stateMapping` of the same type shows. Where the reducers of child stores have come before a commit that then
  ///   throws, what they have changed is undone.
  /// - Inside a callback of the same tree, and that may be a task's cancellation handler, it could only deadlock: it stops the
  ///   program and says so. Use ``commitLater(named:fileID:line:_:)`` there.
  /// - Parameters:
  ///   - name: What the mutation is called, for interceptors and monitors.
  ///   - body: Changes the state; it must not read or wait for a store of the same tree.
  /// - Returns: What the closure returns; nil if it was not called: because the store's owner is gone, or the part is nil.
  /// - Throws: What the closure throws, with its type: `{ state throws(Refusal) in … }`.
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
      // What cannot throw changes the state in place: because of a copy it would have to copy what it changes.
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

  /// Changes the state in a closure, as one step, behind what is waiting.
  ///
  /// - From any thread, also inside observers and interceptors. Returns at once: it is dispatched as any action.
  /// - While the store's part is nil it does nothing, and is no step.
  @inlinable
  public func commitLater(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (_ state: inout State) -> Void
  ) {
    dispatch(Mutation(named: name, fileID: fileID, line: line, body))
  }

  /// A store of a part of this one's state, with commits of that part.
  ///
  /// - A part that is stored in the state itself is changed in place; one that is computed, or stored in an object, is read,
  ///   changed, and then assigned. A subscript of an array stops the program where there is no such element, as it does
  ///   anywhere.
  @inlinable
  public func scope<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let store = asStore
    return store.scoped(to: PartWriter(part), presences: store.presences) { [part = PartReader(part)] in part($0) }
  }

  /// A store of a part that is there at times, with commits of that part.
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
  /// A store of a part of this one's state, with commits of that part.
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
        // The change is one of the whole by now.
        let made = mutation($0)
        return Mutation(made.origin, of: $0, canFail: made.canFail || part.isOptional)
      }
    }
    return scoped(embed: { $0.scoped(to: part) }, commit: commit, presences: presences, project)
  }
}
