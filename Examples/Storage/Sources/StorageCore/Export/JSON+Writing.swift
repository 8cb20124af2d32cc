/// Writing the tokens of JSON.
extension [UInt8] {
  /// Appends characters without changes.
  mutating func append(raw text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a number.
  mutating func append(json number: Int) {
    append(contentsOf: "\(number)".utf8)
  }

  /// Appends a text in quotes.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        append(UInt8(ascii: "\\"))
        append(UInt8(ascii: scalar))
      } else if scalar.isControl {
        append(escapeOf: scalar)
      } else {
        append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the escape of a 16-bit character, which includes all control characters.
  mutating func append(escapeOf scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
  }
}
