internal import Synchronization

/// Ends a stream when it is released: with the observer that feeds it.
final class StreamEnd<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation
  private let over = Atomic(false)

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  /// Whether nobody takes elements any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// - Returns: Whether anybody may take the element.
  func yield(_ element: Element) -> Bool {
    if case .terminated = continuation.yield(element) { return false }
    return true
  }

  func finish() {
    over.store(true, ordering: .releasing)
  }

  deinit {
    continuation.finish()
  }
}
