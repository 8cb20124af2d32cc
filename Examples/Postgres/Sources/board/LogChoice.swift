import ArborSync
import BoardCore
import PostgresLog

/// Makes the log that the options specify: a database, or files in a folder.
///
/// - It doesn't connect to a database. The shared store does, repeatedly.
/// - Throws: A `LogError` if the folder cannot be created.
func log(for options: Options, in folders: Folders) throws(LogError) -> any OrderedLog {
  guard let address = options.log else { return try FileLog(at: folders.log) }
  return PostgresLog(address, owners: options.owner.map { [$0] } ?? [])
}
