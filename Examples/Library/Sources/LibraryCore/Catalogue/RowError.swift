import Foundation

/// The reason why a line of the catalog is not a book.
enum RowError: Error, Equatable, CustomStringConvertible {
  case tooLong
  case notText
  case notJSON
  case notAnObject
  case missing(String)
  case wrongType(String)
  case blank(String)
  case notWhole
  case year(Int)

  /// Makes the reason from a decoder's error about a line.
  init(_ error: any Error, in line: Data) {
    switch error {
    case DecodingError.keyNotFound(let key, _): self = .missing(key.stringValue)
    case DecodingError.valueNotFound(_, let context):
      self = context.codingPath.last.map { .missing($0.stringValue) } ?? .notAnObject
    case DecodingError.typeMismatch(_, let context):
      self = context.codingPath.last.map { .wrongType($0.stringValue) } ?? .notAnObject
    // The decoder reports the same error for a number that does not fit and for invalid JSON.
    case _ where (try? JSONSerialization.jsonObject(with: line)) != nil: self = .notWhole
    default: self = .notJSON
    }
  }

  var description: String {
    switch self {
    case .tooLong: "the line is longer than \(CatalogueLine.longest) bytes"
    case .notText: "the line is not UTF-8 text"
    case .notJSON: "the line is not JSON"
    case .notAnObject: "the line is not a JSON object"
    case .missing(let key): "\"\(key)\" is missing"
    case .wrongType(let key): "\"\(key)\" has the wrong type"
    case .blank(let key): "\"\(key)\" is empty"
    case .notWhole: "\"id\" or \"year\" is not a whole number, or is too large"
    case .year(let year): "the year \(year) is not between 1 and 9999"
    }
  }
}
