internal import Arbor

/// Misuses of tables.
extension Misuse {
  static let undeclaredIndex = Misuse(
    """
    An EntityTable was queried with an index that the type of its records does not declare, so the table can't answer. \
    Name the index in the type's `indexes`, and make it once, as a static let: if you make it for each call, it is a \
    different index each time.
    """
  )

  static let indexOfNoRecord = Misuse(
    """
    An EntityTable was read at an index that isn't, or is no longer, one of its own, or it was queried for the index \
    before its first one. There is no record. Only use indexes of the same table, and find records that may be gone by \
    id.
    """
  )

  static let positionOfNoRecord = Misuse(
    """
    An EntityList was read at a position that it does not have. There is no record. Use positions of its `indices`, \
    and get the list from its table again after the table has changed.
    """
  )

  static let refusedRecord = Misuse(
    """
    An EntityTable refused a record with a different id, or with the unique key of another record. It can't throw an \
    error in an assignment through its subscript, a commit to a store of that record, or the reducer of a feature of \
    that record. The record was left unchanged. Call `update`, `upsert` or `rename` of the table, which throw the \
    reason, or handle it with `onRefusal:` of `forEach`.
    """
  )

  static let ambiguousIndexes = Misuse(
    """
    A record type declares an index twice, or two manual orders with the same name. One of two such orders would be \
    lost when a table is encoded. List each index once in the type's `indexes`, and give each manual order its own \
    name.
    """
  )

  static let impossibleLiteral = Misuse(
    """
    An EntityTable was made from a literal in which two records have the same id or the same unique key, or an id is \
    not equal to itself. A record would be lost. Make it from an array, `try EntityTable(records)`, which throws an \
    error instead.
    """
  )
}
