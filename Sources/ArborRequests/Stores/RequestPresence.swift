internal import Arbor

extension Store<Requests, RequestAction> {
  /// Calls a body that waits for the cache. If the part of the state with the cache goes away, or another one with
  /// another id takes its place, the body is canceled.
  ///
  /// - Throws: The error of the body; `RequestFailure` if the part is gone.
  func whilePresent<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard !presences.isEmpty else { return try await body() }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask(operation: body)
      group.addTask {
        for await _ in steps {}
        // After a cancellation, the body decides: its answer may have come just before.
        guard Task.isCancelled else { throw RequestFailure.noOwner }
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
      }
      throw CancellationError()
    }
  }

  /// The steps while the part of the state with the cache is there.
  private var steps: AsyncStream<Void> {
    let (steps, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    append { [presences] cache in
      guard cache != nil else { return continuation.finish() }
      for source in presences {
        // Only used on the tree's queue.
        nonisolated(unsafe) let id = source.read()
        source.connect { current in
          guard current == id else {
            continuation.finish()
            return .dead
          }
          if case .terminated = continuation.yield() { return .dead }
          return .active
        }
      }
    }
    return steps
  }
}

extension RequestFailure {
  static let noOwner = RequestFailure(.canceled, "the owner of the store, or the part of the state, is gone")
}
