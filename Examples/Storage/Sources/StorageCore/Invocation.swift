/// The command in the arguments.
enum Invocation: Equatable {
  enum Command: String {
    case inspect, export, verify, repair
  }

  case help
  case command(Command, folder: String)

  static let usage = "usage: arbor-storage inspect|export|verify|repair FOLDER"

  static let overview = """
    \(usage)

      inspect  prints the content of a storage: its parts, its journal, its files, and all findings
      export   prints the parts, and then the actions of the journal, each as a line of JSON
      verify   prints a line for each finding
      repair   rewrites everything that can be read, and keeps damaged files aside

    Only repair writes to the folder. The exit status is 0 if everything is fine; 1 if verify has findings, or if an
    acknowledged change is missing from the export; 2 if the folder cannot be read or repaired.
    """

  /// Reads the arguments.
  init(_ arguments: [String]) throws(InvocationError) {
    if arguments.contains("--help") || arguments == ["-h"] {
      self = .help
      return
    }
    guard let name = arguments.first else { throw .noCommand }
    guard let command = Command(rawValue: name) else { throw .unknownCommand(name) }
    guard arguments.count > 1 else { throw .noFolder(name) }
    // After `--` a name may begin with a dash.
    let rest = arguments[1] == "--" ? arguments.dropFirst(2) : arguments.dropFirst()
    guard let folder = rest.first, !folder.isEmpty else { throw .noFolder(name) }
    guard arguments[1] == "--" || !folder.hasPrefix("-") else { throw .unknownOption(folder) }
    guard rest.count == 1 else { throw .tooMany(name) }
    self = .command(command, folder: folder)
  }
}

/// The reason why arguments are invalid.
enum InvocationError: Error, Equatable, CustomStringConvertible {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String)
  case noFolder(String)
  case tooMany(String)

  var description: String {
    switch self {
    case .noCommand: "a command is missing"
    case .unknownCommand(let name): "unknown command \"\(name)\""
    case .unknownOption(let name): "unknown option \"\(name)\""
    case .noFolder(let command): "\(command) needs a folder"
    case .tooMany(let command): "\(command) takes only one folder"
    }
  }
}
