public import Arbor

extension StateSource {
  /// Observes a table of the state with what changed in it, for as long as the subscription that is returned is kept.
  ///
  /// ```swift
  /// store.observe(table: \.library.books) { changes in
  ///   let difference = changes.difference()
  ///   list.insert(difference.inserted)
  ///   list.remove(difference.removed)
  /// }
  /// ```
  ///
  /// - Called with each step that changes the table, and first with the table as it is, against which an empty one is compared. Where a
  ///   delivery leaves states out, the difference is that from what was delivered last.
  /// - Cost: the table that was delivered last is kept, and a difference costs what differs. A step that leaves the table as it is
  ///   costs a comparison of stamps.
  /// - Parameters:
  ///   - table: Leads to the table.
  ///   - initial: `true` if the first table is delivered; if `false`, it counts as delivered all the same.
  ///   - delivery: The queue on which the closure is called, and whether it gets every table or only the latest.
  ///   - body: Called with the table as it is, and as it was for the call before.
  public func observe<Element>(
    table: any KeyPath<State, EntityTable<Element>> & Sendable,
    initial: Bool = true,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ changes: Changes<EntityTable<Element>>) -> Void
  ) -> StoreSubscription {
    tables(table).observe(initial: initial, removeDuplicates: .by(\.stamp), on: delivery, body)
  }

  /// Observes a table on the main actor, the latest one, with what changed in it; in all else as the form for any queue.
  ///
  /// - Parameters:
  ///   - table: Leads to the table.
  ///   - initial: `true` if the first table is delivered; if `false`, it counts as delivered all the same.
  ///   - delivery: The pace of the deliveries on the main actor.
  ///   - body: Called on the main actor with the table as it is, and as it was for the call before.
  public func observe<Element>(
    table: any KeyPath<State, EntityTable<Element>> & Sendable,
    initial: Bool = true,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ changes: Changes<EntityTable<Element>>) -> Void
  ) -> StoreSubscription {
    tables(table).observe(initial: initial, removeDuplicates: .by(\.stamp), on: delivery, body)
  }

  /// The tables of the states.
  private func tables<Element>(
    _ table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> AnyStateSource<EntityTable<Element>> {
    asStateSource.part { [table = StatePart(table)] in table($0) }
  }
}

extension Changes {
  /// The changes of a table's records since the delivery before; the first time, that all have come.
  public func difference<Element>() -> EntityDifference<Element.ID> where State == EntityTable<Element> {
    current.difference(from: previous ?? EntityTable())
  }
}
