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

  /// One sentence that says what was refused, and why.
  var sentence: String {
    switch self {
    case .otherHost: "The inspector answers by the name 127.0.0.1 alone."
    case .notFound: "There is nothing at this address. The program prints the address that it has now."
    case .otherMethod(let allowed): "This address answers \(allowed) alone."
    case .otherOrigin: "Only the inspector's own page may ask for this."
    case .otherType: "A command is sent as application/json."
    case .unknownSize: "A command says how long it is."
    case .tooLarge: "A command has at most \(AccessRules.bodyLimit) bytes."
    case .tooManyBrowsers: "As many browsers as can be look at the program already."
    }
  }
}
