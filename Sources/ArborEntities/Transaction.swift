/// Makes several changes to tables: all of them or none.
///
/// ```swift
/// try withTransaction(&state.library) { library in
///   try library.authors.insert(author)
///   try library.books.insert(contentsOf: books)
/// }
/// ```
///
/// - If the body throws, the value is restored. The body sees its own changes. A nested transaction is undone with the
///   outer one, or on its own if you catch its error.
/// - You can pass any value: a struct of tables, a single table, or a whole state. You can use it in reducers and in
///   commits.
/// - Cost: nothing if the body cannot throw. Otherwise a copy of the value is kept; tables share their unchanged parts
///   with it, and each change copies its path in the trie once. So one transaction of many changes costs little more
///   than the changes, but one transaction per change costs several times as much.
/// - Parameters:
///   - database: The value to change.
///   - body: Makes the changes, and returns the result of the transaction.
/// - Throws: The error of the body.
@inlinable
public func withTransaction<Database, Result, Failure: Error>(
  _ database: inout Database,
  _ body: (_ database: inout Database) throws(Failure) -> Result
) throws(Failure) -> Result {
  let before = Failure.self == Never.self ? nil : database
  do throws(Failure) {
    return try body(&database)
  } catch {
    if let before { database = before }
    throw error
  }
}
