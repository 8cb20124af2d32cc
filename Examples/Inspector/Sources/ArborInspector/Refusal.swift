/// The reason why a request is refused.
enum Refusal: Error, Equatable {
  case otherHost
  case notFound
  case otherMethod(allowed: String)
  case otherOrigin
  case otherType
  case unknownSize
  case tooLarge
  case tooManyBrowsers

  var status: (code: Int, phrase: String) {
    switch self {
    case .otherHost, .otherOrigin: (403, "Forbidden")
    case .notFound: (404, "Not Found")
    case .otherMethod: (405, "Method Not Allowed")
    case .otherType: (415, "Unsupported Media Type")
    case .unknownSize: (411, "Length Required")
    case .tooLarge: (413, "Content Too Large")
    case .tooManyBrowsers: (503, "Service Unavailable")
    }
  }

  /// A sentence that says what was refused, and why.
  var sentence: String {
    switch self {
    case .otherHost: "The inspector answers only under the name 127.0.0.1."
    case .notFound: "There is nothing at this address. The program prints its current address."
    case .otherMethod(let allowed): "This address answers only \(allowed)."
    case .otherOrigin: "Only the inspector's own page may request this."
    case .otherType: "Send commands as application/json."
    case .unknownSize: "A command must state its length."
    case .tooLarge: "A command can have at most \(AccessRules.bodyLimit) bytes."
    case .tooManyBrowsers: "The maximum number of browsers is already connected."
    }
  }
}
