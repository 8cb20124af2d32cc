internal import ArborSync
internal import Foundation

extension PostgresLog {
  /// The version of the tables that this code supports.
  private static let version = 1

  /// The maximum number of bytes of a name, which must fit into an index of the database.
  private static let longestName = 1024

  /// Ensures that the tables exist, in the supported version.
  func requireVersion() async throws(LogError) {
    try await requireOwners()
    var version = try await knownVersion()
    if version ?? 0 < Self.version {
      do throws(PostgresError) {
        try await calls.run(Self.migration)
      } catch {
        // Another client with the right to do so may have created them at the same time.
        try await requireOwners()
        version = try await knownVersion()
        guard version ?? 0 >= Self.version else { throw LogError(migration: error) }
      }
    }
    if let version, version > Self.version {
      throw .refused(
        "the database's tables have version \(version), but this program supports only \(Self.version): update the program"
      )
    }
  }

  /// Throws if an untrusted role owns tables or functions, before any of them is used.
  private func requireOwners() async throws(LogError) {
    do throws(PostgresError) {
      try await calls.requireOwners()
    } catch {
      throw LogError(error)
    }
  }

  /// Returns the version of the tables; nil if there are none.
  private func knownVersion() async throws(LogError) -> Int? {
    do throws(PostgresError) {
      return try await calls.ask(.version).number(0)
    } catch {
      if error.isMissingSchema { return nil }
      throw LogError(error)
    }
  }

  /// Performs a query about one log, and throws if another log has its name.
  func ask(
    _ query: PostgresQuery,
    with hint: PostgresQuery? = nil,
    in log: UUID
  ) async throws(LogError) -> PostgresRows {
    let found = try await ask(query, with: hint)
    guard found.uuid(0) == log else { throw .anotherLog(found.uuid(0)) }
    return found
  }

  /// Performs a query.
  func ask(_ query: PostgresQuery, with hint: PostgresQuery? = nil) async throws(LogError) -> PostgresRows {
    do throws(PostgresError) {
      return try await calls.ask(query, with: hint)
    } catch {
      throw LogError(error)
    }
  }

  /// Throws if the database cannot store a name.
  func requireNames(_ client: LogClient? = nil) throws(LogError) {
    for name in [name, client?.name ?? ""] {
      guard !name.utf8.contains(0) else {
        throw .refused("a name contains the character NUL, which the database cannot store")
      }
      guard name.utf8.count <= Self.longestName else {
        throw .refused("a name has \(name.utf8.count) bytes, but may have at most \(Self.longestName)")
      }
    }
  }

  /// Throws if data is too long for one call.
  func requireLength(_ count: Int) throws(LogError) {
    guard count <= PostgresValue.longest else {
      throw .refused("\(count) bytes are too many for one call; the database accepts at most \(PostgresValue.longest)")
    }
  }
}
