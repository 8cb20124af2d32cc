import Foundation

/// A standard stream of the process, written without a buffer.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// `true` if the stream is a terminal.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(Output.Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw errno == EPIPE ? .closed : .system(errno) }
      written += count
    }
  }

  /// Makes a write to a pipe without a reader fail instead of ending the process.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
