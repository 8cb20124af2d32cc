internal import Arbor

/// A sender of values to all open streams and receivers.
///
/// - A new stream begins with the last values, so that no value is missed.
package final class Broadcast<Value: Equatable & Sendable>: Sendable {
  private struct Content: Sendable {
    var last: [Value] = []
    var streams: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var receivers: [UInt64: @Sendable (Value) -> Void] = [:]
    var count: UInt64 = 0
  }

  private let content = Protected(Content())

  /// The number of last values that are kept.
  private let most: Int
  private let buffering: AsyncStream<Value>.Continuation.BufferingPolicy

  package init(keeping most: Int, buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded) {
    self.most = most
    self.buffering = buffering
  }

  /// `true` if no stream is open.
  package var hasNoStreams: Bool { content.withLock { $0.streams.isEmpty } }

  /// Sends a value to all streams and receivers.
  package func tell(_ value: Value) {
    let (streams, receivers) = content.withLock { content in
      // A repeated value must not push out the others.
      if content.last.last != value { content.last.append(value) }
      if content.last.count > most { content.last.removeFirst() }
      return (Array(content.streams.values), Array(content.receivers.values))
    }
    for stream in streams { stream.yield(value) }
    for receive in receivers { receive(value) }
  }

  /// Makes a stream of the last values and all later ones.
  package func stream() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: buffering)
    let number = content.withLock { content in
      for value in content.last { continuation.yield(value) }
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

  /// Adds a receiver of later values, and returns its number.
  func add(_ receive: @escaping @Sendable (Value) -> Void) -> UInt64 {
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
