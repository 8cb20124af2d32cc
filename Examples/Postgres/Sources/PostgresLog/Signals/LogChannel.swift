package import ArborSync
package import Foundation

/// The channel of database notifications that carries the hints of a log.
package struct LogChannel: Hashable, Sendable {
  let log: UUID

  package init(log: UUID) {
    self.log = log
  }

  /// The name, which needs no quoting because it only has letters, digits and an underscore.
  package var name: String {
    let digits = withUnsafeBytes(of: log.uuid) { bytes in
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    }
    return "arbor_" + digits.joined()
  }

  /// Returns the text for a signal, which has fewer than the 8000 bytes allowed in a notification.
  package static func payload(of signal: LogSignal) -> String {
    switch signal {
    case .appended: "a"
    case .message(let message): "m" + message.base64EncodedString()
    }
  }

  /// Reads a text; nil if it isn't a signal, because any role of a database may notify any channel.
  package static func signal(of payload: String) -> LogSignal? {
    if payload == "a" { return .appended }
    guard payload.first == "m", let message = Data(base64Encoded: String(payload.dropFirst())) else { return nil }
    return .message(message)
  }
}
