import Foundation

extension Error {
  /// The reason of the error, in a few words.
  var reason: String {
    guard let error = self as? CocoaError else { return String(describing: self) }
    if error.code == .fileReadInapplicableStringEncoding { return "the file is not UTF-8 text" }
    guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain else {
      return error.localizedDescription
    }
    return String(cString: strerror(Int32(cause.code)))
  }
}
