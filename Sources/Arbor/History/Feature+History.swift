extension Feature where State: Equatable {
  /// Makes a feature whose state is a document with its history, which records what this feature changes.
  ///
  /// ```swift
  /// let text = Feature<Text, TextAction> { text, action in … }
  /// let app = text.withHistory(
  ///   grouping: { action in if case .typed = action { "typing" } else { nil } },
  ///   clearing: { action in if case .opened = action { true } else { false } }
  /// )
  /// ```
  ///
  /// - An action that changes the document is one change to undo; one that leaves it as it was is none, see
  ///   ``History/record()``.
  /// - To undo is up to a feature of what contains the history, with an action of its own: ``History/undo()``.
  /// - Parameters:
  ///   - group: The group of an action's change; nil if it is a change by itself. Consecutive changes of the same group
  ///     are undone at once.
  ///   - clears: Returns `true` for an action that begins a new document: what was before it cannot be undone.
  @inlinable
  public func withHistory(
    grouping group: @escaping @Sendable (_ action: Action) -> (any Hashable & Sendable)? = { _ in nil },
    clearing clears: @escaping @Sendable (_ action: Action) -> Bool = { _ in false }
  ) -> Feature<History<State>, Action> {
    Feature<History<State>, Action>.combined(
      scoped(to: \.document, action: { $0 }, extract: { $0 }),
      Feature<History<State>, Action>(reducer: History<State>.recorder(grouping: group, clearing: clears))
    )
  }
}

extension Feature where State: Equatable, Action == Mutation<State> {
  /// Makes a feature of commits whose state is a document with its history, which records each commit of the document.
  ///
  /// ```swift
  /// let app = Feature<Drawing, Mutation<Drawing>>(reducer: nil).withHistory().scoped(at: \AppState.drawing)
  /// let store = CommitStore(initialState: AppState(), feature: app)
  /// store.scope(at: \.drawing.document).commit { $0.title = "Arbor" }
  /// store.scope(at: \.drawing).commit { $0.undo() }
  /// ```
  ///
  /// - A commit of something larger than the history is not recorded by itself: it records what it changes,
  ///   ``History/record()``, or the next change is undone together with it.
  /// - Parameters:
  ///   - group: The group of a commit, for example by its name; nil if it is a change by itself. Consecutive changes of
  ///     the same group are undone at once.
  ///   - clears: Returns `true` for a commit that begins a new document: what was before it cannot be undone.
  @inlinable
  public func withHistory(
    grouping group: @escaping @Sendable (_ mutation: Mutation<History<State>>) -> (any Hashable & Sendable)? = { _ in
      nil
    },
    clearing clears: @escaping @Sendable (_ mutation: Mutation<History<State>>) -> Bool = { _ in false }
  ) -> Feature<History<State>, Mutation<History<State>>> {
    Feature<History<State>, Mutation<History<State>>>.combined(
      scoped(at: \.document),
      Feature<History<State>, Mutation<History<State>>>(
        reducer: History<State>.recorder(grouping: group, clearing: clears)
      )
    )
  }
}

extension History {
  /// The reducer that records what an action has changed.
  @usableFromInline
  static func recorder<Action: Sendable>(
    grouping group: @escaping @Sendable (Action) -> (any Hashable & Sendable)?,
    clearing clears: @escaping @Sendable (Action) -> Bool
  ) -> Reducer<History, Action> {
    { history, action in
      guard !clears(action) else { return history.clear() }
      if let group = group(action) { history.group(group) }
      history.record()
    }
  }
}
