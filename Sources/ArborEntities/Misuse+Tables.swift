internal import Arbor

/// Misuses of tables.
extension Misuse {
  static let undeclaredIndex = Misuse(
    """
    An EntityTable was asked for an index that the type of its records does not declare. So the table has nothing to answer \
    with. Name the index in the type's `indexes`, and make it once, as a static let: one that is made anew with each call is \
    another index each time.
    """
  )

  static let indexOfNoRecord = Misuse(
    """
    An EntityTable was asked for the record at an index that is not, or no longer, one of its own, or for the index before \
    its first one. There is no record. Take indexes of the very table that is asked, and ask by id what may be gone.
    """
  )

  static let positionOfNoRecord = Misuse(
    """
    An EntityList was asked for the record at a position that it has not. There is no record. Take positions of its \
    `indices`, and take the list anew from its table when that has changed.
    """
  )

  static let refusedRecord = Misuse(
    """
    An EntityTable has refused a record, with another id or with a unique key of another record, where no error can be \
    thrown: in an assignment through its subscript, in a commit to a store of that record, or in the reducer of a feature \
    of that record. The record was left as it was. Call `update`, `upsert` or `rename` of the table, which throw the \
    reason, or handle it by `onRefusal:` of `forEach`.
    """
  )

  static let ambiguousIndexes = Misuse(
    """
    A type of records declares an index twice, or two manual orders of one name. Of two such orders one would be lost where a \
    table is encoded. List each index once in the type's `indexes`, and give each manual order a name of its own.
    """
  )

  static let impossibleLiteral = Misuse(
    """
    An EntityTable was made of a literal in which two records have the same id, or a key of which there may be one, or an id is \
    not equal to itself. A record would be lost. Make it of an array, `try EntityTable(records)`, to be told of it by an error.
    """
  )
}
