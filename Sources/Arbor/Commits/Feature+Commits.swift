extension Feature where Action == Mutation<State> {
  /// Makes a feature for commits of a larger state that contains this feature's state.
  ///
  /// ```swift
  /// let settings = Feature<Settings, Mutation<Settings>> { settings, mutation in settings.changes += 1 }
  /// let app = Feature<AppState, Mutation<AppState>>.combined(
  ///   settings.scoped(at: \.settings),
  ///   Feature { state, mutation in state.lastChange = mutation.name }
  /// )
  /// let store = CommitStore(initialState: AppState(), feature: app)
  /// store.scope(at: \.settings).commit { $0.name = "Arbor" }
  /// ```
  ///
  /// - The reducer of a feature for commits is middleware: it is called after each commit that succeeds. If it is
  ///   scoped, it is called after each commit at this path or below it. A store is below this path if it is scoped, in
  ///   any number of steps, to a part of this part, a value of an optional, or a record of a table. The reducer isn't
  ///   called for a commit of a larger part, of the whole state, or of another part.
  /// - If you pass a longer key path as a whole, Arbor only knows that it leads through this part if all of its
  ///   properties are stored. If one is computed or the element of a subscript, scope in steps:
  ///   `scope(at: \.part).scope(at: \.it)`.
  /// - An interceptor may drop and replace the mutations of `commitLater`. If a caller of `commit` waits for a mutation
  ///   (see ``Mutation/isAwaited``), that mutation changes the whole state. The feature then sees a mutation of the
  ///   part that represents it, and that stops the program if you apply it.
  /// - The keys of its tasks belong to its place, which is the key path.
  /// - Parameter part: The key path of the part in the larger state.
  @inlinable
  public func scoped<Whole: Sendable>(
    at part: any WritableKeyPath<Whole, State> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(commitsAt: part) }
  }

  /// Makes a feature for commits of a larger state, where this feature's state may be missing.
  ///
  /// - A commit of the optional itself counts as a commit of its value. If there is no value after the commit,
  ///   middleware isn't called. An interceptor can't apply the mutation to a value if it removes the value.
  /// - Otherwise it works like ``scoped(at:)``. For a missing state, it works like
  ///   ``scoped(toOptional:action:extract:)``.
  /// - Parameter part: The key path of the optional part in the larger state.
  @inlinable
  public func scoped<Whole: Sendable>(
    atOptional part: any WritableKeyPath<Whole, State?> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(commitsAtOptional: part) }
  }

  /// The same feature for a commit store. The store applies each commit itself. Only a reducer that is made outside a
  /// tree applies the commit and then calls the middleware.
  @usableFromInline package var applyingCommits: Feature {
    Feature { [make] place in
      let functions = make(place)
      guard place.isBeside else { return functions }
      return FeatureFunctions(reducer: Mutation.reducerBesideTree(functions.reducer))
    }
  }
}

extension SinglePart where WholeAction == Mutation<Whole>, PartAction == Mutation<Part> {
  @inlinable
  init(commitsAt path: any WritableKeyPath<Whole, Part> & Sendable) {
    let part = WritablePart(path)
    self.init(
      .required(part),
      action: { $0.scoped(to: .required(part)) },
      extract: { [place = PartPlace(part)] in $0.part(at: place, of: Part.self) },
      at: .part(path),
      isPairKnown: true
    )
  }

  @inlinable
  init(commitsAtOptional path: any WritableKeyPath<Whole, Part?> & Sendable) {
    let part = WritablePart(path)
    self.init(
      .optional(part),
      action: { $0.scoped(to: .optional(part)) },
      extract: { [place = PartPlace(part)] in $0.part(at: place, of: Part?.self)?.unwrapped() },
      at: .part(path),
      isPairKnown: true
    )
  }
}
