internal import Foundation

extension StoredContent {
  /// The value as JSON in one line.
  ///
  /// - The infinities, NaN and bytes are strings: `"inf"`, `"nan"`, and the bytes in base 64.
  package var text: String {
    LargeStack.run {
      var text = ""
      write(to: &text)
      return text
    }
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .largeInteger(let digits): text += digits
    case .float(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
    case .double(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
    case .string(let value): StoredContent.write(value, to: &text)
    case .bytes(let data): StoredContent.write(data.base64EncodedString(), to: &text)
    case .decimal(let value): text += "\(value)"
    case .date(let value): text += "\(value.timeIntervalSinceReferenceDate)"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        StoredContent.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Writes a string of JSON.
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
