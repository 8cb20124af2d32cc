extension Feature where Action == Mutation<State> {
  /// Makes a feature of commits of a larger state, which contains this feature's state.
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
  /// - The reducer of a feature of commits is middleware: it is called after each commit that has taken place. Scoped,
  ///   it is called after each commit that took place at this path or below it: of a store that is scoped to this part,
  ///   or further, in any number of steps, to a part of this part, a value of an optional, or a record of a table. A
  ///   commit of something larger, of the whole, or of another part passes it.
  /// - A key path that is given in one piece is known to lead through this part only if all of its properties are
  ///   stored. Where one is computed or the element of a subscript, scope in steps: `scope(at: \.part).scope(at: \.it)`.
  /// - An interceptor may drop and replace the mutations of `commitLater`. A mutation for which a caller of `commit`
  ///   waits (see ``Mutation/isAwaited``) takes the whole state: the mutation of the part that the feature sees stands
  ///   for it, and stops the program if it is applied.
  /// - Its tasks have the keys of its place, which is the key path.
  /// - Parameter part: The key path of the part in the larger state.
  @inlinable
  public func scoped<Whole: Sendable>(
    at part: any WritableKeyPath<Whole, State> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(commitsAt: part) }
  }

  /// Makes a feature of commits of a larger state, in which this feature's state may be missing.
  ///
  /// - A commit of the optional itself is one of its value. Middleware is not called if there is none after the commit;
  ///   an interceptor cannot apply to a value the mutation that takes it away.
  /// - Otherwise like ``scoped(at:)``, and in what the missing state means like ``scoped(toOptional:action:extract:)``.
  /// - Parameter part: The key path of the optional part in the larger state.
  @inlinable
  public func scoped<Whole: Sendable>(
    atOptional part: any WritableKeyPath<Whole, State?> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(commitsAtOptional: part) }
  }

  /// The same feature for a commit store. The store applies each commit, so only a reducer that is made beside a tree
  /// applies the commit itself and then calls the middleware.
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
