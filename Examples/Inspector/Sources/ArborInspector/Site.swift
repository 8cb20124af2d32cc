internal import ArborDevTools
internal import Foundation

/// Serves the site of an inspector: the page, its events, and the answers to its commands.
final class Site: Sendable {
  private let program: LiveProgram
  private let rules: AccessRules
  private let seats = Seats(limit: 32)

  init(_ program: LiveProgram, rules: AccessRules) {
    self.program = program
    self.rules = rules
  }

  /// The number of browsers that receive events.
  var browserCount: Int { seats.count }

  /// Answers a request.
  ///
  /// - Parameter body: The body; nil if it was not read, because it is too large or has no specified size.
  func response(to request: Request, body: [UInt8]?) async -> Response {
    do throws(Refusal) {
      switch try rules.judge(request) {
      case .page: return Response(200, "OK", .page, .bytes(program.page("live")))
      case .events: return try events()
      case .command: return await answer(to: body ?? [])
      }
    } catch {
      return refusal(error)
    }
  }

  /// The answer to bytes that aren't a request.
  func malformed() -> Response {
    var answer = Response(400, "Bad Request", .json, Site.json("error", "This is not a valid HTTP request."))
    answer.endsConnection = true
    return answer
  }

  private func events() throws(Refusal) -> Response {
    guard let seat = seats.take() else { throw .tooManyBrowsers }
    let stream = EventStream(messages: program.makeBrowser(), seat: seat)
    var answer = Response(200, "OK", .events, .events(stream))
    answer.endsConnection = true
    return answer
  }

  private func answer(to command: [UInt8]) async -> Response {
    guard let error = await program.refusal(of: command) else {
      return Response(200, "OK", .json, .bytes(Array(#"{"ok":true}"#.utf8)))
    }
    let body = Site.json("error", error.description)
    switch error {
    case .notJSON, .notACommand: return Response(400, "Bad Request", .json, body)
    case .notAnAction: return Response(422, "Unprocessable Content", .json, body)
    case .refused, .cannotDispatch: return Response(409, "Conflict", .json, body)
    }
  }

  private func refusal(_ refusal: Refusal) -> Response {
    let (code, phrase) = refusal.status
    var answer = Response(code, phrase, .json, Site.json("error", refusal.sentence))
    if case .otherMethod(let allowed) = refusal { answer.add("Allow", allowed) }
    return answer
  }

  private static func json(_ key: String, _ text: String) -> Response.Body {
    // Encoding a dictionary of texts does not fail.
    .bytes((try? JSONEncoder().encode([key: text])).map(Array.init) ?? [])
  }
}
