internal import Arbor

/// The streams of signals of those who listen to a log.
final class SignalStreams: Sendable {
  /// The number of signals that wait for a listener who is slower: the oldest are dropped, as hints may be.
  private static let buffer = 256

  private struct Content: Sendable {
    var streams: [UInt64: AsyncStream<LogSignal>.Continuation] = [:]
    var count: UInt64 = 0
  }

  private let content = Protected(Content())

  /// `true` if nobody listens.
  var isEmpty: Bool { content.withLock { $0.streams.isEmpty } }

  /// A new stream of all signals that follow; it ends with this object.
  func stream() -> AsyncStream<LogSignal> {
    let (stream, continuation) = AsyncStream<LogSignal>.makeStream(bufferingPolicy: .bufferingNewest(Self.buffer))
    let number = content.withLock { content in
      content.count += 1
      content.streams[content.count] = continuation
      return content.count
    }
    continuation.onTermination = { [weak self] _ in
      let stream = self?.content.withLock { $0.streams.removeValue(forKey: number) }
      withExtendedLifetime(stream) {}
    }
    return stream
  }

  func tell(_ signal: LogSignal) {
    for stream in content.withLock({ $0.streams }).values { stream.yield(signal) }
  }

  deinit {
    for stream in content.withLock({ $0.streams }).values { stream.finish() }
  }
}
