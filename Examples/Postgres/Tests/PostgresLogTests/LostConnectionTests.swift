import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("Lost connections", .needsServer)
struct LostConnectionTests {
  private let ann = LogClient("Ann")

  /// The name that identifies the test's connections at the server.
  private let application = "test \(UUID())"
  private let name = "lost \(UUID())"
  private let administrator = CallQueue(ConnectionSettings(TestServer.url ?? ""))

  private func open(options: String? = nil, margin: Duration = .seconds(15)) throws -> PostgresLog {
    var query = ["application_name": application]
    query["options"] = options
    return PostgresLog(ConnectionSettings(try TestServer.url(options: query), margin: margin), name: name)
  }

  private func terminate(_ condition: String) async throws -> Int {
    try await administrator.number(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1 AND \(condition)",
      .text(application)
    )
  }

  private func waitForConnections(_ count: Int, _ condition: String) async throws {
    try await administrator.wait(
      for: count,
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND \(condition)",
      .text(application)
    )
  }

  /// Locks the row of the log, so that appends wait.
  private func holdingLog(_ body: () async throws -> Void) async throws {
    let holder = CallQueue(ConnectionSettings(try TestServer.url()))
    try await holder.run("BEGIN; SELECT FROM arbor.logs WHERE name = '\(name)' FOR UPDATE")
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    try await holder.run("COMMIT")
    try result.get()
  }

  @Test func `a connection that ends while it is unused is not noticed`() async throws {
    let log = try open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    for number in 1...3 {
      #expect(try await terminate("true") == 1)
      try await waitForConnections(0, "true")
      try await log.append("\(number)", of: ann, from: number, to: id)
    }
    #expect(try await log.all(in: id).map(\.text) == ["1", "2", "3"])
  }

  @Test func `Y2 a call whose connection ends in the middle is performed once`() async throws {
    let log = try open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    let isWaiting = "wait_event_type = 'Lock'"
    var call: Task<Void, any Error>?
    try await holdingLog {
      call = Task { try await log.append("a", "b", of: ann, from: 1, to: id) }
      try await waitForConnections(1, isWaiting)
      #expect(try await terminate(isWaiting) == 1)
      // This uses another connection.
      try await waitForConnections(1, isWaiting)
    }
    try await call?.value
    #expect(try await log.all(in: id).map(\.text) == ["a", "b"])
  }

  @Test func `a call that waits too long for a lock fails, and can be repeated`() async throws {
    let log = try open(options: "-c statement_timeout=2000")
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await holdingLog {
      let error = LogError.unreachable("canceling statement due to statement timeout")
      await #expect(throws: error) { try await log.append("a", of: ann, from: 1, to: id) }
    }
    try await log.append("a", of: ann, from: 1, to: id)
    #expect(try await log.all(in: id).map(\.text) == ["a"])
  }

  @Test func `Y2 the wait for a silent server is limited, and its late actions exist once`()
    async throws
  {
    // A statement may take 30 seconds, but the server may only be silent for three.
    let log = try open(margin: .seconds(-27))
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await holdingLog {
      await #expect(throws: LogError.unreachable("the server was silent for 3 seconds")) {
        try await log.append("a", of: ann, from: 1, to: id)
      }
    }
    try await log.append("a", of: ann, from: 1, to: id)
    #expect(try await log.all(in: id).map(\.text) == ["a"])
  }

  @Test func `a listener is notified of a new connection, and receives later hints`() async throws {
    let log = try open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    var signals = log.signals().makeAsyncIterator()
    #expect(await signals.next() == .appended)
    for number in 0..<3 {
      #expect(try await terminate("query LIKE 'LISTEN%'") == 1)
      #expect(await signals.next() == .appended)
      let message = Data("\(number)".utf8)
      try await log.broadcast(message, in: id)
      #expect(await signals.next() == .message(message))
    }
  }

  @Test func `a released log leaves no connection and no stream`() async throws {
    var log: PostgresLog? = try open()
    let id = try #require(try await log?.connect(ann, reducerVersion: 1)).id
    try await log?.append("a", of: ann, from: 1, to: id)
    try await hear(try #require(log?.signals()))
    // The stream was released. Another one has a connection again.
    try await waitForConnections(1, "true")
    let others = try #require(log?.signals())
    try await waitForConnections(2, "true")
    log = nil
    for await _ in others {}
    try await waitForConnections(0, "true")
  }

  private func hear(_ signals: AsyncStream<LogSignal>) async throws {
    #expect(await signals.first { _ in true } == .appended)
  }
}
