import BoardCore
import Foundation

/// The keys and the signals of the process, received by one thread.
enum TerminalEvents {
  enum Event: Sendable {
    case keys([Key])
    case signal(Int32)

    /// The terminal is gone.
    case end
  }

  /// The time to wait for the rest of a sequence, in milliseconds: long enough for a slow connection, but unnoticeable.
  private static let patience: Int32 = 50

  /// The signals that end the program, and the signals for a new size and for continuing.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT]

  /// Begins to receive events. Call it once per process.
  ///
  /// - Parameter receive: Called on the thread.
  @MainActor
  static func listen(_ receive: @escaping @Sendable (Event) -> Void) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return receive(.end) }
    let output = ends[0]
    // The handler must not block if the pipe is full.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe = ends[1]
    for number in signals { signal(number, writeSignal) }
    Thread.detachNewThread { hear(signals: output, receive) }
  }

  private static func hear(signals: Int32, _ receive: (Event) -> Void) {
    var decoder = KeyDecoder()
    while true {
      var sources = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&sources, 2, decoder.isWaiting ? patience : -1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return receive(.end) }
      if count == 0 { receive(.keys(decoder.flush())) }
      if sources[1].revents != 0 {
        for number in bytes(of: signals) ?? [] { receive(.signal(Int32(number))) }
      }
      guard sources[0].revents != 0 else { continue }
      guard let bytes = bytes(of: STDIN_FILENO) else { return receive(.end) }
      receive(.keys(decoder.keys(of: bytes)))
    }
  }

  /// Reads the available bytes; nil at the end.
  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

/// The end of the pipe to which the handler writes signals. It is set once, before a handler that reads it is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

private func writeSignal(_ number: Int32) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = error
}
