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
  /// - If `embed` captures nothing, the same place of the code returns the same store each time for the same item. The
  ///   store lives as long as a view keeps it or waits for it to change: call this in `body`. If `embed` captures values,
  ///   each call returns another store, because the values can differ.
  /// - `embed` must not read a global or static variable that changes: the store keeps the first function.
  /// - Parameters:
  ///   - item: The item that is presented. It is the state of the store if it is not at the part any more.
  ///   - part: The optional part of the state where the item is.
  ///   - embed: Wraps an action of the item in an action of this store. It must not capture a store of a screen.
  /// - Returns: The store of the item.
  public func presented<Item: Identifiable & Sendable, ItemAction: Sendable>(
    _ item: Item,
    at part: any KeyPath<State, Item?> & Sendable,
    action embed: @autoclosure @escaping () -> (@Sendable (_ action: ItemAction) -> Action)
  ) -> ObservableStore<Item, ItemAction> where Item.ID: Sendable {
    let identity = FunctionIdentity(of: embed)
    return shared(MadeName(part, ObservableStore<Item, ItemAction>.self, id: item.id, identity)) {
      ObservableStore<Item, ItemAction>(store.presented(item.id, at: part, action: embed()), from: item)
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
    shared(MadeName(part, ObservableStore<Item, Mutation<Item>>.self, id: item.id)) {
      ObservableStore<Item, Mutation<Item>>(store.presented(item.id, at: part), from: item)
    }
  }
}

#if canImport(Combine)
  extension StoreReader {
    /// The reader of an item that is presented, for the content of its sheet or other screen.
    ///
    /// - Its state is the item for as long as the item with this id is there, and then the item as it was last: a screen
    ///   that goes away keeps its content, and its writes are ignored.
    /// - If `embed` captures nothing, the same place of the code returns the same reader for the same item, as long as a
    ///   view keeps it: call this in `body`. If `embed` captures values, each call returns another reader.
    /// - `embed` must not read a global or static variable that changes: the reader keeps the first function.
    /// - Parameters:
    ///   - item: The item that is presented. It is the state of the reader if it is not at the part any more.
    ///   - part: The optional part of the state where the item is.
    ///   - embed: Wraps an action of the item in an action of this reader.
    /// - Returns: The reader of the item.
    public func presented<Item: Identifiable & Sendable, ItemAction: Sendable>(
      _ item: Item,
      at part: any KeyPath<State, Item?> & Sendable,
      action embed: @autoclosure @escaping () -> (@Sendable (_ action: ItemAction) -> Action)
    ) -> StoreReader<Item, ItemAction> where Item.ID: Sendable {
      let identity = FunctionIdentity(of: embed)
      return shared.object(MadeName(part, StoreReader<Item, ItemAction>.self, id: item.id, identity)) {
        StoreReader<Item, ItemAction>(store.presented(item.id, at: part, action: embed()), state: item)
      }
    }
  }

  extension StoreReader where Action == Mutation<State> {
    /// The reader of an item that is presented, with commits of the item; like ``presented(_:at:action:)``.
    public func presented<Item: Identifiable & Sendable>(
      _ item: Item,
      at part: any WritableKeyPath<State, Item?> & Sendable
    ) -> StoreReader<Item, Mutation<Item>> where Item.ID: Sendable {
      shared.object(MadeName(part, StoreReader<Item, Mutation<Item>>.self, id: item.id)) {
        StoreReader<Item, Mutation<Item>>(store.presented(item.id, at: part), state: item)
      }
    }
  }
#endif

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

extension Store where Action == Mutation<State> {
  /// A store of the item with an id at an optional part, with commits of the item.
  fileprivate func presented<Item: Identifiable & Sendable>(
    _ id: Item.ID,
    at part: any WritableKeyPath<State, Item?> & Sendable
  ) -> Store<Item, Mutation<Item>> where Item.ID: Sendable {
    presented(id, at: part) { mutation in .presented(id, at: part, mutation) }
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
