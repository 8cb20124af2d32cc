public import Arbor
public import ArborEntities

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// The rows of a list in the state, each with a store of its own that has the actions of its record.
  ///
  /// - Asked again at the same place of the code for the same list, it returns the same object, which lives as long as a
  ///   view keeps it or waits for it to change: ask in `body`.
  /// - Parameters:
  ///   - list: A table, a list of one of its indexes by a computed property of the state, or an array.
  ///   - embed: Makes an action of this store of the record's id and an action of its own. The rows keep the function
  ///     that they were made with, so what it captures must not vary, and be no store of a screen.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func rows<List: RowList & Sendable, RowAction: Sendable>(
    of list: any KeyPath<State, List> & Sendable,
    action embed: @escaping @Sendable (_ id: List.Row.ID, _ action: RowAction) -> Action,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    rows(of: list, RowAction.self, at: CallSite(fileID, line, column)) { [store] id in
      store.scope(toOptional: { $0[keyPath: list].record(with: id, near: nil) }, action: { embed(id, $0) })
    }
  }

  /// The rows of a list in the state, each with a store that has the actions of this one.
  ///
  /// - Like ``rows(of:action:)``.
  /// - Parameter list: A table, a list of one of its indexes by a computed property of the state, or an array.
  public func rows<List: RowList & Sendable>(of list: any KeyPath<State, List> & Sendable) -> StoreRows<List, Action>
  where List.Row: Sendable, List.Row.ID: Sendable {
    rows(of: list, Action.self) { [store] id in
      store.scope(toOptional: { $0[keyPath: list].record(with: id, near: nil) })
    }
  }

  fileprivate func rows<List: RowList & Sendable, RowAction: Sendable>(
    of list: any KeyPath<State, List> & Sendable,
    _: RowAction.Type,
    at place: CallSite? = nil,
    _ makeStore: @escaping (List.Row.ID) -> Store<List.Row, RowAction>
  ) -> StoreRows<List, RowAction> where List.Row: Sendable, List.Row.ID: Sendable {
    shared(RowsName(list: list, action: ObjectIdentifier(RowAction.self), place: place)) {
      StoreRows(store.asStateSource.part { $0[keyPath: list] }, from: self[untracked: list], makeStore)
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// The rows of a table in the state, each with a store that commits its record.
  ///
  /// - Like ``rows(of:action:)``. `$row.title` of a `@Bindable` row commits the title.
  /// - Parameter table: The table of the records.
  public func rows<Element>(
    of table: any WritableKeyPath<State, EntityTable<Element>> & Sendable
  ) -> StoreRows<EntityTable<Element>, Mutation<Element>> {
    rows(of: table, Mutation<Element>.self) { [store] id in store.scope(entity: id, in: table) }
  }
}

/// The name of the rows of a list.
private struct RowsName: Hashable {
  let list: AnyKeyPath
  let action: ObjectIdentifier
  let place: CallSite?
}
