internal import Foundation

extension LogRecord {
  /// The record as JSON in exactly one line, however lines are told apart.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in a record can fail to be encoded: it has texts and whole numbers only.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return LineText.replacingBreaks(in: String(decoding: json, as: UTF8.self)) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
