extension StoreProtocol {
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
  ///   ``Mutation/isAwaited``. A closure that changes nothing is a step like any other, unless `ifChanged` is given.
  /// - If the closure throws, the state is restored, there is no step, and no observer is notified. Objects that the
  ///   state refers to are not restored. For this a closure that can throw keeps a copy of its state, that is, of this
  ///   scope's part; any other closure changes the state in place.
  /// - It changes the state of the store's mutations: the root's state, the part of it to which the key paths of the
  ///   scopes lead, or the own state of a ``childCommitStore(initialState:feature:qos:)``. The result of a `scope(to:)`
  ///   or `stateMapping` is only a view. If reducers of child stores ran before a commit that then throws, their
  ///   changes are undone.
  /// - Inside a callback of the same tree, which may be a task's cancellation handler, it would wait forever: it stops
  ///   the program with a message. Use ``commitLater(named:fileID:line:_:)`` there.
  /// - Parameters:
  ///   - duplicates: A comparison, such as `.equatable`, of this scope's part before and after the closure. If it finds
  ///     them equal, the part is restored and there is no step. For this a copy of the part is kept, as for a closure
  ///     that can throw.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call, for monitors.
  ///   - line: The line of the call, for monitors.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Returns: The result of the closure; nil if the closure was not called, because the store's owner is gone or the
  ///   part is nil, or if a table of ArborEntities has refused the changed record.
  /// - Throws: The error of the closure, with its type: `{ state throws(Refusal) in … }`.
  @inlinable
  @discardableResult
  public func commit<Own: Sendable, Result, Failure: Error>(
    ifChanged duplicates: Equating<Own>? = nil,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout Own) throws(Failure) -> Result
  ) throws(Failure) -> Result? where Action == Mutation<Own> {
    let store = asStore
    var outcome: Swift.Result<Result, Failure>?
    let isAccepted = store.sink.performCommit { state in
      guard let state = state?.assumingMemoryBound(to: Own.self) else {
        // There is no part, or the table with the part has refused the change.
        outcome = nil
        return false
      }
      // A closure that cannot throw changes the state in place. With a copy kept, its writes would have to copy what
      // they change.
      let before = Failure.self == Never.self && duplicates == nil ? nil : state.pointee
      do throws(Failure) {
        outcome = .success(try body(&state.pointee))
        guard let duplicates, let before, duplicates.areEqual(before, state.pointee) else { return true }
        // A comparison may leave a part of the state aside: no change is kept of which nobody hears.
        state.pointee = before
        return false
      } catch {
        outcome = .failure(error)
        if let before { state.pointee = before }
        return false
      }
    } _: { commit in
      Mutation(MutationOrigin(name, fileID, line), of: commit, canFail: Failure.self != Never.self || duplicates != nil)
    }
    if !isAccepted { store.reportUseAfterRelease() }
    return try outcome?.get()
  }

  /// Changes the state in a closure whose result is optional; otherwise like the overload for any other result.
  ///
  /// - Parameters:
  ///   - duplicates: A comparison of this scope's part before and after the closure; if it finds them equal, there is
  ///     no step. Without it, a closure that changes nothing is a step, too.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Throws: The error of the closure. Then the state is as before.
  /// - Returns: The result of the closure, as one optional: nil also if the closure was not called.
  @inlinable
  @discardableResult
  public func commit<Own: Sendable, Result, Failure: Error>(
    ifChanged duplicates: Equating<Own>? = nil,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout Own) throws(Failure) -> Result?
  ) throws(Failure) -> Result? where Action == Mutation<Own> {
    let result: Result?? = try commit(ifChanged: duplicates, named: name, fileID: fileID, line: line, body)
    return result ?? nil
  }

  /// Applies a mutation, as one step, and returns after the observers on the store's queue were called.
  ///
  /// ```swift
  /// if !store.commit(.rename(to: "Rowan")) { print("there is nothing to rename") }
  /// ```
  ///
  /// - It waits and is an action as a closure's commit is, with the mutation's name and position.
  /// - Parameter mutation: The mutation. That of another `commit` belongs to its caller: committing it stops the
  ///   program with a message.
  /// - Returns: `true` if the change has taken place, as ``Mutation/apply(to:)`` does; `false` also if the store's owner
  ///   is gone or the part is nil.
  @discardableResult
  public func commit<Own: Sendable>(_ mutation: Mutation<Own>) -> Bool where Action == Mutation<Own> {
    let store = asStore
    var isMade = false
    let isAccepted = store.sink.performCommit { state in
      isMade = mutation.form.write(to: state)
      return isMade
    } _: { commit in
      Mutation(mutation.origin, of: commit, canFail: mutation.canFail)
    }
    if !isAccepted { store.reportUseAfterRelease() }
    return isMade
  }

  /// Changes the state in a closure, as one step, after what is waiting.
  ///
  /// - From any thread, also inside observers and interceptors. Returns at once: the mutation is dispatched as any
  ///   action.
  /// - Does nothing, and is no step, if the store's optional part is nil by then. Does nothing once the owner is gone.
  /// - Parameters:
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It runs as a ``Reducer`` and must be pure.
  @inlinable
  public func commitLater<Own: Sendable>(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (_ state: inout Own) -> Void
  ) where Action == Mutation<Own> {
    dispatch(Mutation(named: name, fileID: fileID, line: line, body))
  }
}

extension StoreProtocol where Action == Mutation<State> {
  /// A store of a part of this store's state, with commits of that part.
  ///
  /// - A part that is stored in the state itself is changed in place. A part that is computed, or stored in an object,
  ///   is read, changed, and then assigned. A subscript of an array stops the program if there is no such element, as
  ///   it does anywhere.
  /// - Parameter part: The key path of the part.
  @inlinable
  public func scope<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let (store, access) = (asStore, WritablePart(part))
    return store.scoped(to: .required(access), presences: store.presences, place: .part(part)) {
      [reader = access.reader] in
      reader($0)
    }
  }

  /// A store of an optional part of this store's state, with commits of that part.
  ///
  /// - While the part is nil, observers are not called, ``state`` is nil, and commits do nothing: they are no step, and
  ///   return nil.
  /// - Parameter part: The key path of the optional part.
  @inlinable
  public func scope<Part: Sendable>(
    atOptional part: any WritableKeyPath<State, Part?> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let access = WritablePart(part)
    return scope(atOptional: .optional(access), at: .part(part)) { [reader = access.reader] in reader($0) }
  }

  /// A store of what a writer changes, which may not be there, with the tasks of a place.
  @inlinable
  package func scope<Part: Sendable>(
    atOptional part: PartWriter<State, Part>,
    at place: ScopePlace,
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Mutation<Part>> {
    let store = asStore
    return store.scoped(to: part, presences: store.presences(of: project), place: place, project)
  }
}

extension Store {
  /// A store of a part of this store's state, with commits of that part.
  @inlinable
  func scoped<Part>(
    to part: PartWriter<State, Part>,
    presences: [AttachmentHost.PresenceSource],
    place: ScopePlace,
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Mutation<Part>> where Action == Mutation<State> {
    let commit: ActionSink<Mutation<Part>>.Commit = { [sink] change, mutation in
      sink.performCommit {
        part.write($0, change)
      } _: {
        // Here `change` has become a write of the whole.
        let made = mutation($0)
        let canFail = made.canFail || part.isOptional
        return Mutation(made.origin, of: $0, canFail: canFail, target: part.target { made })
      }
    }
    return scoped(embed: { $0.scoped(to: part) }, commit: commit, presences: presences, place: place, project)
  }
}
