extension Feature {
  /// Returns this feature for a larger state, which contains the feature's state and actions.
  ///
  /// - It sees only the actions that `extract` finds, and its own part of the state; all other actions pass.
  /// - The part is changed in place if it is stored in the state itself.
  /// - The keys of its tasks belong to its place, which is the key path. Another part, or another feature, may use the
  ///   same keys. ``StoreProtocol/cancel(_:at:)`` and ``Effect/cancel(_:at:)`` reach them from a store further up.
  /// - Parameters:
  ///   - part: The part of the larger state.
  ///   - embed: Wraps an action of this feature, usually in an enum case.
  ///   - extract: Returns the action of this feature that an action contains; nil if it contains none. Called at most
  ///     once for each action, and once more for each replacement by an interceptor and for a held action that
  ///     continues. Debug builds call it again for the first action, and stop the program if it doesn't match `action`.
  @inlinable
  public func scoped<Whole: Sendable, WholeAction: Sendable>(
    to part: any WritableKeyPath<Whole, State> & Sendable,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Feature<Whole, WholeAction> {
    scoped { SinglePart(.required(WritablePart(part)), action: embed, extract: extract, at: .part(part)) }
  }

  /// Returns this feature for a larger state, where the feature's state may be missing.
  ///
  /// - While the part is nil, its actions change nothing: the reducer isn't called and the effects aren't requested;
  ///   the interceptors pass it. The effects aren't requested either if a later feature in the same step removed or
  ///   replaced the part.
  /// - In the step in which the part becomes nil, the feature's tasks are canceled, and actions that its effects sent
  ///   are revoked, including those of ended tasks. If the part is `Identifiable`, the same happens when a part with
  ///   another id replaces it.
  /// - Otherwise it works like ``scoped(to:action:extract:)``.
  /// - Parameters:
  ///   - part: The optional part of the larger state.
  ///   - embed: Wraps an action of this feature, usually in an enum case.
  ///   - extract: Returns the action of this feature that an action contains; nil if it contains none.
  @inlinable
  public func scoped<Whole: Sendable, WholeAction: Sendable>(
    toOptional part: any WritableKeyPath<Whole, State?> & Sendable,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Feature<Whole, WholeAction> {
    scoped { SinglePart(.optional(WritablePart(part)), action: embed, extract: extract, at: .part(part)) }
  }

  /// Returns this feature for an enum, where the feature's state is the value of one case.
  ///
  /// ```swift
  /// let screen = Feature<Screen, ScreenAction>.combined(
  ///   list.scoped(toCase: Screen.list, at: \.list, action: ScreenAction.list, extract: \.list),
  ///   detail.scoped(toCase: Screen.detail, at: \.detail, action: ScreenAction.detail, extract: \.detail)
  /// )
  /// ```
  ///
  /// - The value is taken out of the enum, changed, and put back, without copying its content.
  /// - While the enum has another case, the value is missing, like an optional part in
  ///   ``scoped(toOptional:action:extract:)``.
  /// - Parameters:
  ///   - embedValue: Makes the enum from a value: the case itself.
  ///   - value: Reads the value; nil if the enum has another case. The keys of tasks belong to this key path.
  ///   - embed: Wraps an action of this feature, usually in an enum case.
  ///   - extract: Returns the action of this feature that an action contains; nil if it contains none.
  @inlinable
  public func scoped<Whole: Sendable, WholeAction: Sendable>(
    toCase embedValue: @escaping @Sendable (_ value: State) -> Whole,
    at value: any KeyPath<Whole, State?> & Sendable,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Feature<Whole, WholeAction> {
    scoped {
      SinglePart(
        .enumCase(embed: embedValue) { $0[keyPath: value] },
        action: embed,
        extract: extract,
        at: .part(value)
      )
    }
  }

  /// Returns this feature for the given parts of a larger state.
  @inlinable
  package func scoped<Parts: ScopedParts>(
    to makeParts: @escaping @Sendable () -> Parts
  ) -> Feature<Parts.Whole, Parts.WholeAction> where Parts.Part == State, Parts.PartAction == Action {
    Feature<Parts.Whole, Parts.WholeAction> { [make] place in
      let scope = FeatureScope(makeParts(), on: place.address.tree)
      guard let outer = EffectPlace(place) else {
        return scope.functions(of: make(FeaturePlace(at: place.address, .beside)), in: nil, nil)
      }
      #if DEBUG
        scope.noteExtract(in: outer)
      #endif
      // Not a property of the scope, because it has a version of the collection, and running tasks keep the scope.
      let collection =
        scope.parts.onlyID == nil && outer.state.collection == nil
        ? ElementWatch(scope.parts, in: outer.state) : nil
      return scope.functions(of: make(scope.place(in: outer, collection).featurePlace), in: outer, collection)
    }
  }
}

extension Feature where State: Identifiable, State.ID: Sendable {
  /// Returns this feature for a larger state with an array of any number of this feature's states.
  ///
  /// ```swift
  /// row.forEach(\.rows, action: AppAction.row, extract: \.row)  // case row(Row.ID, RowAction)
  /// ```
  ///
  /// - An action belongs to the element with its id, which is changed in place. If there is none, the action changes
  ///   nothing: the reducer isn't called and the effects aren't requested; the interceptors pass it. If several
  ///   elements have equal ids, any one of them may be used.
  /// - In the step in which an element is removed, its tasks are canceled, and actions that its effects sent are
  ///   revoked, including those of ended tasks. An element that moves keeps its tasks.
  /// - The keys of each element's tasks belong to its place, which is the key path and the id.
  /// - Cost: the search for an id begins at its last known position, so it is short unless elements move far. An action
  ///   of an element takes the same time, no matter how many elements have tasks or a ``StateEffect``. After any other
  ///   change to the array, each of these elements is compared with the state. If there are many such elements, a
  ///   change may copy the array, which in total takes no longer than these comparisons.
  /// - Parameters:
  ///   - elements: The array in the larger state.
  ///   - embed: Wraps an id and an action of its element, usually in an enum case.
  ///   - extract: Returns the id and the action that an action contains; nil if it contains none. Called at most once
  ///     for each action, and once more for each replacement by an interceptor and for a held action that continues.
  @inlinable
  public func forEach<Whole: Sendable, WholeAction: Sendable>(
    _ elements: any WritableKeyPath<Whole, [State]> & Sendable,
    action embed: @escaping @Sendable (_ id: State.ID, _ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> (State.ID, Action)?
  ) -> Feature<Whole, WholeAction> {
    scoped { ArrayElements(elements, action: embed, extract: extract) }
  }
}
