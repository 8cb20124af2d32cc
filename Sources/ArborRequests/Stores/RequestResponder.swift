package import Arbor

/// Answers the requests and the changes of a tree in place of the server, in tests.
package final class RequestResponder: Attachment {
  package typealias Fetch =
    @Sendable (
      _ id: RequestID, _ cursor: RequestValue?, _ send: @escaping @Sendable (any Sendable) throws -> Void
    ) async throws -> (any Sendable)?

  package typealias Send = @Sendable (_ change: RequestID) async throws -> any Sendable

  let fetch: Fetch
  let send: Send

  private init(_ fetch: @escaping Fetch, _ send: @escaping Send) {
    (self.fetch, self.send) = (fetch, send)
  }

  /// Answers everything that a tree fetches and sends from now on.
  package static func attach(to tree: Tree, fetch: @escaping Fetch, send: @escaping Send) {
    _ = tree.attachments.object { RequestResponder(fetch, send) }
  }
}
