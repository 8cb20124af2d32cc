/// Makes many changes of tables all or nothing.
///
/// ```swift
/// try withTransaction(&state.library) { library in
///   try library.authors.insert(author)
///   try library.books.insert(contentsOf: books)
/// }
/// ```
///
/// - If the body throws, the value is what it was before; what the body reads is what it has changed so far. One inside another is
///   undone with the outer one, or alone if its error is caught.
/// - For any value: a struct of tables, a single one, a whole state. In reducers and in commits alike; a body that cannot throw
///   costs nothing more. One that can keeps a copy, with which tables share what does not change: each change copies its way in the
///   trie once. So one transaction of many changes costs little more than the changes, and one for each change several times as much.
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
