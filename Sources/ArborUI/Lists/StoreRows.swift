internal import Arbor
public import ArborEntities
public import Observation

/// The rows of a list on a screen, each with its own store, by the ids of their records.
///
/// ```swift
/// let rows = store.rows(of: \.todos, action: AppAction.todo)  // case todo(Todo.ID, TodoAction)
/// ForEach(rows.ids, id: \.self) { id in
///   if let row = rows[id] { TodoRow(row: row) }  // let row: ObservableStore<Todo, TodoAction>
/// }
/// .onDelete { offsets in store.send(.remove(rows.ids(at: offsets))) }
/// .onMove { offsets, target in store.send(.move(rows.ids(at: offsets), before: rows.id(at: target, moving: offsets))) }
/// ```
///
/// - A reader of ``ids`` is notified when a record is inserted, removed or moved, but not when one changes. A reader of
///   a row is notified only when its record changes.
/// - The row of a deleted record keeps the record's last value as long as a view keeps the row. It ignores writes.
/// - The rows are updated with the latest list on the main actor, like an ``ObservableStore``.
/// - If a record leaves the list of an index but is still in the table, its row keeps following the record.
/// - Cost: one subscription for all rows. With a table or one of its indexes, the cost of an update depends only on the
///   changed records, no matter how many rows are shown; a change to the order is O(n). With an array, each change is
///   O(n), and compares the parts that rows have read.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class StoreRows<List: RowList & Sendable, Action: Sendable>: Observable, TrackedObject
where List.Row: Sendable, List.Row.ID: Sendable {
  /// The store of a record.
  public typealias Row = ObservableStore<List.Row, Action>

  var kept: AnyObject?
  weak var keeper: TrackedObjects?

  private let registrar = ObservationRegistrar()

  /// The property that represents ``ids`` in the registrar, which retains this exact key while it is tracked. It has an
  /// argument, because a key path without one is the same object for all rows.
  private var idsKey: KeyPath<StoreRows, Void> = \.[ids: 0]
  private let rows = SharedObjects<List.Row.ID>()
  private let makeStore: (List.Row.ID) -> Store<List.Row, Action>
  private var subscription: StoreSubscription?
  private var list: List
  private var order: [List.Row.ID]

  /// The moment that the list shows; nil if it is the present.
  private var moment: ShownMoment?

  /// The position of each id; nil from a change of the order until a row is requested.
  private var positions: [List.Row.ID: Int]?

  init(
    _ source: AnyStateSource<List>,
    from list: List,
    _ makeStore: @escaping (List.Row.ID) -> Store<List.Row, Action>
  ) {
    self.makeStore = makeStore
    self.list = list
    order = []
    let followed = source.followOnMain(removeDuplicates: .by { $1.isUnchanged(from: $0) }) { [weak self] list, moment in
      self?.update(to: list, showing: moment)
    }
    if let latest = followed.latest { (self.list, moment) = latest }
    order = self.list.rowIDs
    subscription = followed.subscription
  }

  /// The ids of the records, in order.
  public var ids: [List.Row.ID] {
    registrar.access(self, keyPath: idsKey)
    TrackedReads.note(moment)
    if let keeper, isTracked { keeper.keep(self) }
    return order
  }

  var isTracked: Bool { !isKnownUniquelyReferenced(&idsKey) }

  private nonisolated subscript(ids _: Int) -> Void { () }

  /// The store of the record with an id; nil if there is no such record and no view keeps its row.
  ///
  /// - Returns the same object each time, as long as a view keeps it. Reading the subscript tracks nothing; reading
  ///   from the row does.
  /// - Parameter id: The id of the record.
  public subscript(id: List.Row.ID) -> Row? {
    if let row = rows.existing(id, as: Row.self) { return row }
    guard let record = list.record(with: id, near: position(of: id)) else { return nil }
    return rows.object(id) {
      let row = Row(makeStore(id), state: record, showing: moment)
      // A row that a view keeps is updated, even if nothing else keeps the rows.
      row.kept = self
      row.keeper = keeper
      return row
    }
  }

  /// Returns the ids at offsets of the list.
  ///
  /// - Parameter offsets: The offsets, as `onDelete` and `onMove` pass them. An offset that does not exist is ignored.
  public func ids(at offsets: some Sequence<Int>) -> [List.Row.ID] {
    offsets.filter(order.indices.contains).map { order[$0] }
  }

  /// Returns the id of the row that follows the rows that `onMove` moves; nil at the end of the list.
  ///
  /// - It is the first row from `target` on that does not move.
  ///
  /// - Parameters:
  ///   - target: The offset that `onMove` passes.
  ///   - offsets: The offsets of the rows that move.
  public func id(at target: Int, moving offsets: some Sequence<Int>) -> List.Row.ID? {
    let moving = Set(offsets)
    return order.indices.first { $0 >= target && !moving.contains($0) }.map { order[$0] }
  }

  private func position(of id: List.Row.ID) -> Int? {
    if positions == nil {
      positions = Dictionary(zip(order, order.indices)) { first, _ in first }
    }
    return positions?[id]
  }

  private func update(to list: List, showing moment: ShownMoment?) {
    self.moment = moment
    let old = self.list
    let changes = list.rowChanges(from: old)
    self.list = list
    for record in changes.changed { rows.existing(record.id, as: Row.self)?.update(to: record, showing: moment) }
    if !changes.hasSameOrder { update(to: list.rowIDs) }
    keeper?.noticeDelivery(to: self)
    // Not during the write to the variable: releasing the old value may run user code, which may read a row.
    withExtendedLifetime(old) {}
  }

  private func update(to order: [List.Row.ID]) {
    guard order != self.order else { return }
    registrar.withMutation(of: self, keyPath: idsKey) {
      self.order = order
      positions = nil
    }
  }
}
