public import ArborSync
public import Foundation

/// A log in a PostgreSQL database, for clients on any number of machines.
///
/// ```swift
/// let log = PostgresLog("postgres://app@db.example.com/boards?sslmode=verify-full", name: "team")
/// ```
///
/// - **Tables.** All are in the schema `arbor`. The first client that connects makes them, if its role may; else an
///   administrator runs ``migration``, whose beginning says what the role needs.
/// - **Owners.** The role that owns a schema decides which code runs in it, with the rights of the role that calls it. So
///   the schema, and everything in it, must belong to the connecting role or to one of the named owners, and no other role
///   may add anything to it: otherwise each call is refused, and nothing of the schema is touched. That is looked at when a
///   connection is opened, and with each ``connect(_:reducerVersion:)``.
/// - **Order.** An append locks the row of its log until it is committed: the appends of one log follow one another, those
///   of several do not wait for each other.
/// - **Durability** is that of the server's commits: with `synchronous_commit` off, or after a failover to a standby that
///   lags, what was appended may be lost.
/// - **Time.** The lease is measured by the database's clock alone.
/// - **Errors.** What may pass is ``LogError/unreachable(_:)``: a lost line, a server that starts, ends, has no room or is
///   read-only for now, a limit of time. A wrong password, a missing database or right, and a newer version of the tables are
///   ``LogError/refused(_:)``. No error tells a password.
/// - **Hints** are notifications of the database: each role that may connect to it may also listen to them. They want a
///   connection to the server itself, or a pool that gives a client one for as long as it likes.
/// - Cost: a connection for calls, and another one while somebody listens to ``signals()``. An append is one round trip.
public final class PostgresLog: OrderedLog {
  /// The script that makes the tables, as the file migration.sql has it.
  public static let migration = String(decoding: PackageResources.migration_sql, as: UTF8.self)

  /// The number of actions that are read at once, and of bytes after which no further one is.
  private static let (readCount, readLength) = (100_000, 1 << 24)

  /// The number of actions that are removed at once: to remove many takes time, and time is limited.
  private static let removedCount = 10_000

  let name: String
  private let lease: Duration
  private let secondsAhead: @Sendable () -> Int
  let calls: CallQueue
  private let listener: SignalListener

  /// Makes the log of a name in a database. It connects with the first call.
  ///
  /// - Parameters:
  ///   - connection: A URL, or keywords and values, of [libpq](https://www.postgresql.org/docs/current/libpq-connect.html).
  ///     Other values may be in the environment, in a service's file or in a password's file. Unless other times are
  ///     set, a dead line is noticed after some twenty seconds, and a statement may take thirty.
  ///   - name: The name, by which one database may have several logs. Two names are the same if their bytes are.
  ///   - owners: The roles, besides the one that connects, that may own the schema `arbor`: the administrator's that has
  ///     run the ``migration``. Name only roles that you would let do everything that the connecting role may.
  ///   - lease: The time for which a client counts as connected after its last note. A log keeps the one it was made with.
  public convenience init(
    _ connection: String,
    name: String = "main",
    owners: Set<String> = [],
    lease: Duration = .seconds(600)
  ) {
    self.init(ConnectionSettings(connection, owners: owners), name: name, lease: lease)
  }

  /// - Parameter secondsAhead: The seconds by which the time is ahead of the database's clock.
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

  /// Finds the log, or makes it, and its tables before if there are none.
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
    // The hint is no part of the transaction, so that one that cannot be given is lost, and not the actions with it.
    let hint = PostgresQuery.notify(LogChannel(log: log), .appended)
    let found = try await ask(.append(batch, to: name, log), with: hint, in: log)
    let last = found.number(1) ?? 0
    guard batch.first <= last + 1 else { throw .missingActions(after: last) }
  }

  /// The actions behind a position, in order; fewer than are wanted if they are long or very many.
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

  /// The newest snapshot; nil if there is none.
  public func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot? {
    try requireNames()
    let found = try await ask(.snapshot(of: name, log), in: log)
    guard let position = found.number(1) else { return nil }
    return try LogSnapshot(found, position: position)
  }

  /// Saves a snapshot, unless there is one that is as new.
  public func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError) {
    try requireNames()
    try requireLength(snapshot.bytes.count)
    let found = try await ask(.save(snapshot, numbers: try snapshot.numbersText(), of: name, log), in: log)
    let end = found.number(1) ?? 0
    guard snapshot.position <= end else { throw .refused("a snapshot of position \(snapshot.position)") }
  }

  /// Notes that a client is connected, and what it has read.
  public func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError) {
    try requireNames(client)
    _ = try await ask(.note(position, readBy: client, of: name, log, secondsAhead: secondsAhead()), in: log)
  }

  /// Removes the actions up to the newest snapshot, but for those that a connected client has not read.
  public func compact(_ log: UUID) async throws(LogError) {
    try requireNames()
    var hasMore = true
    while hasMore {
      let query = PostgresQuery.compact(name, log, atMost: Self.removedCount, secondsAhead: secondsAhead())
      hasMore = try await ask(query, in: log).isTrue(1)
    }
  }

  /// The stream of what happens in the log from now on. It begins with ``LogSignal/appended`` once hints come in, and so
  /// again after each failure of the line.
  public func signals() -> AsyncStream<LogSignal> { listener.stream() }

  /// Sends a message to the signals of all clients.
  public func broadcast(_ message: Data, in log: UUID) async throws(LogError) {
    guard message.count <= LogError.longestMessage else { throw .messageTooLong(message.count) }
    try requireNames()
    _ = try await ask(.notify(LogChannel(log: log), .message(message), ifLogNamed: name), in: log)
  }
}
