extension Feature where State: Equatable {
  /// Returns a feature that records this feature's changes in a ``History``.
  ///
  /// ```swift
  /// let text = Feature<Text, TextAction> { text, action in … }
  /// let app = text.withHistory(
  ///   grouping: { action in if case .typed = action { "typing" } else { nil } },
  ///   clearing: { action in if case .opened = action { true } else { false } },
  ///   amending: { action in if case .idAssigned = action { true } else { false } }
  /// )
  /// ```
  ///
  /// - Each action that changes the document is one change to undo. An action that leaves the document unchanged isn't
  ///   recorded; see ``History/record(group:author:)``.
  /// - To undo, handle an action of your own in a feature of the state that contains the history, and call
  ///   ``History/undo()``.
  /// - Parameters:
  ///   - group: Returns the group of an action's change; nil if it has none. Consecutive changes of the same group and
  ///     author are undone together.
  ///   - clears: Returns `true` for an action that begins a new document: earlier changes can't be undone.
  ///   - amends: Returns `true` for an action whose change isn't recorded: undoing doesn't reverse it, because the
  ///     feature's reducer also applies the action to each recorded document; see ``History/amend(_:)``.
  ///   - author: Returns the author of an action's change, for ``History/undo(by:merging:)``; nil if it has none.
  public func withHistory(
    grouping group: @escaping @Sendable (_ action: Action) -> String? = { _ in nil },
    clearing clears: @escaping @Sendable (_ action: Action) -> Bool = { _ in false },
    amending amends: @escaping @Sendable (_ action: Action) -> Bool = { _ in false },
    author: @escaping @Sendable (_ action: Action) -> String? = { _ in nil }
  ) -> Feature<History<State>, Action> {
    let reducer = makeReducerBesideTree()
    return .combined(
      scoped(to: \.document, action: { $0 }, extract: { $0 }),
      Feature<History<State>, Action> { history, action in
        if clears(action) {
          history.clear()
        } else if amends(action) {
          history.amendRecorded(showing: history.document) { reducer(&$0, action) }
        } else {
          history.record(group: group(action), author: author(action))
        }
      }
    )
  }
}

extension Feature where State: Equatable, Action == Mutation<State> {
  /// Returns a feature for commits that records each commit of the document in a ``History``.
  ///
  /// ```swift
  /// let app = Feature<Drawing, Mutation<Drawing>>().withHistory().scoped(at: \AppState.drawing)
  /// let store = CommitStore(initialState: AppState(), feature: app)
  /// store.scope(at: \.drawing.document).commit { $0.title = "Arbor" }
  /// store.scope(at: \.drawing).commit { $0.undo() }
  /// ```
  ///
  /// - A commit of a state that contains the history isn't recorded automatically. Record its changes with
  ///   ``History/record(group:author:)``; otherwise the next change is undone together with it.
  /// - A commit of the history itself can change it in a way that isn't recorded: ``History/amend(_:)``.
  /// - Parameters:
  ///   - group: Returns the group of a commit, for example its name; nil if it has none. Consecutive changes of the
  ///     same group are undone together.
  ///   - clears: Returns `true` for a commit that begins a new document: earlier changes can't be undone.
  public func withHistory(
    grouping group: @escaping @Sendable (_ mutation: Mutation<History<State>>) -> String? = { _ in nil },
    clearing clears: @escaping @Sendable (_ mutation: Mutation<History<State>>) -> Bool = { _ in false }
  ) -> Feature<History<State>, Mutation<History<State>>> {
    .combined(
      scoped(at: \.document),
      Feature<History<State>, Mutation<History<State>>> { history, mutation in
        if clears(mutation) { history.clear() } else { history.record(group: group(mutation)) }
      }
    )
  }
}
