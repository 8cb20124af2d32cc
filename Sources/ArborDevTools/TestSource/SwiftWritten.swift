internal import Foundation

/// A value of the language's own libraries that can be written.
protocol SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText
}

extension SwiftWritten {
  /// Returns a literal, with its type if the context doesn't determine it and the default would be another type.
  func literal(_ text: String, isDefault: Bool, at place: LiteralPlace) -> SourceText {
    .plain(place.isTypeKnown || isDefault ? text : "\(text) as \(SwiftTypeName.of(Self.self) ?? "\(Self.self)")")
  }
}

extension SwiftWritten where Self: BinaryInteger {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    literal(DigitGroups.of(description), isDefault: Self.self == Int.self, at: place)
  }
}

extension Int: SwiftWritten {}
extension Int8: SwiftWritten {}
extension Int16: SwiftWritten {}
extension Int32: SwiftWritten {}
extension Int64: SwiftWritten {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: SwiftWritten {}

extension UInt: SwiftWritten {}
extension UInt8: SwiftWritten {}
extension UInt16: SwiftWritten {}
extension UInt32: SwiftWritten {}
extension UInt64: SwiftWritten {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: SwiftWritten {}

extension SwiftWritten where Self: BinaryFloatingPoint & CustomStringConvertible {
  /// Returns the shortest literal that is read as the same number. Subnormal numbers are written as bits, because the
  /// compiler warns about their literals.
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let type = SwiftTypeName.of(Self.self) ?? "\(Self.self)"
    let prefix = place.isTypeKnown && place.optionals < 2 ? "" : type
    if isNaN { return .plain(bits == Self.nan.bits ? "\(prefix).nan" : "\(type)(bitPattern: \(bits))") }
    if isInfinite { return .plain(sign == .minus ? "-\(type).infinity" : "\(prefix).infinity") }
    if isSubnormal { return .plain("\(type)(bitPattern: \(bits))") }
    return literal(description, isDefault: Self.self == Double.self, at: place)
  }

  /// The bit pattern of the number.
  private var bits: UInt64 {
    let upper = UInt64(sign == .minus ? 1 : 0) << Self.exponentBitCount | UInt64(exponentBitPattern)
    return upper << Self.significandBitCount | UInt64(significandBitPattern)
  }
}

extension Double: SwiftWritten {}
extension Float: SwiftWritten {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: SwiftWritten {}
#endif

extension Bool: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText { .plain("\(self)") }
}

extension String: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText { .string(self) }
}

extension Substring: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    .string(String(self), suffix: place.isTypeKnown ? "" : " as Substring")
  }
}

extension Character: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    literal(StringLiteral.line(String(self)), isDefault: false, at: place)
  }
}

extension Unicode.Scalar: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    literal(StringLiteral.line(String(self)), isDefault: false, at: place)
  }
}

extension Duration: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let (seconds, attoseconds) = components
    let isPlain = place.isTypeKnown && place.optionals < 2
    func text(_ unit: String, _ count: some BinaryInteger) -> SourceText {
      .plain("\(isPlain ? "" : "Duration").\(unit)(\(DigitGroups.of(count.description)))")
    }
    if attoseconds == 0 { return text("seconds", seconds) }
    for (unit, perSecond) in [("milliseconds", 1_000), ("nanoseconds", 1_000_000_000)] as [(String, Int64)] {
      let (parts, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000 / perSecond)
      let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: perSecond)
      let (count, isTooMuch) = whole.addingReportingOverflow(parts)
      if rest == 0, !isTooLong, !isTooMuch { return text(unit, count) }
    }
    let (first, second) = (DigitGroups.of(seconds.description), DigitGroups.of(attoseconds.description))
    return .plain("Duration(secondsComponent: \(first), attosecondsComponent: \(second))")
  }
}

extension Date: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let seconds = try SwiftLiteral.text(of: timeIntervalSinceReferenceDate, at: place.member("interval"))
    return .list(opening: "Date(", [.init(label: "timeIntervalSinceReferenceDate: ", text: seconds)], closing: ")")
  }
}

extension Data: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard !isEmpty else { return .plain("Data()") }
    guard count > 8 else { return .plain("Data([\(map { "\($0)" }.joined(separator: ", "))])") }
    let text = SourceText.string(base64EncodedString())
    return .list(opening: "Data(", [.init(label: "base64Encoded: ", text: text)], closing: ")!")
  }
}

extension URL: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    var items = [SourceText.Item(label: "string: ", text: .string(relativeString))]
    if let baseURL { items.append(.init(label: "relativeTo: ", text: try baseURL.text(at: place.member("baseURL")))) }
    return .list(opening: "URL(", items, closing: ")!")
  }
}

extension UUID: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    .plain("UUID(uuidString: \"\(uuidString)\")!")
  }
}

extension Decimal: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    .plain(isNaN ? "Decimal.nan" : "Decimal(string: \"\(description)\")!")
  }
}

extension CGFloat: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let text = try SwiftLiteral.text(of: Double(self), at: place.with(isTypeKnown: true))
    return place.isTypeKnown ? text : text.followed(by: " as CGFloat")
  }
}

/// Integers whose digits are grouped by three if there are more than six.
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

/// A value that provides its own Swift source.
///
/// ```swift
/// extension Money: SwiftSourceConvertible {
///   var swiftSource: String { "Money(cents: \(cents))" }
/// }
/// ```
///
/// - Use it for values that a mirror can't show: values with private storage, without an accessible memberwise
///   initializer, with a custom mirror or description, or objects.
/// - A test that is made from a recording assigns such a value as a whole, never one of its parts.
public protocol SwiftSourceConvertible {
  /// An expression that makes an equal value, on one line.
  ///
  /// It must compile wherever a value of the type is expected, and it must name the type if nothing else determines it.
  var swiftSource: String { get }
}
