/// The arguments with which the program was started.
struct Options: Equatable {
  static let usage = """
    usage: todos [--log] [--metrics] [FOLDER]
      FOLDER     where the list is kept (without one: \(usualFolder))
      --log      logs what happens to standard error
      --metrics  prints at the end, to standard error, how often what happened and how long it took
    """

  static let usualFolder = "todos.storage"

  var folder = Options.usualFolder
  var isLogging = false
  var isMeasuring = false

  /// Reads the arguments; nil if they are not to be understood.
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
