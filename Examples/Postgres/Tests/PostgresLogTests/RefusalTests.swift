import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("Refusals of a server, and temporary errors", .needsServer)
struct RefusalTests {
  private let ann = LogClient("Ann")

  /// Returns the error of a connection; nil if it succeeds.
  private func error(of url: String) async -> LogError? {
    do throws(LogError) {
      _ = try await PostgresLog(url, owners: ["arbor"]).connect(ann, reducerVersion: 1)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a wrong password is refused, and not shown`() async throws {
    let error = try #require(await error(of: try TestServer.url(password: "open sesame")))
    guard case .refused(let reason) = error else { throw error }
    #expect(reason.contains("password authentication failed"))
    #expect(!reason.contains("sesame") && !reason.contains("\n"))
  }

  @Test func `a missing password is refused if one is required`() async throws {
    let url = try TestServer.url(password: "").replacing(":@", with: "@")
    let error = try #require(await error(of: url + "?passfile=/nowhere"))
    guard case .refused = error else { throw error }
  }

  @Test func `a missing database is refused`() async throws {
    let error = try #require(await error(of: try TestServer.url(database: "nowhere")))
    guard case .refused(let reason) = error else { throw error }
    #expect(reason.contains("database \"nowhere\" does not exist"))
  }

  @Test(arguments: [
    "postgres://ann:open sesame@:x:y:/", "postgres://ann:sesame@localhost:70b/?nothing=sesame", "password=open sesame",
    "sesame", "password='sesame", "postgres://ann:\"sesame@localhost:1:\"2/",
    "host=/nowhere\0 password=sesame",
  ])
  func `an invalid connection string is refused, and not shown`(text: String) async throws {
    let error = try #require(await error(of: text))
    guard case .refused(let reason) = error else { throw error }
    #expect(!reason.contains("sesame"))
  }

  @Test func `a port without a listener is unreachable`() async throws {
    let error = try #require(await error(of: "postgres://ann:sesame@127.0.0.1:1/boards"))
    guard case .unreachable(let reason) = error else { throw error }
    #expect(reason.contains("Connection refused"))
    #expect(!reason.contains("sesame") && !reason.contains("\n"))
  }

  @Test func `a server that never answers is unreachable`() async throws {
    let listener = try SilentListener()
    let error = try #require(await error(of: "postgres://ann@127.0.0.1:\(listener.port)/boards?connect_timeout=2"))
    guard case .unreachable = error else { throw error }
  }

  @Test func `a server that has no room, or is read-only for now, is unreachable`() async throws {
    try await TestDatabase.with { database in
      try await database.administrator.run(PostgresLog.migration)
      try await database.withRole { role, url in
        try await database.grantAll(to: role)
        let log = PostgresLog(url, owners: ["arbor"])
        let id = try await log.connect(ann, reducerVersion: 1).id
        try await database.administrator.run("ALTER ROLE \(role) SET default_transaction_read_only = on")
        let error = LogError.unreachable("cannot execute SELECT FOR NO KEY UPDATE in a read-only transaction")
        await #expect(throws: error) {
          try await PostgresLog(url, owners: ["arbor"]).append("a", of: ann, from: 1, to: id)
        }
        try await database.administrator.run("ALTER ROLE \(role) RESET ALL; ALTER ROLE \(role) CONNECTION LIMIT 1")
        let other = try #require(await self.error(of: url))
        guard case .unreachable(let reason) = other else { throw other }
        #expect(reason.contains("too many connections for role"))
        try await log.append("a", of: ann, from: 1, to: id)
      }
    }
  }

  @Test func `Y4 another log in the place is reported, and so is a missing one`() async throws {
    try await TestDatabase.with { database in
      let log = PostgresLog(database.url)
      await #expect(throws: LogError.anotherLog(nil)) { try await log.all(in: UUID()) }
      let id = try await log.connect(ann, reducerVersion: 1).id
      var signals = log.signals().makeAsyncIterator()
      #expect(await signals.next() == .appended)
      try await database.administrator.run("DELETE FROM arbor.logs")
      await #expect(throws: LogError.anotherLog(nil)) { try await log.append("a", of: ann, from: 1, to: id) }
      await #expect(throws: LogError.anotherLog(nil)) { try await log.all(in: id) }
      await #expect(throws: LogError.anotherLog(nil)) { try await log.broadcast(Data(), in: id) }
      let next = try await log.connect(ann, reducerVersion: 2)
      #expect(next.id != id && next.end == 0 && next.reducerVersion == 2)
      await #expect(throws: LogError.anotherLog(next.id)) { try await log.append("a", of: ann, from: 1, to: id) }
      // The hints come from the new log.
      try await database.administrator.wait(
        for: 1,
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle' AND query = 'LISTEN ' || $1",
        .text(LogChannel(log: next.id).name)
      )
      try await log.append("a", of: ann, from: 1, to: next.id)
      try await log.broadcast(Data("hello".utf8), in: next.id)
      while let signal = await signals.next(), signal != .message(Data("hello".utf8)) { #expect(signal == .appended) }
      try await database.administrator.run("DROP SCHEMA arbor CASCADE")
      await #expect(throws: LogError.anotherLog(nil)) { try await log.append("b", of: ann, from: 2, to: next.id) }
    }
  }
}

extension TestDatabase {
  /// Grants the rights listed at the beginning of the migration.
  func grantAll(to role: String) async throws {
    try await administrator.run(
      """
      GRANT USAGE ON SCHEMA arbor TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA arbor TO \(role);
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA arbor TO \(role);
      """
    )
  }
}

/// A port that accepts connections and never answers.
private final class SilentListener {
  let port: Int
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    try #require(isListening)
  }

  deinit {
    close(descriptor)
  }
}
