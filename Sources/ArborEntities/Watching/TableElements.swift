public import Arbor

extension Feature where State: Identifiable, State.ID: Sendable {
  /// Returns a feature of a larger state that has a table of any number of this feature's states.
  ///
  /// ```swift
  /// book.forEach(\.books, action: AppAction.book, extract: \.book)  // case book(Book.ID, BookAction)
  /// ```
  ///
  /// - An action belongs to the record with its id. If there is none, the action changes nothing: neither the reducer
  ///   nor the effects are called, and the action passes the interceptors.
  /// - In the step in which a record is removed, its tasks are canceled, and the actions that they have sent are
  ///   revoked.
  /// - The tasks of each record have separate keys, which belong to the record's place: the key path and the id.
  /// - If the reducer gives a record a different id, or a unique key that another record has, the table refuses it: the
  ///   record stays as it was, and `onRefusal` is called.
  /// - Cost: the same as ``EntityTable/update(_:_:)``. If this feature has tasks or a ``StateEffect``, each
  ///   step compares only the records that it may have changed, no matter what changed them.
  /// - Parameters:
  ///   - table: The table in the larger state.
  ///   - embed: Wraps an id and an action of its record, usually in an enum case.
  ///   - extract: Returns the id and the action that an action contains; nil if it contains none. Called at most once
  ///     for each action, and once more for each replacement by an interceptor.
  ///   - onRefusal: Called with the larger state when the table has refused a changed record, to note the error in it.
  ///     It is part of the reducer, and must be pure. Without it, a line on standard error reports the first refusal.
  @inlinable
  public func forEach<Whole: Sendable, WholeAction: Sendable>(
    _ table: any WritableKeyPath<Whole, EntityTable<State>> & Sendable,
    action embed: @escaping @Sendable (_ id: State.ID, _ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> (State.ID, Action)?,
    onRefusal: (@Sendable (_ whole: inout Whole, _ error: EntityError<State>) -> Void)? = nil
  ) -> Feature<Whole, WholeAction> {
    scoped { TableElements(table, action: embed, extract: extract, onRefusal: onRefusal) }
  }
}

/// The records of a table in a larger state.
@usableFromInline
struct TableElements<Whole: Sendable, WholeAction: Sendable, Part: Identifiable & Sendable, PartAction: Sendable>:
  ScopedElements
where Part.ID: Sendable {
  @usableFromInline let elements: WritablePart<Whole, EntityTable<Part>>
  @usableFromInline let embedElement: @Sendable (Part.ID, PartAction) -> WholeAction
  @usableFromInline let extract: @Sendable (WholeAction) -> (Part.ID, PartAction)?
  @usableFromInline let onRefusal: (@Sendable (inout Whole, EntityError<Part>) -> Void)?

  @inlinable
  init(
    _ elements: any WritableKeyPath<Whole, EntityTable<Part>> & Sendable,
    action embed: @escaping @Sendable (Part.ID, PartAction) -> WholeAction,
    extract: @escaping @Sendable (WholeAction) -> (Part.ID, PartAction)?,
    onRefusal: (@Sendable (inout Whole, EntityError<Part>) -> Void)?
  ) {
    self.elements = WritablePart(elements)
    embedElement = embed
    self.extract = extract
    self.onRefusal = onRefusal
  }

  @inlinable
  func change(_ id: Part.ID, of whole: inout Whole, _ body: (inout Part) -> Void) -> ScopedChange {
    guard !elements.isAssigned || contains(id, in: &whole) else { return .missing }
    var isThere = false
    var refusal: EntityError<Part>?
    elements.change(&whole) { table in
      do {
        isThere = try table.updateIfExists(id, body) != nil
      } catch {
        (isThere, refusal) = (true, error as? EntityError<Part>)
        if onRefusal == nil { table.definition.reportRefusal() }
      }
    }
    if let refusal { onRefusal?(&whole, refusal) }
    guard isThere else { return .missing }
    // A setter, or the handler of a refusal, may change more.
    return elements.isAssigned || refusal != nil ? .whole : .part
  }

  @inlinable
  func version(of whole: UnsafePointer<Whole>) -> TableVersion<Part>? {
    var version: TableVersion<Part>?
    elements.read(whole) { version = TableVersion(records: $0.pointee.store.records) }
    return version
  }

  @inlinable
  static func copies(because _: TableVersion<Part>) -> Int { 0 }

  @inlinable
  static func changes(from old: TableVersion<Part>, to new: TableVersion<Part>) -> [Part.ID]? {
    var ids: [Part.ID] = []
    _ = new.records.differences(from: old.records) { _, old, new in
      // Not compared by their stamps, because equal records may differ in parts that `==` doesn't see.
      if let old, let new, haveSameBits(old.pointee, new.pointee) { return true }
      if let old { ids.append(old.pointee.element.id) }
      if let new { ids.append(new.pointee.element.id) }
      return true
    }
    return ids
  }

  @inlinable
  func position(of id: Part.ID, in whole: UnsafePointer<Whole>) -> Int? {
    var position: Int?
    elements.read(whole) { position = $0.pointee.store.slot(of: id) }
    return position
  }

  @inlinable
  func read(_ id: Part.ID, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    elements.read(whole) { table in
      if let record = table.pointee[id] { withUnsafePointer(to: record, body) }
    }
  }

  @inlinable
  func readEach(of whole: UnsafePointer<Whole>, _ body: (Part.ID, UnsafePointer<Part>) -> Void) {
    elements.read(whole) { table in
      for record in table.pointee { withUnsafePointer(to: record) { body(record.id, $0) } }
    }
  }
}

/// A version of a table: its records, which it shares with the table until one of them is replaced.
///
/// - Not the table's stamp, which stays the same if a record is replaced by an equal one.
@usableFromInline
struct TableVersion<Element: Identifiable & Sendable>: Equatable, Sendable where Element.ID: Sendable {
  @usableFromInline let records: SlotTrie<Record<Element>>

  @inlinable
  init(records: SlotTrie<Record<Element>>) {
    self.records = records
  }

  @inlinable
  static func == (left: TableVersion, right: TableVersion) -> Bool {
    left.records.root === right.records.root && left.records.count == right.records.count
  }
}
