internal import ArborSync
internal import Foundation

/// The queries of a log. Each contains the log's name, and returns the id of the log with that name in its first column.
extension PostgresQuery {
  /// The newest version of the migration that was run.
  static let version = PostgresQuery("SELECT max(version)::bigint FROM arbor.migrations")

  /// The names of all other roles that own the schema of the logs or something in it, or may add code to it.
  ///
  /// Code can be added to the schema, or as a trigger of a table. The query only reads the system's tables.
  static let owners = PostgresQuery(
    """
    WITH found AS (SELECT oid, nspowner, nspacl FROM pg_namespace WHERE nspname = 'arbor'),
    roles (id) AS (
      SELECT nspowner FROM found
      UNION SELECT relowner FROM pg_class, found WHERE relnamespace = found.oid
      UNION SELECT proowner FROM pg_proc, found WHERE pronamespace = found.oid
      UNION SELECT typowner FROM pg_type, found WHERE typnamespace = found.oid
      UNION SELECT oprowner FROM pg_operator, found WHERE oprnamespace = found.oid
      UNION SELECT collowner FROM pg_collation, found WHERE collnamespace = found.oid
      UNION SELECT a.grantee FROM found, aclexplode(nspacl) a WHERE a.privilege_type = 'CREATE'
      UNION SELECT a.grantee FROM pg_class, found, aclexplode(relacl) a
        WHERE relnamespace = found.oid AND a.privilege_type = 'TRIGGER'
      UNION SELECT f.proowner FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid, found
        WHERE c.relnamespace = found.oid AND NOT t.tgisinternal
    )
    SELECT coalesce(r.rolname::text, 'PUBLIC') FROM roles LEFT JOIN pg_roles r ON r.oid = roles.id
    WHERE r.rolname IS DISTINCT FROM current_user ORDER BY 1
    """
  )

  static func id(ofLogNamed name: String) -> PostgresQuery {
    PostgresQuery("SELECT id FROM arbor.logs WHERE name = $1", .text(name))
  }

  /// - Parameter secondsAhead: The number of seconds by which the log's time is ahead of the database's clock; 0 outside tests.
  static func connect(
    _ name: String,
    reducerVersion: Int,
    lease: Duration,
    as client: LogClient,
    secondsAhead: Int
  ) -> PostgresQuery {
    PostgresQuery(
      """
      SELECT found_id, found_reducer_version, log_end, log_compacted_end, known_number, lease_microseconds
      FROM arbor.connect($1, $2, $3 * interval '1 microsecond', $4, $5, now() + $6 * interval '1 second')
      """,
      .text(name), .number(reducerVersion), .number(lease.microseconds),
      .text(client.name), .pattern(client.incarnation), .number(secondsAhead)
    )
  }

  static func append(_ batch: ActionBatch, to name: String, _ id: UUID) -> PostgresQuery {
    PostgresQuery(
      "SELECT found_id, known_number FROM arbor.append($1, $2, $3, $4, $5, $6, $7)",
      .text(name), .uuid(id), .text(batch.client.name), .pattern(batch.client.incarnation),
      .number(batch.first), .number(batch.version), .bytes(batch.actions)
    )
  }

  /// Returns the actions, one per row. If there are none, the only row has nulls.
  ///
  /// - Parameter length: The number of bytes after which no further action is returned.
  static func actions(
    of name: String, _ id: UUID, behind position: Int, atMost count: Int, length: Int
  ) -> PostgresQuery {
    PostgresQuery(
      """
      SELECT l.id, l.compacted_end, a.position, c.name, c.incarnation, a.number, a.version, a.bytes
      FROM arbor.logs l
      LEFT JOIN LATERAL (
        SELECT *, sum(length(bytes)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - length(bytes) AS length_before
        FROM arbor.actions
        WHERE log = l.key AND position > $3 AND position <= $3 + $4 AND l.id = $2 AND l.compacted_end <= $3
      ) a ON a.length_before < $5
      LEFT JOIN arbor.clients c ON c.key = a.client
      WHERE l.name = $1
      ORDER BY a.position
      """,
      .text(name), .uuid(id), .number(position), .number(count), .number(length)
    )
  }

  static func snapshot(of name: String, _ id: UUID) -> PostgresQuery {
    PostgresQuery(
      """
      SELECT l.id, s.position, s.numbers::text, s.version, s.bytes
      FROM arbor.logs l LEFT JOIN arbor.snapshots s ON s.log = l.key AND l.id = $2
      WHERE l.name = $1
      """,
      .text(name), .uuid(id)
    )
  }

  /// - Parameter numbers: The snapshot's numbers as JSON.
  static func save(_ snapshot: LogSnapshot, numbers: String, of name: String, _ id: UUID) -> PostgresQuery {
    PostgresQuery(
      """
      WITH found AS (SELECT key, id, head FROM arbor.logs WHERE name = $1),
      saved AS (
        INSERT INTO arbor.snapshots AS s (log, position, numbers, version, bytes)
        SELECT key, $3, $4::jsonb, $5, $6 FROM found WHERE id = $2 AND $3 <= head
        ON CONFLICT (log) DO UPDATE
        SET position = excluded.position, numbers = excluded.numbers, version = excluded.version, bytes = excluded.bytes
        WHERE s.position < excluded.position
      )
      SELECT id, head FROM found
      """,
      .text(name), .uuid(id), .number(snapshot.position), .text(numbers), .number(snapshot.version),
      .bytes(snapshot.bytes)
    )
  }

  static func note(
    _ position: Int, readBy client: LogClient, of name: String, _ id: UUID, secondsAhead: Int
  ) -> PostgresQuery {
    PostgresQuery(
      """
      WITH found AS (SELECT key, id FROM arbor.logs WHERE name = $1),
      noted AS (
        INSERT INTO arbor.clients (log, name, incarnation, position, heard)
        SELECT key, $3, $4, $5, now() + $6 * interval '1 second' FROM found WHERE id = $2
        ON CONFLICT (log, incarnation, name) DO UPDATE SET position = excluded.position, heard = excluded.heard
      )
      SELECT id FROM found
      """,
      .text(name), .uuid(id), .text(client.name), .pattern(client.incarnation), .number(position), .number(secondsAhead)
    )
  }

  /// Removes at most a number of actions, and returns `true` if there are more to remove.
  static func compact(_ name: String, _ id: UUID, atMost count: Int, secondsAhead: Int) -> PostgresQuery {
    PostgresQuery(
      "SELECT found_id, has_more FROM arbor.compact($1, $2, now() + $3 * interval '1 second', $4)",
      .text(name), .uuid(id), .number(secondsAhead), .number(count)
    )
  }

  // MARK: Signals

  static func notify(_ channel: LogChannel, _ signal: LogSignal) -> PostgresQuery {
    PostgresQuery("SELECT pg_notify($1, $2)", .text(channel.name), .text(LogChannel.payload(of: signal)))
  }

  /// Notifies only if the log with the name has the channel's id.
  static func notify(_ channel: LogChannel, _ signal: LogSignal, ifLogNamed name: String) -> PostgresQuery {
    PostgresQuery(
      "SELECT id, CASE WHEN id = $2 THEN pg_notify($3, $4)::text END FROM arbor.logs WHERE name = $1",
      .text(name), .uuid(channel.log), .text(channel.name), .text(LogChannel.payload(of: signal))
    )
  }
}

extension Duration {
  /// The whole microseconds, limited to a little more than a hundred years.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(min(max(seconds, 0), 4_000_000_000)) * 1_000_000 + Int(max(attoseconds, 0) / 1_000_000_000_000)
  }
}
