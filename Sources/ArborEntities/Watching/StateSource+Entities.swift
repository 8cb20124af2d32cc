public import Arbor

extension StateSource {
  /// Observes a table of the state and its changes, as long as you keep the returned subscription.
  ///
  /// ```swift
  /// store.observe(table: \.library.books) { changes in
  ///   let difference = changes.difference()
  ///   list.insert(difference.inserted)
  ///   list.remove(difference.removed)
  /// }
  /// ```
  ///
  /// - `body` is called first with the current table, which is compared with an empty one, and then after each step
  ///   that changes the table. If a delivery skips states, the difference is from the last delivered table.
  /// - Cost: the last delivered table is kept, and a difference takes time for the records that differ. A step that
  ///   does not change the table costs a comparison of stamps.
  /// - Parameters:
  ///   - table: The key path of the table.
  ///   - initial: `true` to deliver the first table. If it is `false`, the first table counts as delivered anyway.
  ///   - delivery: The queue on which the closure is called, and the choice between every table and only the latest.
  ///   - body: Called with the current table and the table of the previous call.
  public func observe<Element>(
    table: any KeyPath<State, EntityTable<Element>> & Sendable,
    initial: Bool = true,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ changes: Changes<EntityTable<Element>>) -> Void
  ) -> StoreSubscription {
    tables(table).observe(initial: initial, removeDuplicates: .by(\.stamp), on: delivery, body)
  }

  /// Observes the latest version of a table and its changes on the main actor, as long as you keep the returned
  /// subscription.
  ///
  /// - Parameters:
  ///   - table: The key path of the table.
  ///   - initial: `true` to deliver the first table. If it is `false`, the first table counts as delivered anyway.
  ///   - delivery: The pace of the deliveries on the main actor.
  ///   - body: Called on the main actor with the current table and the table of the previous call.
  public func observe<Element>(
    table: any KeyPath<State, EntityTable<Element>> & Sendable,
    initial: Bool = true,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ changes: Changes<EntityTable<Element>>) -> Void
  ) -> StoreSubscription {
    tables(table).observe(initial: initial, removeDuplicates: .by(\.stamp), on: delivery, body)
  }

  /// The tables in the states.
  private func tables<Element>(
    _ table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> AnyStateSource<EntityTable<Element>> {
    asStateSource.part { [table = StatePart(table)] in table($0) }
  }
}

extension Changes {
  /// Returns the changes of a table's records since the previous delivery; the first time, all records are inserted.
  public func difference<Element>() -> EntityDifference<Element.ID> where State == EntityTable<Element> {
    current.difference(from: previous ?? EntityTable())
  }
}
