public import Arbor
public import ArborEntities

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// Returns the rows of a list in the state, each with its own store for the actions of its record.
  ///
  /// - If `embed` captures nothing, the same call site returns the same object each time for the same list. The object
  ///   lives as long as a view keeps it or waits for it to change, so call this in `body`.
  /// - If `embed` captures values, each call returns different rows, because the values can differ.
  /// - `embed` must not read a global or static variable that changes, because the object keeps the first function.
  /// - Parameters:
  ///   - list: A table, a computed property of the state that returns a list of one of its indexes, or an array.
  ///   - embed: Makes an action of this store from a record's id and action. It must not capture a screen's store.
  /// - Returns: The rows of the list.
  public func rows<List: RowList & Sendable, RowAction: Sendable>(
    of list: any KeyPath<State, List> & Sendable,
    action embed: @autoclosure @escaping () -> (@Sendable (_ id: List.Row.ID, _ action: RowAction) -> Action)
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    shared(MadeName(list, StoreRows<List, RowAction>.self, FunctionIdentity(of: embed))) {
      makeRows(of: list) { [store, embed = embed()] id in
        store.scope(toOptional: { $0[keyPath: list].record(with: id, near: nil) }, action: { embed(id, $0) })
      }
    }
  }

  /// Returns the rows of a list in the state, each with a store that takes the actions of this store.
  ///
  /// - The same call site returns the same object each time for the same list, as `rows(of:action:)` does.
  /// - Parameter list: A table, a computed property of the state that returns a list of one of its indexes, or an
  ///   array.
  public func rows<List: RowList & Sendable>(of list: any KeyPath<State, List> & Sendable) -> StoreRows<List, Action>
  where List.Row: Sendable, List.Row.ID: Sendable {
    shared(MadeName(list, StoreRows<List, Action>.self)) {
      makeRows(of: list) { [store] id in
        store.scope(toOptional: { $0[keyPath: list].record(with: id, near: nil) })
      }
    }
  }

  fileprivate func makeRows<List: RowList & Sendable, RowAction: Sendable>(
    of list: any KeyPath<State, List> & Sendable,
    _ makeStore: @escaping (List.Row.ID) -> Store<List.Row, RowAction>
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    StoreRows(store.asStateSource.part { $0[keyPath: list] }, from: self[untracked: list], makeStore)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// Returns the rows of a list that a selector computes, each with its own store for the actions of its record.
  ///
  /// ```swift
  /// let rows = store.rows(of: AppState.visible, action: AppAction.todo)
  /// ```
  ///
  /// - The selector is computed at most once per step, and only if one of its inputs has changed. A write to a row
  ///   computes it once more, because a record that has left the list ignores writes.
  /// - The same call site returns the same object each time for the same selector, as `rows(of:action:)` does. A
  ///   selector created for each call makes different rows each time: use a `static let` or a family of selectors.
  /// - Parameters:
  ///   - selector: The selector of a list, such as an array.
  ///   - embed: Makes an action of this store from a record's id and action. It must not capture a screen's store.
  /// - Returns: The rows of the list.
  public func rows<List: RowList & Equatable & Sendable, RowAction: Sendable>(
    of selector: StateSelector<State, List>,
    action embed: @autoclosure @escaping () -> (@Sendable (_ id: List.Row.ID, _ action: RowAction) -> Action)
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    shared(MadeName(selector.name, StoreRows<List, RowAction>.self, FunctionIdentity(of: embed))) {
      makeRows(of: selector) { [store, embed = embed()] id in
        store.scope(toOptional: { selector($0).record(with: id, near: nil) }, action: { embed(id, $0) })
      }
    }
  }

  /// Returns the rows of a list that a selector computes, each with a store that takes the actions of this store.
  ///
  /// - The same call site returns the same object each time for the same selector, as `rows(of:action:)` does.
  /// - Parameter selector: The selector of a list, such as an array.
  /// - Returns: The rows of the list.
  public func rows<List: RowList & Equatable & Sendable>(
    of selector: StateSelector<State, List>
  ) -> StoreRows<List, Action> where List.Row: Sendable, List.Row.ID: Sendable {
    shared(MadeName(selector.name, StoreRows<List, Action>.self)) {
      makeRows(of: selector) { [store] id in
        store.scope(toOptional: { selector($0).record(with: id, near: nil) })
      }
    }
  }

  private func makeRows<List: RowList & Equatable & Sendable, RowAction: Sendable>(
    of selector: StateSelector<State, List>,
    _ makeStore: @escaping (List.Row.ID) -> Store<List.Row, RowAction>
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    if let derived = store.derived(selector) {
      return StoreRows(derived.asStateSource, from: derived.value, makeStore)
    }
    // The store's scope is nil: there is nothing to derive from yet.
    return StoreRows(store.asStateSource.part { selector($0) }, from: selector(self[untracked: \.self]), makeStore)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// Returns the rows of a table in the state, each with a store that commits its record.
  ///
  /// - The same call site returns the same object each time for the same table, as `rows(of:action:)` does. With a
  ///   `@Bindable` row, setting `$row.title` commits the title.
  /// - Parameter table: The table of the records.
  public func rows<Element>(
    of table: any WritableKeyPath<State, EntityTable<Element>> & Sendable
  ) -> StoreRows<EntityTable<Element>, Mutation<Element>> {
    shared(MadeName(table, StoreRows<EntityTable<Element>, Mutation<Element>>.self)) {
      makeRows(of: table) { [store] id in store.scope(entity: id, in: table) }
    }
  }
}
