extension Feature where State: Identifiable, State.ID: Sendable {
  /// Makes a feature of a larger state, in which an array contains any number of states of this feature.
  ///
  /// ```swift
  /// row.forEach(\.rows, action: AppAction.row, extract: \.row)  // case row(Row.ID, RowAction)
  /// ```
  ///
  /// - An action belongs to the element with its id, which is changed in place. If there is none, the action changes
  ///   nothing: the reducer is not called and the effects are not asked; the interceptors pass. Of elements with equal
  ///   ids, any one may be meant.
  /// - In the step in which an element is removed, its tasks are cancelled, and actions that its effects have sent are
  ///   revoked, also those of tasks that have ended. An element that moves keeps its tasks.
  /// - The tasks of each element have keys of their own: those of its place, which is the key path and the id.
  /// - Cost: the search for an id begins where it was last found, so that it is short unless elements move far. A
  ///   ``StateEffect`` of this feature looks at each element in each step.
  /// - Parameters:
  ///   - elements: The array in the larger state.
  ///   - embed: Wraps an id and an action of its element, usually in an enum case.
  ///   - extract: Returns the id and the action that an action contains; nil if it contains none. Called at most once
  ///     for each action, and once more for each replacement by an interceptor.
  @inlinable
  public func forEach<Whole: Sendable, WholeAction: Sendable>(
    _ elements: any WritableKeyPath<Whole, [State]> & Sendable,
    action embed: @escaping @Sendable (_ id: State.ID, _ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> (State.ID, Action)?
  ) -> Feature<Whole, WholeAction> {
    scoped { ArrayElements(elements, action: embed, extract: extract) }
  }
}
