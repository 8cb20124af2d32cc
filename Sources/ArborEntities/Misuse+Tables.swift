public import Arbor

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
    An EntityTable was given a record that it refuses, through its subscript by id or through a store of that record: \
    with another id, or with a key that another record has and only one may have. Nobody there can be told by an \
    error, and the change would be lost. Call `update`, `upsert` or `rename` of the table, in a commit of the store \
    that has it: they throw what is refused.
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

  @usableFromInline
  static let reducingRecord = Misuse(
    """
    The reducer of a feature that is scoped to the records of an EntityTable left its record so that the table cannot take it. A \
    reducer has no caller whom an error could be told. Let it keep the record's id and the keys that only one record may have, or \
    change those where the whole table is reduced, with `try`.
    """
  )
}
