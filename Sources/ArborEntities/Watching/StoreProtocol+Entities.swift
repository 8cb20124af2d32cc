public import Arbor

extension StoreProtocol {
  /// A record of a table, which is followed: nil while the table has none with this id.
  ///
  /// ```swift
  /// let book = store.derived(entity: id, in: \.library.books)
  /// let subscription = book?.observe { book in print(book?.title ?? "not there") }
  /// ```
  ///
  /// - It follows the record as it comes, changes and goes; a step that leaves it as it is tells nobody.
  /// - Cost: one subscription a table, for all its records that are watched at this store: a step costs what has changed in the table,
  ///   however many watch, and next to nothing if nothing has. Who asks for the same record twice is given the same value. The last
  ///   version of the table is kept meanwhile.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  /// - Returns: Nil once the owner is gone, or while the scope is nil, as ``Arbor/StoreProtocol/derived(_:)``. Of a store that was made by
  ///   hand, the record as it is now.
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

  /// A record of a table, which is followed and kept when it is deleted: nil until there is one with this id.
  ///
  /// - ``KeptEntity/isDeleted`` says whether the record was deleted; should one with its id come again, that one is shown. In all else as
  ///   ``derived(entity:in:)``.
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

  /// A value made of several tables, which follows them: for what joins their records.
  ///
  /// ```swift
  /// let shelf = store.derived(joining: \.books, \.authors) { books, authors in
  ///   books[Book.byTitle].map { "\($0.title), \(authors[$0.author]?.name ?? "anonymous")" }
  /// }
  /// ```
  ///
  /// - Computed only in a step that has changed one of the tables, which is told by their stamps; told only if it is not equal to the
  ///   last one.
  /// - Parameters:
  ///   - table: The key paths of the tables in the state.
  ///   - compute: Makes the value of the tables, which come in the order of the key paths.
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

  /// A store of one record of a table, with its own actions: a proxy a row, for lists of any length.
  ///
  /// ```swift
  /// let row = store.scope(entity: id, in: \.todos, action: AppAction.todo)  // case todo(Todo.ID, TodoAction)
  /// row.dispatch(.toggle)
  /// ```
  ///
  /// - A value like any scope: nothing is kept for it anywhere. While the table has no such record its observers are not called and its
  ///   ``Arbor/StoreProtocol/state`` is nil; the tasks that were started at it are cancelled in the step that removes the record.
  /// - Its tasks belong to the record's place, which is the key path and the id: all scopes of it, and a feature for each
  ///   record of the table, have the same tasks and keys, which ``Arbor/StoreProtocol/cancel(_:at:)`` reaches.
  /// - Its observers are called with each step, as those of any scope; to be told only of changes of the record, observe
  ///   ``derived(entity:in:)``.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the state.
  ///   - embed: Makes an action of this store of the record's id and an action of its own.
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

  /// A store of one record of a table, with the actions of this one, as ``scope(entity:in:action:)``.
  ///
  /// - Its tasks are those of this store, and do not end with the record.
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
  /// A store of one record of a table, with commits of that record.
  ///
  /// ```swift
  /// let row = store.scope(entity: id, in: \.books)  // Store<Book, Mutation<Book>>
  /// row.commit { $0.title = "Emma" }
  /// ```
  ///
  /// - While the table has no such record, observers are not called, ``Arbor/StoreProtocol/state`` is nil, and commits
  ///   do nothing: they are no step, and return nil.
  /// - A commit is an ``EntityTable/update(_:_:)``: it changes the record in the table's place in memory, at any size
  ///   of the table, and one that leaves the record as it was leaves the stamps. If the table refuses the record,
  ///   because of another id or a unique key that another record has, the commit is no step and returns nil; the first
  ///   one is also reported on standard error. To receive the error, commit to the store that has the table.
  /// - In all else as ``scope(entity:in:action:)``. A table that can only be read, in a `let` or of a `stateMapping`,
  ///   gives a store that dispatches the mutations of this one.
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
  /// `true` if two records are equal, as far as that can be told; of which neither is there they are.
  @inlinable
  func areEqual(_ old: Element?, _ new: Element?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return definition.areEqual?(old, new) == true
  }
}

/// The value that was last made of some tables, and the versions from which it was made.
@usableFromInline
final class JoinMemory<Value: Sendable>: @unchecked Sendable {  // A derived value has it, whose calls are serial.
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

/// A record that is kept when it has been deleted: as it was last, and that it is gone.
@dynamicMemberLookup
public struct KeptEntity<Element: Sendable>: Sendable {
  /// The record now, or as it was last.
  public let value: Element

  /// `true` if it is not in its table any more.
  public let isDeleted: Bool

  /// Makes one by hand, for tests and previews of what takes it.
  ///
  /// - Parameters:
  ///   - value: The record now, or as it was last.
  ///   - isDeleted: `true` if the record is not in its table any more.
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
