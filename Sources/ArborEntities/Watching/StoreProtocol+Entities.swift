public import Arbor

extension StoreProtocol {
  /// Returns a derived value that follows a record of a table; it is nil while there is no record with this id.
  ///
  /// ```swift
  /// let book = store.derived(entity: id, in: \.library.books)
  /// let subscription = book?.observe { book in print(book?.title ?? "not there") }
  /// ```
  ///
  /// - It follows the record as it is inserted, changed and removed. A step that does not change the record notifies no
  ///   observer.
  /// - Cost: one subscription per table, for all its observed records at this store. A step takes time only for the
  ///   changed records, no matter how many are observed, and almost none if no record has changed. Between steps, the
  ///   last version of the table is kept.
  /// - Calls for the same record return the same derived value.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  /// - Returns: The derived value; nil once the owner is gone or while the scope is nil, like
  ///   ``Arbor/StoreProtocol/derived(_:)``. For a closure-backed store, it is the current record and does not change.
  @inlinable
  public func derived<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<Element?>? {
    asStore.derived(id, of: table) { table, id, lastSent in
      let record = table[id]
      if let lastSent, table.areEqual(lastSent, record) { return nil }
      return .some(record)
    }
  }

  /// Returns a derived value that follows a record of a table and keeps it after its deletion; it is nil until there is
  /// a record with this id.
  ///
  /// - ``KeptEntity/isDeleted`` is `true` after the record was deleted. If a record with its id is inserted again, that
  ///   record is shown.
  /// - The cost and the result are the same as for ``derived(entity:in:)``.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  @inlinable
  public func derived<Element>(
    keeping id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<KeptEntity<Element>?>? {
    asStore.derived(id, of: table) { table, id, lastSent in
      let known = lastSent.flatMap(\.self)
      let kept = table[id].map { KeptEntity($0) } ?? known.map { KeptEntity($0.value, isDeleted: true) }
      let isSame = kept?.isDeleted == known?.isDeleted && table.areEqual(known?.value, kept?.value)
      return lastSent != nil && isSame ? nil : .some(kept)
    }
  }

  /// Returns a value derived from several tables, for joining their records.
  ///
  /// ```swift
  /// let shelf = store.derived(joining: \.books, \.authors) { books, authors in
  ///   books[Book.byTitle].map { "\($0.title), \(authors[$0.author]?.name ?? "anonymous")" }
  /// }
  /// ```
  ///
  /// - The value is computed only in a step that changes the stamp of one of the tables. Observers are notified only if
  ///   it differs from the last value.
  /// - Parameters:
  ///   - table: The key paths of the tables in the state.
  ///   - compute: Computes the value from the tables, which are passed in the order of the key paths.
  /// - Returns: Nil once the owner is gone, or while the scope is nil.
  @inlinable
  public func derived<each Element: Identifiable & Sendable, Value: Equatable & Sendable>(
    joining table: repeat any KeyPath<State, EntityTable<each Element>> & Sendable,
    compute: @escaping @Sendable (_ table: repeat EntityTable<each Element>) -> Value
  ) -> Derived<Value>? where repeat (each Element).ID: Sendable {
    let memory = JoinMemory<Value>()
    return derived { state in
      var stamps: [ChangeStamp] = []
      for table in repeat each table { stamps.append(state[keyPath: table].stamp) }
      return memory.value(for: stamps) { compute(repeat state[keyPath: each table]) }
    }
  }

  /// Returns a store for one record of a table with its own actions: one proxy per row, for lists of any length.
  ///
  /// ```swift
  /// let row = store.scope(entity: id, in: \.todos, action: AppAction.todo)  // case todo(Todo.ID, TodoAction)
  /// row.dispatch(.toggle)
  /// ```
  ///
  /// - It is a value like any scope; nothing else is stored for it. While the table has no such record, its observers
  ///   are not called, and its ``Arbor/StoreProtocol/state`` is nil. The step that removes the record cancels the tasks
  ///   that were started on the store.
  /// - Its tasks belong to the record's place: the key path and the id. All scopes of the record share these tasks and
  ///   keys, even with a feature for each record of the table. ``Arbor/StoreProtocol/cancel(_:at:)`` reaches them.
  /// - Its observers are called in each step, as in any scope. If you need only changes to the record, observe
  ///   ``derived(entity:in:)``.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  ///   - embed: Makes an action of this store from the record's id and action.
  @inlinable
  public func scope<Element, ElementAction: Sendable>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable,
    action embed: @escaping @Sendable (_ id: Element.ID, _ action: ElementAction) -> Action
  ) -> Store<Element, ElementAction> {
    scope(
      toOptional: { [table = StatePart(table)] state in table(state)[id] },
      at: .element(ElementPlace(id, in: table)),
      action: { action in embed(id, action) }
    )
  }

  /// Returns a store for one record of a table that takes the actions of this store, like ``scope(entity:in:action:)``.
  ///
  /// - It shares the tasks of this store, which are not canceled when the record is removed.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  @inlinable
  public func scope<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Store<Element, Action> {
    scope(toOptional: { [table = StatePart(table)] state in table(state)[id] })
  }
}

extension StoreProtocol where Action == Mutation<State> {
  /// Returns a store for one record of a table that commits changes to the record.
  ///
  /// ```swift
  /// let row = store.scope(entity: id, in: \.books)  // Store<Book, Mutation<Book>>
  /// row.commit { $0.title = "Emma" }
  /// ```
  ///
  /// - While the table has no such record, observers are not called, ``Arbor/StoreProtocol/state`` is nil, and commits
  ///   do nothing: they aren't steps, and return nil.
  /// - A commit works like ``EntityTable/update(_:_:)``: it changes the record in place, regardless of the size of the
  ///   table. A commit that leaves the record as it was keeps the stamps.
  /// - If the table refuses the record, because its id changed or another record has its unique key, the commit isn't a
  ///   step and returns nil. The first refusal is also reported on standard error. To receive the error, commit to the
  ///   store that has the table.
  /// - Observers and tasks work as in ``scope(entity:in:action:)``. For a read-only table, such as a `let` or one from
  ///   a `stateMapping`, you get a store that dispatches the mutations of this one.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The writable key path of the table in the state.
  @inlinable
  public func scope<Element>(
    entity id: Element.ID,
    in table: any WritableKeyPath<State, EntityTable<Element>> & Sendable
  ) -> Store<Element, Mutation<Element>> {
    let access = WritablePart(table)
    return scope(
      atOptional: .element(of: access, at: { \.[id] }) { table, change in table.write(id, change) },
      at: .element(ElementPlace(id, in: table))
    ) { [reader = access.reader] state in reader(state)[id] }
  }
}

extension EntityTable {
  /// Returns `true` if two records are known to be equal, or if both are nil.
  @inlinable
  func areEqual(_ old: Element?, _ new: Element?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return definition.areEqual?(old, new) == true
  }
}

/// The value last computed from some tables, and the versions of the tables.
@usableFromInline
final class JoinMemory<Value: Sendable>: @unchecked Sendable {  // A derived value owns it, and its calls are serial.
  @usableFromInline var stamps: [ChangeStamp] = []
  @usableFromInline var value: Value?

  @inlinable
  init() {}

  @inlinable
  func value(for stamps: [ChangeStamp], compute: () -> Value) -> Value {
    if let value, stamps == self.stamps { return value }
    let computed = compute()
    (self.stamps, value) = (stamps, computed)
    return computed
  }
}

/// A record that is kept after its deletion: its last value, and a flag for the deletion.
@dynamicMemberLookup
public struct KeptEntity<Element: Sendable>: Sendable {
  /// The current record, or its last value.
  public let value: Element

  /// `true` if the record is no longer in its table.
  public let isDeleted: Bool

  /// Makes a value for tests and previews of code that takes one.
  ///
  /// - Parameters:
  ///   - value: The current record, or its last value.
  ///   - isDeleted: `true` if the record is no longer in its table.
  @inlinable
  public init(_ value: Element, isDeleted: Bool = false) {
    self.value = value
    self.isDeleted = isDeleted
  }

  /// A property of the record.
  ///
  /// - Parameter keyPath: The key path of the property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> Value {
    value[keyPath: keyPath]
  }
}

extension KeptEntity: Equatable where Element: Equatable {}
