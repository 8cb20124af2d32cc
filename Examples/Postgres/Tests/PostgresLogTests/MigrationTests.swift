import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("The tables", .needsServer)
struct MigrationTests {
  private let ann = LogClient("Ann")

  @Test func `many simultaneous clients create the tables and the log once`() async throws {
    try await TestDatabase.with { database in
      let ids = try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask {
            let client = LogClient("\(number)")
            let log = PostgresLog(database.url)
            let id = try await log.connect(client, reducerVersion: 1).id
            try await log.append("a", of: client, from: 1, to: id)
            return id
          }
        }
        var ids: Set<UUID> = []
        for try await id in group { ids.insert(id) }
        return ids
      }
      #expect(ids.count == 1)
      let id = try #require(ids.first)
      #expect(try await PostgresLog(database.url).all(in: id).map(\.position) == Array(1...10))
    }
  }

  @Test func `running the script again changes nothing`() async throws {
    try await TestDatabase.with { database in
      let log = PostgresLog(database.url)
      let id = try await log.connect(ann, reducerVersion: 1).id
      try await log.append("a", of: ann, from: 1, to: id)
      for _ in 0..<2 { try await database.administrator.run(PostgresLog.migration) }
      try await log.append("a", "b", of: ann, from: 1, to: id)
      #expect(try await log.all(in: id).map(\.text) == ["a", "b"])
    }
  }

  @Test func `a client that may not create tables uses those of an administrator`() async throws {
    try await TestDatabase.with { database in
      try await database.withRole { role, url in
        let log = PostgresLog(url, owners: ["arbor"])
        let error = LogError.refused(
          "there are no tables for logs, and this role may not create them "
            + "(permission denied for database \(database.name)): an administrator must run migration.sql"
        )
        await #expect(throws: error) { try await log.connect(ann, reducerVersion: 1) }
        try await database.administrator.run(PostgresLog.migration)
        await #expect(throws: LogError.refused("permission denied for schema arbor")) {
          try await log.connect(ann, reducerVersion: 1)
        }
        try await database.grantAll(to: role)
        let id = try await log.connect(ann, reducerVersion: 1).id
        try await log.append("a", of: ann, from: 1, to: id)
        try await log.save(LogSnapshot(position: 1, numbers: [ann: 1], version: 1, bytes: Data()), in: id)
        try await log.note(1, readBy: ann, in: id)
        try await log.compact(id)
        try await log.broadcast(Data(), in: id)
        #expect(try await log.connect(ann, reducerVersion: 1).compactedEnd == 1)
        try await database.administrator.run("REVOKE INSERT ON arbor.actions FROM \(role)")
        await #expect(throws: LogError.refused("permission denied for table actions")) {
          try await log.append("b", of: ann, from: 2, to: id)
        }
      }
    }
  }

  /// Returns the error for a schema that an untrusted role can change.
  private func untrusted(_ role: String) -> LogError {
    LogError(.owner(role))
  }

  @Test func `a schema of another role is refused, and nothing in it is called`() async throws {
    try await TestDatabase.with { database in
      try await database.withRole { mallory, url in
        try await database.administrator.run("GRANT CREATE ON DATABASE \(database.name) TO \(mallory)")
        let theirs = CallQueue(ConnectionSettings(url))
        // This schema looks like the right tables, and makes its owner a superuser when a superuser reads the version.
        try await theirs.run(
          """
          CREATE SCHEMA arbor;
          GRANT USAGE ON SCHEMA arbor TO PUBLIC;
          CREATE FUNCTION arbor.rise() RETURNS integer LANGUAGE plpgsql AS $$
            BEGIN EXECUTE 'ALTER ROLE \(mallory) SUPERUSER'; RETURN 1; END $$;
          CREATE VIEW arbor.migrations AS SELECT arbor.rise() AS version;
          GRANT SELECT ON arbor.migrations TO PUBLIC;
          """
        )
        let log = PostgresLog(database.url)
        await #expect(throws: untrusted(mallory)) { try await log.connect(ann, reducerVersion: 1) }
        await #expect(throws: untrusted(mallory)) { try await log.all(in: UUID()) }
        // The script doesn't accept the schema, either.
        await #expect(throws: PostgresError.self) { try await database.administrator.run(PostgresLog.migration) }
        let superusers = "SELECT count(*) FROM pg_roles WHERE rolsuper AND rolname = $1"
        #expect(try await database.administrator.number(superusers, .text(mallory)) == 0)
        // The role itself may use its own schema.
        await #expect(throws: LogError.self) { try await PostgresLog(url).connect(ann, reducerVersion: 1) }
        #expect(try await theirs.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'arbor'") == 1)
      }
    }
  }

  @Test(arguments: [
    "GRANT CREATE ON SCHEMA arbor TO", "GRANT TRIGGER ON arbor.actions TO", "ALTER TABLE arbor.clients OWNER TO",
    "ALTER FUNCTION arbor.compact OWNER TO", "ALTER SCHEMA arbor OWNER TO",
  ])
  func `a schema to which another role may add code is refused, unless that role is named as an owner`(right: String)
    async throws
  {
    try await TestDatabase.with { database in
      _ = try await PostgresLog(database.url).connect(ann, reducerVersion: 1)
      try await database.withRole { role, _ in
        try await database.administrator.run("\(right) \(role)")
        await #expect(throws: untrusted(role)) {
          try await PostgresLog(database.url).connect(ann, reducerVersion: 1)
        }
        _ = try await PostgresLog(database.url, owners: [role]).connect(ann, reducerVersion: 1)
        // A schema is removed with its owner, but it contains objects of other roles.
        try await database.administrator.run("REASSIGN OWNED BY \(role) TO CURRENT_USER")
      }
    }
  }

  @Test func `a function or an operator in the public schema is not called instead of the system's`() async throws {
    try await TestDatabase.with { database in
      let calls = CallQueue(ConnectionSettings(database.url))
      #expect(try await calls.ask(PostgresQuery("SHOW search_path")).text(0) == "pg_catalog, pg_temp")
      try await calls.run(PostgresLog.migration)
      let open = "SELECT count(*) FROM pg_proc WHERE pronamespace = 'arbor'::regnamespace AND proconfig IS NULL"
      #expect(try await calls.number(open) == 0)
    }
  }

  @Test func `tables of a newer version are refused, and not changed`() async throws {
    try await TestDatabase.with { database in
      try await database.administrator.run(PostgresLog.migration)
      try await database.administrator.run("INSERT INTO arbor.migrations VALUES (2)")
      let error = LogError.refused(
        "the database's tables have version 2, but this program supports only 1: update the program"
      )
      await #expect(throws: error) { try await PostgresLog(database.url).connect(ann, reducerVersion: 1) }
      let reason = "the schema arbor has a newer version than this script, which has version 1"
      await #expect(throws: PostgresError.server(code: "P0001", reason)) {
        try await database.administrator.run(PostgresLog.migration)
      }
    }
  }
}
