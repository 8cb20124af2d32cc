import Foundation

extension Error {
  /// What went wrong, in a few words.
  var reason: String {
    switch self {
    case let error as DecodingError: error.sentence
    case let error as CocoaError: error.sentence
    default: String(describing: self)
    }
  }
}

extension DecodingError {
  fileprivate var sentence: String {
    switch self {
    case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let context) where context.codingPath.isEmpty: "this is not a change of the list"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of the wrong type"
    default: "this is not JSON"
    }
  }
}

extension CocoaError {
  fileprivate var sentence: String {
    if code == .fileReadInapplicableStringEncoding { return "this is not UTF-8 text" }
    guard let error = userInfo[NSUnderlyingErrorKey] as? NSError, error.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return String(cString: strerror(Int32(error.code)))
  }
}
