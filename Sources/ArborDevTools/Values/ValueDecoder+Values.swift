internal import Foundation

extension ValueDecoder {
  /// Decodes any value: those that the encoder treats in a way of their own, and all others by what they decode themselves.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Data.self { return try data() as! Value }
    if type == URL.self { return try address() as! Value }
    if type == Decimal.self { return try decimal() as! Value }
    return try FreshStack.run(atLevel: place?.depth ?? 0) { try type.init(from: self) }
  }

  private func data() throws -> Data {
    guard case .string(let text) = value else { throw mismatch(Data.self) }
    guard let data = Data(base64Encoded: text) else { throw damage("The text is not base64.") }
    return data
  }

  private func address() throws -> URL {
    guard case .string(let text) = value else { throw mismatch(URL.self) }
    guard let address = URL(string: text) else { throw damage("The text is not a URL.") }
    return address
  }

  private func decimal() throws -> Decimal {
    let text: String
    switch value {
    case .string(let digits): text = digits
    case .integer(let number): text = "\(number)"
    case .unsigned(let number): text = "\(number)"
    case .double(let number): text = "\(number)"
    default:
      guard let (mark, digits) = value.markedText, mark == "number" else { throw mismatch(Decimal.self) }
      text = digits
    }
    if text == "NaN" { return .nan }
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      throw damage("The text is not a decimal number.")
    }
    return decimal
  }

  func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch(Bool.self) }
    return value
  }

  func string() throws -> String {
    guard case .string(let value) = value else { throw mismatch(String.self) }
    return value
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let integer: Integer?
    switch value {
    case .integer(let value): integer = Integer(exactly: value)
    case .unsigned(let value): integer = Integer(exactly: value)
    case .double(let value): integer = Integer(exactly: value)
    default:
      guard let (mark, text) = value.markedText, mark == "number" else { throw mismatch(type) }
      integer = Integer(text)
    }
    guard let integer else { throw damage("The number does not fit \(type).") }
    return integer
  }

  func double() throws -> Double {
    switch value {
    case .integer(let value): return Double(value)
    case .unsigned(let value): return Double(value)
    case .double(let value): return value
    default:
      guard let (mark, text) = value.markedText, mark == "number" else { throw mismatch(Double.self) }
      guard let number = Double(text) else { throw damage("The text is not a number.") }
      return number
    }
  }

  func float() throws -> Float {
    let double = try double()
    let float = Float(double)
    guard float.isFinite || !double.isFinite else { throw damage("The number does not fit Float.") }
    return float
  }
}
