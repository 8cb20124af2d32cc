internal import ArborDevTools
internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// Serves the site of an inspector: the page, its events, and the answers to its commands.
final class Site: HTTPHandler {
  let token: AccessToken

  private let program: LiveProgram
  private let port = Atomic<UInt16>(0)
  private let seats = Seats(limit: 32)

  init(_ program: LiveProgram, token: AccessToken) {
    self.program = program
    self.token = token
  }

  /// The number of browsers that receive events.
  var browserCount: Int { seats.count }

  /// Begins to answer, by the names that this machine has with a port.
  func begin(onPort port: UInt16) {
    self.port.store(port, ordering: .releasing)
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let rules = AccessRules(token: token, port: port.load(ordering: .acquiring))
    do throws(Refusal) {
      switch try rules.judge(request) {
      case .page: return response(200, "OK", .page, Data(program.page("live")))
      case .events: return try events()
      case .command: return await answer(to: request)
      }
    } catch {
      return refusal(error, of: request)
    }
  }

  private func events() throws(Refusal) -> HTTPResponse {
    guard let seat = seats.take() else { throw .tooManyBrowsers }
    let stream = EventStream(messages: program.makeBrowser(), seat: seat)
    return HTTPResponse(
      statusCode: .ok,
      headers: Site.headers(.events),
      body: HTTPBodySequence(from: stream)
    )
  }

  private func answer(to request: HTTPRequest) async -> HTTPResponse {
    var command = Data()
    do {
      for try await piece in request.bodySequence { command += piece }
    } catch {
      return response(400, "Bad Request", .json, Site.json("error", "The command ended too early."))
    }
    guard let error = await program.refusal(of: Array(command)) else {
      return response(200, "OK", .json, Data(#"{"ok":true}"#.utf8))
    }
    let body = Site.json("error", error.description)
    switch error {
    case .notJSON, .notACommand: return response(400, "Bad Request", .json, body)
    case .notAnAction: return response(422, "Unprocessable Content", .json, body)
    case .refused, .cannotDispatch: return response(409, "Conflict", .json, body)
    }
  }

  private func refusal(_ refusal: Refusal, of request: HTTPRequest) -> HTTPResponse {
    let (code, phrase) = refusal.status
    let body = Site.json("error", refusal.sentence)
    var answer = response(code, phrase, .json, body)
    if case .otherMethod(let allowed) = refusal { answer.headers[HTTPHeader("Allow")] = allowed }
    // A body that was not read would be taken for the next request.
    guard request.bodySequence.count.map({ $0 > AccessRules.bodyLimit }) ?? true else { return answer }
    answer.headers[.connection] = "close"
    answer.payload = .httpBody(HTTPBodySequence(from: LastBytes(bytes: Array(body)), count: body.count))
    return answer
  }

  // MARK: Responses

  private enum ContentType: String {
    case page = "text/html; charset=utf-8"
    case events = "text/event-stream"
    case json = "application/json"
  }

  private func response(_ code: Int, _ phrase: String, _ type: ContentType, _ body: Data) -> HTTPResponse {
    HTTPResponse(statusCode: HTTPStatusCode(code, phrase: phrase), headers: Site.headers(type), body: body)
  }

  private static func headers(_ type: ContentType) -> HTTPHeaders {
    [
      .contentType: type.rawValue,
      HTTPHeader("Cache-Control"): "no-store",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("X-Frame-Options"): "DENY",
      HTTPHeader("Content-Security-Policy"): "frame-ancestors 'none'",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
    ]
  }

  private static func json(_ key: String, _ text: String) -> Data {
    // Encoding a dictionary of texts does not fail.
    (try? JSONEncoder().encode([key: text])) ?? Data()
  }
}

/// The last bytes of a connection, which ends behind them.
private struct LastBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
  typealias Element = UInt8

  var bytes: [UInt8]

  func makeAsyncIterator() -> LastBytes { self }

  mutating func next() async throws -> UInt8? {
    guard !bytes.isEmpty else { throw SocketError.disconnected }
    return bytes.removeFirst()
  }

  mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
    guard !bytes.isEmpty else { throw SocketError.disconnected }
    defer { bytes = [] }
    return bytes
  }
}
