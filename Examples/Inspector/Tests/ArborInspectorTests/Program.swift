import Arbor
import ArborDevTools
import Foundation

@testable import ArborInspector

/// A program with an inspector.
struct Program {
  enum Action: Codable, Equatable, Sendable {
    case say(String)
    case hide(Secret)
  }

  struct Secret: Codable, Equatable, Sendable, Confidential {
    var text: String
  }

  struct State: Codable, Equatable, Sendable {
    var said = ""
    var count = 0
    var secret = Secret(text: "hidden-0")
  }

  let factory: StoreFactory<State, Action>
  let recorder = Recorder<State, Action>()
  let inspector: Inspector
  let port: UInt16

  /// The path of the page, with the token.
  let path: String

  init(entryLimit: Int = 2000, limits: Limits = Limits()) async throws {
    factory = StoreFactory(initialState: State(), settings: TreeSettings(monitors: [recorder])) { state, action in
      state.count += 1
      switch action {
      case .say(let text): state.said = text
      case .hide(let secret): state.secret = secret
      }
    }
    let live = LiveRecording(
      recorder,
      entryLimit: entryLimit,
      dispatch: factory.dispatch
    )
    inspector = try await Inspector(live, port: 0, limits: limits)
    guard let address = URL(string: inspector.address), let port = address.port else {
      throw CocoaError(.coderInvalidValue)
    }
    self.port = UInt16(port)
    path = address.path.hasSuffix("/") ? address.path : address.path + "/"
  }

  var host: String { "127.0.0.1:\(port)" }

  /// A request for a part of the page's path.
  func request(
    _ method: String,
    _ part: String,
    path: String? = nil,
    host: String? = nil,
    headers: [String] = [],
    body: String = ""
  ) -> String {
    var lines = ["\(method) \(path ?? self.path)\(part) HTTP/1.1", "Host: \(host ?? self.host)"] + headers
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// The request of a command, as the page sends it.
  func command(_ json: String) -> String {
    request("POST", "live/command", headers: ["Origin: http://\(host)", "Content-Type: application/json"], body: json)
  }

  /// The answer to one request on a separate connection.
  func answer(to request: String) async throws -> Connection.Answer {
    var connection = try await Connection(port: port)
    defer { try? connection.close() }
    try await connection.send(request)
    return try await connection.answer()
  }

  /// A connection for events.
  func events() async throws -> Connection {
    var connection = try await Connection(port: port)
    try await connection.send(request("GET", "live/events"))
    guard try await connection.answer().status == 200 else { throw CocoaError(.fileReadNoSuchFile) }
    return connection
  }
}
