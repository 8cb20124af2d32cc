internal import CPostgres
internal import Foundation

/// The rows returned by a query, in the binary form of their types, or the query's error.
package final class PostgresRows: @unchecked Sendable {
  // Sendable because a result is only read once it is complete, which any thread may do, and is freed with this object.

  private let result: OpaquePointer

  /// - Parameter result: A result, which is freed with this object.
  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  /// `true` for the mark that ends a query among several.
  var isEndOfQuery: Bool { PQresultStatus(result) == PGRES_PIPELINE_SYNC }

  /// The error; nil if the query succeeded.
  var failure: PostgresError? {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return nil
    case PGRES_PIPELINE_ABORTED: return .connection("the query was not run because an earlier one failed")
    default: break
    }
    guard let code = field("C") else {
      return .connection(PostgresError.line(of: String(cString: PQresultErrorMessage(result))))
    }
    return .server(code: code, PostgresError.line(of: field("M") ?? code))
  }

  /// Returns a field of the error, by its letter in the protocol.
  private func field(_ letter: Character) -> String? {
    PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
  }

  /// The number of rows.
  package var count: Int { Int(PQntuples(result)) }

  /// Returns a number; nil if it is null.
  package func number(_ column: Int, of row: Int = 0) -> Int? {
    pattern(column, of: row).map { Int(Int64(bitPattern: $0)) }
  }

  /// Returns the bit pattern of a number; nil if it is null.
  func pattern(_ column: Int, of row: Int = 0) -> UInt64? {
    guard let bytes = bytes(column, of: row), bytes.count == 8 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns text; nil if it is null.
  package func text(_ column: Int, of row: Int = 0) -> String? {
    bytes(column, of: row).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a Boolean; `false` if it is null.
  func isTrue(_ column: Int, of row: Int = 0) -> Bool { bytes(column, of: row)?.first == 1 }

  /// Returns an id; nil if it is null.
  func uuid(_ column: Int, of row: Int = 0) -> UUID? {
    guard let bytes = bytes(column, of: row), bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// Returns bytes; nil if they are null.
  func data(_ column: Int, of row: Int = 0) -> Data? { bytes(column, of: row).map { Data($0) } }

  /// Returns the bytes of a value, which are valid as long as this object exists.
  private func bytes(_ column: Int, of row: Int) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(row), Int32(column))
    guard row < PQntuples(result), column < PQnfields(result), PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
  }
}
