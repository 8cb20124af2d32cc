public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// The store of an item that is presented: for the content of its sheet or other screen.
  ///
  /// ```swift
  /// .sheet(item: store.item(\.editor, dismiss: { AppAction.closeEditor($0.id) })) { editor in
  ///   EditorView(store: store.presented(editor, at: \.editor, action: AppAction.editor))
  /// }
  /// ```
  ///
  /// - Its state is the item for as long as the item with this id is there, and then the item as it was last: a screen
  ///   that goes away keeps its content, and its writes are ignored.
  /// - Asked again at the same place of the code for the same item, it returns the same store, which lives as long as a
  ///   view keeps it or waits for it to change: ask in `body`.
  /// - Parameters:
  ///   - item: The item that is presented. It is the state of the store if it is not at the part any more.
  ///   - part: The optional part of the state where the item is.
  ///   - embed: Makes an action of this store. The object keeps the function that it was made with, so what the
  ///     function captures must not vary, and be no store of a screen.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func presented<Item: Identifiable & Sendable, ItemAction: Sendable>(
    _ item: Item,
    at part: any KeyPath<State, Item?> & Sendable,
    action embed: @escaping @Sendable (_ action: ItemAction) -> Action,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column
  ) -> ObservableStore<Item, ItemAction> where Item.ID: Sendable {
    shared(PresentedName(part: part, id: item.id, action: ItemAction.self, place: CallSite(fileID, line, column))) {
      ObservableStore<Item, ItemAction>(store.presented(item.id, at: part, action: embed), from: item)
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// The store of an item that is presented, with commits of the item; like ``presented(_:at:action:)``.
  ///
  /// - Parameters:
  ///   - item: The item that is presented. It is the state of the store if it is not at the part any more.
  ///   - part: The optional part of the state where the item is.
  public func presented<Item: Identifiable & Sendable>(
    _ item: Item,
    at part: any WritableKeyPath<State, Item?> & Sendable
  ) -> ObservableStore<Item, Mutation<Item>> where Item.ID: Sendable {
    presented(item, at: part) { [id = item.id] mutation in .presented(id, at: part, mutation) }
  }
}

#if canImport(Combine)
  extension StoreReader {
    /// The reader of an item that is presented, for the content of its sheet or other screen.
    ///
    /// - Its state is the item for as long as the item with this id is there, and then the item as it was last: a screen
    ///   that goes away keeps its content, and its writes are ignored.
    /// - Asked again at the same place of the code for the same item, it returns the same reader as long as a view keeps
    ///   it: ask in `body`.
    /// - Parameter embed: Makes an action of this reader. The object keeps the function that it was made with, so what
    ///   the function captures must not vary.
    public func presented<Item: Identifiable & Sendable, ItemAction: Sendable>(
      _ item: Item,
      at part: any KeyPath<State, Item?> & Sendable,
      action embed: @escaping @Sendable (_ action: ItemAction) -> Action,
      fileID: StaticString = #fileID,
      line: Int = #line,
      column: Int = #column
    ) -> StoreReader<Item, ItemAction> where Item.ID: Sendable {
      shared.object(
        PresentedName(part: part, id: item.id, action: ItemAction.self, place: CallSite(fileID, line, column))
      ) {
        StoreReader<Item, ItemAction>(store.presented(item.id, at: part, action: embed), state: item)
      }
    }
  }

  extension StoreReader where Action == Mutation<State> {
    /// The reader of an item that is presented, with commits of the item; like ``presented(_:at:action:)``.
    public func presented<Item: Identifiable & Sendable>(
      _ item: Item,
      at part: any WritableKeyPath<State, Item?> & Sendable
    ) -> StoreReader<Item, Mutation<Item>> where Item.ID: Sendable {
      presented(item, at: part) { [id = item.id] mutation in .presented(id, at: part, mutation) }
    }
  }
#endif

/// The name of the store of a presented item.
private struct PresentedName: Hashable {
  let part: AnyKeyPath
  let id: AnyHashable
  let action: ObjectIdentifier
  let place: CallSite

  init(part: AnyKeyPath, id: some Hashable, action: Any.Type, place: CallSite) {
    self.part = part
    self.id = AnyHashable(id)
    self.action = ObjectIdentifier(action)
    self.place = place
  }
}

extension Store {
  /// A store of the item with an id at an optional part; its scope is nil while another item is there, or none.
  fileprivate func presented<Item: Identifiable & Sendable, ItemAction: Sendable>(
    _ id: Item.ID,
    at part: any KeyPath<State, Item?> & Sendable,
    action embed: @escaping @Sendable (_ action: ItemAction) -> Action
  ) -> Store<Item, ItemAction> where Item.ID: Sendable {
    scope(
      toOptional: { state in
        guard let item = state[keyPath: part], item.id == id else { return nil }
        return item
      },
      action: embed
    )
  }
}

extension Mutation {
  /// A mutation of the item with an id at an optional part; it changes nothing while another item is there, or none.
  fileprivate static func presented<Item: Identifiable & Sendable>(
    _ id: Item.ID,
    at part: any WritableKeyPath<State, Item?> & Sendable,
    _ mutation: Mutation<Item>
  ) -> Mutation where Item.ID: Sendable {
    Mutation(named: "presented") { state in
      guard state[keyPath: part]?.id == id else { return }
      mutation.apply(to: &state[keyPath: part]!)
    }
  }
}
