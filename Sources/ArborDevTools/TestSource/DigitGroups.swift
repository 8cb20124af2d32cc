/// Whole numbers whose digits are divided into groups of three where they are many.
enum DigitGroups {
  static func of(_ number: String) -> String {
    let digits = number.drop { $0 == "-" }
    guard digits.count > 6 else { return number }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "_" }
      text.append(digit)
    }
    return number.hasPrefix("-") ? "-" + text : text
  }
}
