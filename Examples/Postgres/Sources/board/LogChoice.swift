import ArborSync
import BoardCore
import PostgresLog

/// Makes the log that the options ask for: a database, or files in a folder.
///
/// - A database is not looked for here: the shared store does, again and again.
/// - Throws: A `LogError`: the folder cannot be made.
func log(for options: Options, in folders: Folders) throws(LogError) -> any OrderedLog {
  guard let address = options.log else { return try FileLog(at: folders.log) }
  return PostgresLog(address, owners: options.owner.map { [$0] } ?? [])
}
