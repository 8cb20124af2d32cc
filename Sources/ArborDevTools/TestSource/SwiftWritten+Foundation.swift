internal import Foundation

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
