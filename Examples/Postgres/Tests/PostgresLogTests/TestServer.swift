import Foundation
import PostgresLog
import Testing

/// The server of the tests, which the environment specifies.
enum TestServer {
  /// The URL of a role that may do everything; nil if there is no server.
  static let url = ProcessInfo.processInfo.environment["ARBOR_POSTGRES"]

  /// Returns a URL with some parts replaced.
  static func url(
    like url: String? = url,
    database: String? = nil,
    user: String? = nil,
    password: String? = nil,
    options: [String: String] = [:]
  ) throws -> String {
    let url = try #require(url)
    var components = try #require(URLComponents(string: url))
    if let database { components.path = "/" + database }
    if let user { components.user = user }
    if let password { components.password = password }
    if !options.isEmpty { components.queryItems = options.map { URLQueryItem(name: $0.key, value: $0.value) } }
    return try #require(components.string)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests if there is no server.
  static var needsServer: Self {
    .enabled(if: TestServer.url != nil, "ARBOR_POSTGRES is not set: export what `Tests/server start` prints")
  }
}

/// A separate database for a test.
struct TestDatabase {
  let name = "test_\(UInt64.random(in: .min ... .max))"

  /// The URL of a role that may do everything.
  let url: String

  /// A connection of that role.
  let administrator: CallQueue

  /// Creates a database, and removes it afterward.
  static func with(_ body: (TestDatabase) async throws -> Void) async throws {
    let server = CallQueue(ConnectionSettings(try TestServer.url()))
    let database = try TestDatabase()
    try await server.run("CREATE DATABASE \(database.name)")
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(database))
    } catch {
      result = .failure(error)
    }
    try await server.run("DROP DATABASE \(database.name) WITH (FORCE)")
    try result.get()
  }

  private init() throws {
    url = try TestServer.url(database: name)
    administrator = CallQueue(ConnectionSettings(url))
  }

  /// Creates a role that may only log in, and removes it afterward.
  func withRole(_ body: (_ role: String, _ url: String) async throws -> Void) async throws {
    let role = "role_\(UInt64.random(in: .min ... .max))"
    try await administrator.run("CREATE ROLE \(role) LOGIN PASSWORD 'open sesame'")
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(role, try TestServer.url(like: url, user: role, password: "open sesame")))
    } catch {
      result = .failure(error)
    }
    try await administrator.run("DROP OWNED BY \(role); DROP ROLE \(role)")
    try result.get()
  }
}

extension CallQueue {
  /// Returns the number in the first row of a query.
  func number(_ text: String, _ values: PostgresValue...) async throws -> Int {
    try #require(try await ask(PostgresQuery(text, values: values)).number(0))
  }

  /// Repeats a query until the answer is a given number.
  func wait(for number: Int, _ text: String, _ values: PostgresValue...) async throws {
    while try await ask(PostgresQuery(text, values: values)).number(0) != number {}
  }
}
