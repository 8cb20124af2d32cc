internal import Foundation

/// The rules for answering or refusing requests.
struct AccessRules: Sendable {
  /// A kind of request.
  enum Kind: Equatable, Sendable {
    case page
    case events
    case command
  }

  /// The maximum number of bytes of a command.
  static let bodyLimit = 1 << 20

  let token: AccessToken
  let port: UInt16

  /// Returns the kind of a request, or throws the reason why it is refused.
  ///
  /// - The name of the host is checked first, because a page with another name must learn nothing. Then all requests
  ///   without the token get the same answer, no matter what else is wrong.
  func judge(_ request: Request) throws(Refusal) -> Kind {
    guard let host = request.headers["host"], hosts.contains(host.lowercased()) else { throw .otherHost }
    let asked = try place(of: request)
    guard request.method == (asked == .command ? "POST" : "GET") else {
      throw .otherMethod(allowed: asked == .command ? "POST" : "GET")
    }
    guard asked != .page else { return .page }
    guard isFromOwnPage(request, needsOrigin: asked == .command) else { throw .otherOrigin }
    guard asked == .command else { return .events }
    guard isJSON(request.headers["content-type"]) else { throw .otherType }
    guard let size = request.bodySize else { throw .unknownSize }
    guard size <= AccessRules.bodyLimit else { throw .tooLarge }
    return .command
  }

  /// The names of this machine that no other machine can have.
  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  private func place(of request: Request) throws(Refusal) -> Kind {
    let parts = request.target.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, token.matches(parts[1]) else { throw .notFound }
    switch parts[2] {
    case "": return .page
    case "live/events": return .events
    case "live/command": return .command
    default: throw .notFound
    }
  }

  /// `true` if the requesting page is this inspector's own, as far as browsers report it. Browsers that don't report it
  /// for events are on the same origin.
  private func isFromOwnPage(_ request: Request, needsOrigin: Bool) -> Bool {
    if let site = request.headers["sec-fetch-site"], site != "same-origin" { return false }
    guard let origin = request.headers["origin"] else { return !needsOrigin }
    return hosts.contains { origin.lowercased() == "http://\($0)" }
  }

  private func isJSON(_ type: String?) -> Bool {
    let name = type?.split(separator: ";").first ?? ""
    return name.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
  }
}
