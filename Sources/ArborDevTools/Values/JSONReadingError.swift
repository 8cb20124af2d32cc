/// JSON that cannot be read.
package struct JSONReadingError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    /// The input ends where something is missing.
    case endsTooEarly

    /// A byte that cannot stand there, and what could.
    case unexpected(UInt8, wanted: String)

    /// A number, an escape or a word that is none.
    case invalid(String)

    /// More than so many objects and arrays inside of each other.
    case deeper(than: Int)

    /// The system does not give the bytes.
    case unreadable(String)
  }

  /// The first byte of what is wrong, counted from 0.
  package let offset: Int
  package let reason: Reason

  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }
}

extension JSONReadingError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .endsTooEarly: "the input ends too early, after \(offset) bytes"
    case .unexpected(let byte, let wanted):
      "at byte \(offset) stands \(JSONReadingError.text(of: byte)) in the place of \(wanted)"
    case .invalid(let text): "at byte \(offset) stands \(text)"
    case .deeper(let depth): "at byte \(offset) are more than \(depth) objects and arrays inside of each other"
    case .unreadable(let text): "behind byte \(offset) nothing can be read: \(text)"
    }
  }

  private static func text(of byte: UInt8) -> String {
    0x21..<0x7F ~= byte ? "\"\(Character(Unicode.Scalar(byte)))\"" : "the byte \(byte)"
  }
}
