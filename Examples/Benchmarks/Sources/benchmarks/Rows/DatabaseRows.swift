import Arbor
import ArborPersistence
import Foundation

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// A database as a peer: the time for appending small records durably, and for loading them.
let databaseRows = [
  Row(workload: "one durable action, against one row of SQLite", limit: "SQLite, full sync", budget: 1.5, rounds: 2) {
    scale in
    let count = scale.count(50)
    let folder = TemporaryFolder()
    let ledger = JournaledLedger(in: folder, groupedFor: .milliseconds(50))
    let database = Database(in: folder)
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          waiting {
            for number in 0..<count { try await ledger.store.dispatchDurably(.enter(account: 1, amount: number)) }
          }
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for number in 0..<count { database.insert(number, 1) }
        }
      }
    )
  },
  Row(
    workload: "a journaled action of 100,000 with one flush", limit: "SQLite, one transaction", budget: nil, rounds: 1
  ) {
    scale in
    let count = scale.count(100_000)
    let folder = TemporaryFolder()
    let ledger = JournaledLedger(in: folder, groupedFor: .milliseconds(50))
    let database = Database(in: folder)
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          for number in 0..<count { ledger.store.dispatch(.enter(account: number % 100, amount: number)) }
          ledger.flush()
        }
      },
      limit: { nanoseconds(perOperationOf: count) { database.insert(0, count) } }
    )
  },
  Row(workload: "an action reduced again, of 1,000,000", limit: "SQLite, a row read", budget: nil, rounds: 1) { scale in
    let count = scale.count(1_000_000)
    let folder = TemporaryFolder()
    JournaledLedger(in: folder, groupedFor: .milliseconds(50)).enter(count)
    let database = Database(in: folder)
    database.insert(0, count)
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          let ledger = JournaledLedger(in: folder)
          consume(ledger.store.state)
        }
      },
      limit: { nanoseconds(perOperationOf: count) { consume(database.sum()) } }
    )
  },
]

/// A table of numbered rows in SQLite, with a write-ahead log that is synced with each transaction.
private final class Database {
  private var handle: OpaquePointer?
  private var insertion: OpaquePointer?

  init(in folder: TemporaryFolder) {
    check(sqlite3_open(folder.url.appending(path: "rows.sqlite").path, &handle))
    for statement in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
      "CREATE TABLE entries (account INTEGER, amount INTEGER)",
    ] { check(sqlite3_exec(handle, statement, nil, nil, nil)) }
    check(sqlite3_prepare_v2(handle, "INSERT INTO entries VALUES (?, ?)", -1, &insertion, nil))
  }

  /// Inserts rows in one transaction.
  func insert(_ first: Int, _ count: Int) {
    check(sqlite3_exec(handle, "BEGIN", nil, nil, nil))
    for number in first..<(first + count) {
      sqlite3_bind_int64(insertion, 1, Int64(number % 100))
      sqlite3_bind_int64(insertion, 2, Int64(number))
      sqlite3_step(insertion)
      sqlite3_reset(insertion)
    }
    check(sqlite3_exec(handle, "COMMIT", nil, nil, nil))
  }

  /// Reads all rows, and adds them up like a reducer.
  func sum() -> Ledger {
    var ledger = Ledger()
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(handle, "SELECT account, amount FROM entries", -1, &statement, nil))
    while sqlite3_step(statement) == SQLITE_ROW {
      ledger.accounts[Int(sqlite3_column_int64(statement, 0))] &+= Int(sqlite3_column_int64(statement, 1))
    }
    sqlite3_finalize(statement)
    return ledger
  }

  private func check(_ status: Int32) {
    precondition(status == SQLITE_OK, String(cString: sqlite3_errmsg(handle)))
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_close(handle)
  }
}
