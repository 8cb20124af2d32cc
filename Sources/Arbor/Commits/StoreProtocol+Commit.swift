extension StoreProtocol {
  /// Changes the state in a closure, as one step, and returns after the observers on the store's queue have been
  /// called.
  ///
  /// ```swift
  /// store.commit { $0.name = self.text }
  /// let count = try store.commit { state in try state.add(item) }
  /// ```
  ///
  /// - You can call it from any thread. It waits for everything accepted before the call, like ``dispatchAndWait(_:)``.
  ///   The closure runs on the calling thread and on the tree's queue. In an asynchronous function, it blocks the
  ///   thread while it waits, like a lock.
  /// - It is an action: its mutation passes the interceptors, and is then reduced. If an interceptor drops or holds the
  ///   mutation, or replaces it with one that doesn't apply it, the program stops with a message; see
  ///   ``Mutation/isAwaited``.
  /// - A closure that changes nothing is a step like any other, unless you pass `ifChanged`.
  /// - If the closure throws, the state is restored, there is no step, and no observer is notified. Objects that the
  ///   state refers to aren't restored. For this, a closure that can throw keeps a copy of this scope's part of the
  ///   state. Any other closure changes the state in place.
  /// - It changes the state that the store's mutations take: the root's state, the part of it that the scopes' key
  ///   paths lead to, or a child's own state, for a ``childCommitStore(initialState:feature:qos:)``. The result of a
  ///   `scope(to:)` or `stateMapping` is only a view. If reducers of child stores run before a commit that then throws,
  ///   their changes are undone.
  /// - Inside a callback of the same tree, including a task's cancellation handler, it would wait forever, so it stops
  ///   the program with a message. Call ``commitLater(named:fileID:line:_:)`` there instead.
  /// - Parameters:
  ///   - duplicates: A comparison, such as `.equatable`, of this scope's part before and after the closure. If it finds
  ///     them equal, the part is restored and there is no step. For this, a copy of the part is kept, as for a closure
  ///     that can throw.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call, for monitors.
  ///   - line: The line of the call, for monitors.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Returns: The result of the closure. Nil if the closure wasn't called, because the store's owner is gone or the
  ///   part is nil. Also nil if a table of ArborEntities refused the changed record.
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
        // There is no part, or the table that contains the part refused the change.
        outcome = nil
        return false
      }
      // A closure that can't throw changes the state in place. If a copy were kept, its writes would have to copy
      // everything they change.
      let before = Failure.self == Never.self && duplicates == nil ? nil : state.pointee
      do throws(Failure) {
        outcome = .success(try body(&state.pointee))
        guard let duplicates, let before, duplicates.areEqual(before, state.pointee) else { return true }
        // A comparison may ignore a part of the state: without a notification, no change is kept.
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

  /// Changes the state in a closure whose result is optional, as one step.
  ///
  /// - Otherwise it works like the overload for any other result.
  /// - Parameters:
  ///   - duplicates: A comparison of this scope's part before and after the closure. If it finds them equal, there is
  ///     no step. Without a comparison, a closure that changes nothing is a step, too.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Throws: The error of the closure. The state is then unchanged.
  /// - Returns: The result of the closure, as a single optional. It is also nil if the closure wasn't called.
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

  /// Applies a mutation, as one step, and returns after the observers on the store's queue have been called.
  ///
  /// ```swift
  /// if !store.commit(.rename(to: "Rowan")) { print("there is nothing to rename") }
  /// ```
  ///
  /// - Like the commit of a closure, it waits and is an action, with the mutation's name and position.
  /// - Parameter mutation: The mutation. A mutation of another `commit` belongs to its caller: committing it stops the
  ///   program with a message.
  /// - Returns: `true` if the change succeeded, like ``Mutation/apply(to:)``. Also `false` if the store's owner is gone
  ///   or the part is nil.
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

  /// Changes the state in a closure, as one step, after everything already waiting.
  ///
  /// - You can call it from any thread, even inside observers and interceptors. It returns at once: the mutation is
  ///   dispatched like any action.
  /// - If the store's optional part is nil when the mutation is reduced, it does nothing and isn't a step. It does
  ///   nothing once the owner is gone.
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
  /// Returns a store of a part of this store's state, whose commits change that part.
  ///
  /// - If the part is stored in the state itself, it is changed in place. If the part is computed, or stored in an
  ///   object, it is read, changed, and then assigned. As usual, a subscript of an array stops the program if there is
  ///   no such element.
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

  /// Returns a store of an optional part of this store's state, whose commits change that part.
  ///
  /// - While the part is nil, observers aren't called, ``state`` is nil, and commits do nothing: they aren't steps, and
  ///   return nil.
  /// - Parameter part: The key path of the optional part.
  @inlinable
  public func scope<Part: Sendable>(
    atOptional part: any WritableKeyPath<State, Part?> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    let access = WritablePart(part)
    return scope(atOptional: .optional(access), at: .part(part)) { [reader = access.reader] in reader($0) }
  }

  /// Returns a store of the part that a writer changes, which may be missing, with the tasks of a place.
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
  /// Returns a store of a part of this store's state, whose commits change that part.
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
        // At this point, `change` has become a write of the whole.
        let made = mutation($0)
        let canFail = made.canFail || part.isOptional
        return Mutation(made.origin, of: $0, canFail: canFail, target: part.target { made })
      }
    }
    return scoped(embed: { $0.scoped(to: part) }, commit: commit, presences: presences, place: place, project)
  }
}
