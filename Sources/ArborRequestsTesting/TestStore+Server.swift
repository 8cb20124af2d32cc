internal import Arbor
internal import ArborRequests
public import ArborTesting

extension TestStore {
  /// The server of the test store's tree, which answers all its requests and changes from the first use on.
  ///
  /// - Test stores of one tree share it.
  public var server: TestServer { TestServerReference.of(tree).server }
}

/// The server of a tree.
private final class TestServerReference: Attachment {
  let server: TestServer

  private init(_ server: TestServer) {
    self.server = server
  }

  static func of(_ tree: TestTree) -> TestServerReference {
    tree.engine.attachments.object {
      let server = TestServer { [weak tree] in tree?.note($0) }
      RequestResponder.attach(to: tree.engine) { id, cursor, send in
        try await server.call(id, cursor, send)
      } send: { id in
        try await server.call(id) as any Sendable
      }
      return TestServerReference(server)
    }
    .takeUnretainedValue()
  }
}
