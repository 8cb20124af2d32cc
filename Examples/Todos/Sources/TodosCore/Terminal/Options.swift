/// The arguments of the program.
struct Options: Equatable {
  static let usage = """
    usage: todos [--log] [--metrics] [FOLDER]
      FOLDER     the folder that stores the list (default: \(usualFolder))
      --log      logs each event to standard error
      --metrics  prints counts and times to standard error at the end
    """

  static let usualFolder = "todos.storage"

  var folder = Options.usualFolder
  var isLogging = false
  var isMeasuring = false

  /// Reads the arguments; nil if they are invalid.
  init?(_ arguments: [String]) {
    var folders: [String] = []
    for argument in arguments {
      switch argument {
      case "--log": isLogging = true
      case "--metrics": isMeasuring = true
      case _ where argument.hasPrefix("-"): return nil
      default: folders.append(argument)
      }
    }
    guard folders.count < 2 else { return nil }
    if let folder = folders.first { self.folder = folder }
  }
}
