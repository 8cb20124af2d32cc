import BoardCore
import Foundation

/// The standard streams, written without a buffer.
enum StandardStreams {
  static func output(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  static func error(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Prints a sentence with untrusted input to standard error.
  static func complain(_ sentence: String) {
    error("\(TerminalText(sentence, atMost: 1000).text)\n")
  }

  /// Writes a whole text. Returns `false` if there is no reader any more.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
