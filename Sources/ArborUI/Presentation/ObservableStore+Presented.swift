public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// Returns the store of a presented item, for the content of its sheet or other screen.
  ///
  /// ```swift
  /// .sheet(item: store.item(\.editor, dismiss: { AppAction.closeEditor($0.id) })) { editor in
  ///   EditorView(store: store.presented(editor, at: \.editor, action: AppAction.editor))
  /// }
  /// ```
  ///
  /// - Its state is the item while the state has the item with this id, and then the item's last value. A screen that
  ///   is being dismissed keeps its content, and its writes are ignored.
  /// - If `embed` captures nothing, the same call site returns the same store each time for the same item. The store
  ///   lives as long as a view keeps it or waits for it to change, so call this in `body`. If `embed` captures values,
  ///   each call returns a different store, because the values can differ.
  /// - `embed` must not read a global or static variable that changes, because the store keeps the first function.
  /// - Parameters:
  ///   - item: The presented item. It is the store's state if the part no longer contains it.
  ///   - part: The optional part of the state that contains the item.
  ///   - embed: Wraps an action of the item in an action of this store. It must not capture a screen's store.
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
  /// Returns the store of a presented item, which commits changes to the item; see ``presented(_:at:action:)``.
  ///
  /// - Parameters:
  ///   - item: The presented item. It is the store's state if the part no longer contains it.
  ///   - part: The optional part of the state that contains the item.
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
    /// Returns the reader of a presented item, for the content of its sheet or other screen.
    ///
    /// - Its state is the item while the state has the item with this id, and then the item's last value. A screen that
    ///   is being dismissed keeps its content, and its writes are ignored.
    /// - If `embed` captures nothing, the same call site returns the same reader for the same item, as long as a view
    ///   keeps it, so call this in `body`. If `embed` captures values, each call returns a different reader.
    /// - `embed` must not read a global or static variable that changes, because the reader keeps the first function.
    /// - Parameters:
    ///   - item: The presented item. It is the reader's state if the part no longer contains it.
    ///   - part: The optional part of the state that contains the item.
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
    /// Returns the reader of a presented item, which commits changes to the item; see ``presented(_:at:action:)``.
    ///
    /// - Parameters:
    ///   - item: The item to present.
    ///   - part: The key path of the part.
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
  /// A store of the item with an id at an optional part. Its scope is nil while there is another item or none.
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
  /// A store of the item with an id at an optional part, which commits changes to the item.
  fileprivate func presented<Item: Identifiable & Sendable>(
    _ id: Item.ID,
    at part: any WritableKeyPath<State, Item?> & Sendable
  ) -> Store<Item, Mutation<Item>> where Item.ID: Sendable {
    presented(id, at: part) { mutation in .presented(id, at: part, mutation) }
  }
}

extension Mutation {
  /// A mutation of the item with an id at an optional part. It changes nothing while there is another item or none.
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
