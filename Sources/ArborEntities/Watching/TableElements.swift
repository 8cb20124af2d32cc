public import Arbor

extension Feature where State: Identifiable, State.ID: Sendable {
  /// Makes a feature of a larger state, in which a table contains any number of states of this feature.
  ///
  /// ```swift
  /// book.forEach(\.books, action: AppAction.book, extract: \.book)  // case book(Book.ID, BookAction)
  /// ```
  ///
  /// - An action belongs to the record with its id. If there is none, the action changes nothing: the reducer is not
  ///   called and the effects are not asked; the interceptors pass.
  /// - In the step in which a record is removed, its tasks are cancelled, and actions that they have sent are revoked.
  /// - The tasks of each record have keys of their own: those of its place, which is the key path and the id.
  /// - A reducer that gives a record another id, or a key that another record has and only one may have, stops the
  ///   program with a message.
  /// - Cost: that of ``EntityTable/update(_:_:)``. A ``StateEffect`` of this feature looks at each record in each step.
  /// - Parameters:
  ///   - table: The table in the larger state.
  ///   - embed: Wraps an id and an action of its record, usually in an enum case.
  ///   - extract: Returns the id and the action that an action contains; nil if it contains none. Called at most once
  ///     for each action, and once more for each replacement by an interceptor.
  @inlinable
  public func forEach<Whole: Sendable, WholeAction: Sendable>(
    _ table: any WritableKeyPath<Whole, EntityTable<State>> & Sendable,
    action embed: @escaping @Sendable (_ id: State.ID, _ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> (State.ID, Action)?
  ) -> Feature<Whole, WholeAction> {
    scoped { TableElements(table, action: embed, extract: extract) }
  }
}

/// The records of a table in a larger state.
@usableFromInline
struct TableElements<Whole: Sendable, WholeAction: Sendable, Part: Identifiable & Sendable, PartAction: Sendable>:
  ScopedElements
where Part.ID: Sendable {
  @usableFromInline let table: FeaturePart<Whole, EntityTable<Part>>
  @usableFromInline let path: any WritableKeyPath<Whole, EntityTable<Part>> & Sendable
  @usableFromInline let embedElement: @Sendable (Part.ID, PartAction) -> WholeAction
  @usableFromInline let extract: @Sendable (WholeAction) -> (Part.ID, PartAction)?

  @inlinable
  init(
    _ path: any WritableKeyPath<Whole, EntityTable<Part>> & Sendable,
    action embed: @escaping @Sendable (Part.ID, PartAction) -> WholeAction,
    extract: @escaping @Sendable (WholeAction) -> (Part.ID, PartAction)?
  ) {
    self.path = path
    table = FeaturePart(path)
    embedElement = embed
    self.extract = extract
  }

  @inlinable
  func change(_ id: Part.ID, of whole: inout Whole, _ body: (inout Part) -> Void) -> Bool {
    guard !table.isAssigned || contains(id, in: &whole) else { return false }
    var isThere = false
    _ = table.change(&whole) { table in
      do {
        isThere = try table.updateIfExists(id, body) != nil
      } catch {
        Misuse.reducingRecord.stop(about: "\(error)")
      }
    }
    return isThere
  }

  @inlinable
  func read(_ id: Part.ID, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    table.read(whole) { table in
      if let record = table.pointee[id] { withUnsafePointer(to: record, body) }
    }
  }

  @inlinable
  func readEach(of whole: UnsafePointer<Whole>, _ body: (Part.ID, UnsafePointer<Part>) -> Void) {
    table.read(whole) { table in
      for record in table.pointee { withUnsafePointer(to: record) { body(record.id, $0) } }
    }
  }
}
