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
  ///   it is called for the commits of stores that are scoped at this path, or further, to a part of this part. A commit
  ///   of the whole, or of another part, passes it.
  /// - To a part of this part leads a longer chain of scopes, or one key path, if all of its properties are stored.
  /// - An interceptor may drop and replace the mutations of `commitLater`. A mutation for which a caller of `commit`
  ///   waits (see ``Mutation/isAwaited``) takes the whole state: the mutation of the part that the feature sees stands
  ///   for it, and stops the program if it is applied.
  /// - Its tasks have the keys of its place, which is the key path.
  @inlinable
  public func scoped<Whole: Sendable>(
    at part: any WritableKeyPath<Whole, State> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(FeaturePart(part), writer: PartWriter(part), at: part) }
  }

  /// Makes a feature of commits of a larger state, in which this feature's state may be missing.
  ///
  /// - Otherwise like ``scoped(at:)``, and in what the missing state means like ``scoped(toOptional:action:extract:)``.
  @inlinable
  public func scoped<Whole: Sendable>(
    atOptional part: any WritableKeyPath<Whole, State?> & Sendable
  ) -> Feature<Whole, Mutation<Whole>> {
    scoped { SinglePart(FeaturePart(optional: part), writer: PartWriter(optional: part), at: part) }
  }
}

extension SinglePart where WholeAction == Mutation<Whole>, PartAction == Mutation<Part> {
  @inlinable
  init(_ access: FeaturePart<Whole, Part>, writer: PartWriter<Whole, Part>, at path: any AnyKeyPath & Sendable) {
    let bytes = writer.bytes
    self.init(
      access,
      action: { $0.scoped(to: writer) },
      extract: { $0.part(at: path, bytes, of: Part.self) },
      at: .part(path)
    )
  }
}
