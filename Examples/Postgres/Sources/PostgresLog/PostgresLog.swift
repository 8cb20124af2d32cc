public import ArborSync
public import Foundation

/// A log in a PostgreSQL database, for clients on any number of machines.
///
/// ```swift
/// let log = PostgresLog("postgres://app@db.example.com/boards?sslmode=verify-full", name: "team")
/// ```
///
/// - **Tables.** All tables are in the schema `arbor`. The first client that connects creates them, if its role may do so.
///   Otherwise an administrator runs ``migration``, which lists the necessary rights of the role at its beginning.
/// - **Owners.** The role that owns a schema decides which code runs in it, with the rights of the role that calls it. So the
///   schema, and everything in it, must belong to the connecting role or to one of the named owners, and no other role may add
///   anything to it. Otherwise each call is refused, and nothing in the schema is touched. This is checked when a connection is
///   opened, and with each ``connect(_:reducerVersion:)``.
/// - **Order.** An append locks the row of its log until it is committed. The appends of one log follow one another; appends of
///   different logs don't wait for each other.
/// - **Durability.** Actions are as durable as the server's commits. If `synchronous_commit` is off, or after a failover to a
///   lagging standby, appended actions may be lost.
/// - **Time.** Only the database's clock measures the lease.
/// - **Errors.** Temporary errors are ``LogError/unreachable(_:)``: a lost connection, a time limit, or a server that starts,
///   shuts down, has no room or is temporarily read-only. A wrong password, a missing database or right, and a newer version of
///   the tables are ``LogError/refused(_:)``. No error contains a password.
/// - **Hints** are notifications of the database. Each role that may connect to the database can also listen to them. They
///   require a direct connection to the server, or a pool that gives a client its own connection without a time limit.
/// - Cost: a connection for calls, and another one while ``signals()`` has listeners. An append is one round trip.
public final class PostgresLog: OrderedLog {
  /// The script that creates the tables: the content of the file migration.sql.
  public static let migration = String(decoding: PackageResources.migration_sql, as: UTF8.self)

  /// The number of actions that are read at once, and the number of bytes after which no more are read.
  private static let (readCount, readLength) = (100_000, 1 << 24)

  /// The number of actions that are removed at once, because removing many takes time, and time is limited.
  private static let removedCount = 10_000

  let name: String
  private let lease: Duration
  private let secondsAhead: @Sendable () -> Int
  let calls: CallQueue
  private let listener: SignalListener

  /// Makes a log with a name in a database. The first call connects.
  ///
  /// - Parameters:
  ///   - connection: A URL, or keywords and values, of
  ///     [libpq](https://www.postgresql.org/docs/current/libpq-connect.html). Other values may be in the environment,
  ///     in a service file or in a password file. By default, a dead connection is detected after about twenty seconds,
  ///     and a statement may take thirty.
  ///   - name: The name of the log, because a database may have several. Two names are the same if their bytes are.
  ///   - owners: The roles, apart from the connecting one, that may own the schema `arbor`: the administrator's role that has
  ///     run the ``migration``. Name only roles that may do everything that the connecting role may do.
  ///   - lease: The time for which a client counts as connected after its last note. A log keeps the lease it was created with.
  public convenience init(
    _ connection: String,
    name: String = "main",
    owners: Set<String> = [],
    lease: Duration = .seconds(600)
  ) {
    self.init(ConnectionSettings(connection, owners: owners), name: name, lease: lease)
  }

  /// - Parameter secondsAhead: Returns the number of seconds by which the log's time is ahead of the database's clock.
  package init(
    _ settings: ConnectionSettings,
    name: String,
    lease: Duration = .seconds(600),
    secondsAhead: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.name = name
    self.lease = lease
    self.secondsAhead = secondsAhead
    calls = CallQueue(settings)
    listener = SignalListener(settings, name: name)
  }

  /// Finds the log, or creates it. Also creates the tables if there are none.
  public func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try requireNames(client)
    try await requireVersion()
    let query = PostgresQuery.connect(
      name,
      reducerVersion: reducerVersion,
      lease: lease,
      as: client,
      secondsAhead: secondsAhead()
    )
    let found = try await ask(query)
    guard let id = found.uuid(0) else { throw .anotherLog(nil) }
    listener.found(id)
    return LogDescription(
      id: id,
      reducerVersion: found.number(1) ?? 0,
      end: found.number(2) ?? 0,
      compactedEnd: found.number(3) ?? 0,
      lastNumber: found.number(4) ?? 0,
      lease: .microseconds(found.number(5) ?? 0)
    )
  }

  /// Appends actions, all or none.
  public func append(_ batch: ActionBatch, to log: UUID) async throws(LogError) {
    try requireNames(batch.client)
    try requireLength(batch.actions.reduce(0) { $0 + $1.count })
    // The hint is not part of the transaction, so a failed hint does not affect the actions.
    let hint = PostgresQuery.notify(LogChannel(log: log), .appended)
    let found = try await ask(.append(batch, to: name, log), with: hint, in: log)
    let last = found.number(1) ?? 0
    guard batch.first <= last + 1 else { throw .missingActions(after: last) }
  }

  /// Returns the actions after a position, in order. There are fewer than requested if they are long or very many.
  public func actions(behind position: Int, atMost count: Int, in log: UUID) async throws(LogError) -> [LoggedAction] {
    try requireNames()
    let found = try await ask(
      .actions(of: name, log, behind: position, atMost: min(count, Self.readCount), length: Self.readLength),
      in: log
    )
    let compactedEnd = found.number(1) ?? 0
    guard position >= compactedEnd else { throw .compacted(through: compactedEnd) }
    return (0..<found.count).compactMap { LoggedAction(found, row: $0) }
  }

  /// Returns the newest snapshot; nil if there is none.
  public func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot? {
    try requireNames()
    let found = try await ask(.snapshot(of: name, log), in: log)
    guard let position = found.number(1) else { return nil }
    return try LogSnapshot(found, position: position)
  }

  /// Saves a snapshot, unless there is one that is at least as new.
  public func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError) {
    try requireNames()
    try requireLength(snapshot.bytes.count)
    let found = try await ask(.save(snapshot, numbers: try snapshot.numbersText(), of: name, log), in: log)
    let end = found.number(1) ?? 0
    guard snapshot.position <= end else { throw .refused("a snapshot of position \(snapshot.position)") }
  }

  /// Notes that a client is connected, and how far it has read.
  public func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError) {
    try requireNames(client)
    _ = try await ask(.note(position, readBy: client, of: name, log, secondsAhead: secondsAhead()), in: log)
  }

  /// Removes the actions up to the newest snapshot, except for those that a connected client hasn't read.
  public func compact(_ log: UUID) async throws(LogError) {
    try requireNames()
    var hasMore = true
    while hasMore {
      let query = PostgresQuery.compact(name, log, atMost: Self.removedCount, secondsAhead: secondsAhead())
      hasMore = try await ask(query, in: log).isTrue(1)
    }
  }

  /// Returns a stream of signals about the log from now on.
  ///
  /// It begins with ``LogSignal/appended`` once hints arrive, and sends it again after each failure of the connection.
  public func signals() -> AsyncStream<LogSignal> { listener.stream() }

  /// Sends a message to the signals of all clients.
  public func broadcast(_ message: Data, in log: UUID) async throws(LogError) {
    guard message.count <= LogError.longestMessage else { throw .messageTooLong(message.count) }
    try requireNames()
    _ = try await ask(.notify(LogChannel(log: log), .message(message), ifLogNamed: name), in: log)
  }
}
