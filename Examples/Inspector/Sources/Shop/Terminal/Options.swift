/// The arguments of the program.
struct Options: Equatable {
  static let usage = """
    usage: inspector [--port PORT] [--still]
      --port PORT  the port on 127.0.0.1 (default: any free port)
      --still      runs the shop without its simulated customer: only the browser dispatches actions
      --help       prints this text

    Prints the address of the page for the browser, and then a line whenever the shop changes. Runs until it is
    interrupted.
    """

  var port: UInt16 = 0
  var isStill = false
  var wantsHelp = false

  /// Reads the arguments.
  init(_ arguments: [String]) throws(OptionsError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--still": isStill = true
      case "--help", "-h": wantsHelp = true
      case "--port":
        guard let text = rest.popFirst() else { throw OptionsError(sentence: "--port needs a port number") }
        guard let port = UInt16(text) else {
          throw OptionsError(sentence: "\(text.debugDescription) is not a port: use a number from 0 to 65535")
        }
        self.port = port
      default: throw OptionsError(sentence: "unknown option \(argument.debugDescription)")
      }
    }
  }
}

/// The reason why arguments are invalid.
struct OptionsError: Error, Equatable {
  let sentence: String
}
