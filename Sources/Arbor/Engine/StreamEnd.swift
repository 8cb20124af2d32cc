/// Ends a stream when it is released: with the observer that feeds it.
final class StreamEnd<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  func yield(_ element: Element) {
    continuation.yield(element)
  }

  deinit {
    continuation.finish()
  }
}
