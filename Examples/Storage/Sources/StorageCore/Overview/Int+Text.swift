extension BinaryInteger {
  /// The number with commas between groups of three digits.
  var grouped: String {
    let digits = "\(magnitude)"
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-\(text)" : text
  }

  /// The number with a noun, which gets an `s` unless the number is one: `1 step`, `1,200 steps`.
  func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
