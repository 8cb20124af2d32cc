internal import Arbor

/// The problems of a storage, and those who want to know of them.
///
/// - The last problems are kept for those who ask later: none is told to nobody.
final class ProblemStreams: Sendable {
  /// The number of problems that are kept.
  private static let most = 100

  private struct Content: Sendable {
    var last: [StorageError] = []
    var streams: [UInt64: AsyncStream<StorageError>.Continuation] = [:]
    var receivers: [UInt64: @Sendable (StorageError) -> Void] = [:]
    var count: UInt64 = 0
  }

  private let content = Protected(Content())

  /// Tells a problem to all who want to know.
  func tell(_ problem: StorageError) {
    let (streams, receivers) = content.withLock { content in
      // One that is told again and again does not take the place of the others.
      if content.last.last != problem { content.last.append(problem) }
      if content.last.count > Self.most { content.last.removeFirst() }
      return (Array(content.streams.values), Array(content.receivers.values))
    }
    for stream in streams { stream.yield(problem) }
    for receive in receivers { receive(problem) }
  }

  /// A new sequence of the last problems, and of all that follow.
  func stream() -> AsyncStream<StorageError> {
    let (stream, continuation) = AsyncStream<StorageError>.makeStream()
    let number = content.withLock { content in
      for problem in content.last { continuation.yield(problem) }
      content.count += 1
      content.streams[content.count] = continuation
      return content.count
    }
    continuation.onTermination = { [weak self] _ in self?.content.withLock { $0.streams[number] = nil } }
    return stream
  }

  /// Adds a receiver of the problems that follow. Returns its number.
  func add(_ receive: @escaping @Sendable (StorageError) -> Void) -> UInt64 {
    content.withLock { content in
      content.count += 1
      content.receivers[content.count] = receive
      return content.count
    }
  }

  /// Removes a receiver.
  func remove(_ number: UInt64) {
    let receiver = content.withLock { $0.receivers.removeValue(forKey: number) }
    withExtendedLifetime(receiver) {}
  }

  deinit {
    for stream in content.withLock({ $0.streams }).values { stream.finish() }
  }
}
