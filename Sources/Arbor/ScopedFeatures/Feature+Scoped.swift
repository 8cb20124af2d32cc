extension Feature {
  /// Makes a feature of a larger state, which contains this feature's state and actions.
  ///
  /// - It sees the actions that `extract` finds, and its own part of the state; all other actions pass it.
  /// - The part is changed in place if it is stored in the state itself.
  /// - Its tasks have keys of their own: those of its place, which is the key path. Another part, or another feature,
  ///   may use the same keys. ``StoreProtocol/cancel(_:at:)`` and ``Effect/cancel(_:at:)`` reach them from above.
  /// - Parameters:
  ///   - part: The part of the larger state.
  ///   - embed: Wraps an action of this feature, usually in an enum case.
  ///   - extract: Returns the action of this feature that an action contains; nil if it contains none. Called at most
  ///     once for each action, and once more for each replacement by an interceptor and for a held action that goes on.
  ///     Debug builds call it again for the first action, and stop the program if it does not fit `action`.
  @inlinable
  public func scoped<Whole: Sendable, WholeAction: Sendable>(
    to part: any WritableKeyPath<Whole, State> & Sendable,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Feature<Whole, WholeAction> {
    scoped { SinglePart(.required(WritablePart(part)), action: embed, extract: extract, at: .part(part)) }
  }

  /// Makes a feature of a larger state, in which this feature's state may be missing.
  ///
  /// - While the part is nil its actions change nothing: the reducer is not called and the effects are not asked; the
  ///   interceptors pass. Nor are the effects asked if a feature behind this one has taken the part away or exchanged it.
  /// - In the step in which the part becomes nil, the feature's tasks are cancelled, and actions that its effects have
  ///   sent are revoked, also those of tasks that have ended; if the part is `Identifiable`, also when it is replaced by
  ///   one with another id.
  /// - Otherwise like ``scoped(to:action:extract:)``.
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

  /// Makes a feature of an enum, of which this feature's state is the value of one case.
  ///
  /// ```swift
  /// let screen = Feature<Screen, ScreenAction>.combined(
  ///   list.scoped(toCase: Screen.list, at: \.list, action: ScreenAction.list, extract: \.list),
  ///   detail.scoped(toCase: Screen.detail, at: \.detail, action: ScreenAction.detail, extract: \.detail)
  /// )
  /// ```
  ///
  /// - The value is taken out of the enum, changed, and put back, without a copy of what it contains.
  /// - While the enum has another case, the value is missing; as an optional part in
  ///   ``scoped(toOptional:action:extract:)``.
  /// - Parameters:
  ///   - embedValue: Makes the enum from a value: the case itself.
  ///   - value: Reads the value; nil if the enum has another case. It is the place to which the keys of tasks belong.
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

  /// Makes a feature that works in the given parts of a larger state.
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
      // Not a property of the scope, which running tasks keep: it has a version of the collection.
      let collection =
        scope.parts.onlyID == nil && outer.state.collection == nil
        ? ElementWatch(scope.parts, in: outer.state) : nil
      return scope.functions(of: make(scope.place(in: outer, collection).featurePlace), in: outer, collection)
    }
  }
}

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
  /// - Cost: the search for an id begins where it was last found, so that it is short unless elements move far. An
  ///   action of an element takes the same time however many elements have tasks or a ``StateEffect``; after any other
  ///   change of the array, each of these is compared with the state. While there are many of them, such a change may copy
  ///   the array, which all in all takes no longer than these comparisons.
  /// - Parameters:
  ///   - elements: The array in the larger state.
  ///   - embed: Wraps an id and an action of its element, usually in an enum case.
  ///   - extract: Returns the id and the action that an action contains; nil if it contains none. Called at most once
  ///     for each action, and once more for each replacement by an interceptor and for a held action that goes on.
  @inlinable
  public func forEach<Whole: Sendable, WholeAction: Sendable>(
    _ elements: any WritableKeyPath<Whole, [State]> & Sendable,
    action embed: @escaping @Sendable (_ id: State.ID, _ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> (State.ID, Action)?
  ) -> Feature<Whole, WholeAction> {
    scoped { ArrayElements(elements, action: embed, extract: extract) }
  }
}
