import Foundation

/// A command in a line of the input.
enum Command: Equatable {
  case add(String)
  case done(Int)
  case undone(Int)
  case remove(Int)
  case list(Filter)
  case stats
  case edit(Int)
  case text(String)
  case save
  case cancel
  case `import`(String)
  case cancelImport
  case undo
  case redo
  case help
  case quit

  /// The output of the `help` command.
  static let overview = """
    add TEXT                 adds an item
    done ID, undone ID       marks an item as done or not done
    remove ID                removes an item
    list [all|active|done]   shows the items
    stats                    counts the items
    edit ID                  edits an item: enter text TEXT, then save or cancel
    import PATH              adds each line of a text file
    cancel-import            stops the import
    undo                     undoes the last change
    redo                     redoes the last undone change
    help                     shows this list
    quit                     ends the program
    """

  /// Reads a line; nil if it is blank.
  init?(_ line: String) throws(CommandError) {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = words.first.map(String.init) else { return nil }
    let argument = words.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""

    func required(_ what: String) throws(CommandError) -> String {
      guard !argument.isEmpty else { throw .missing(what, command: name) }
      return argument
    }
    func id() throws(CommandError) -> Int {
      guard let id = Int(try required("an ID")) else { throw .notAnID(argument) }
      return id
    }
    func alone(_ command: Command) throws(CommandError) -> Command {
      guard argument.isEmpty else { throw .unexpected(argument, command: name) }
      return command
    }

    switch name {
    case "add": self = .add(try required("text"))
    case "done": self = .done(try id())
    case "undone": self = .undone(try id())
    case "remove": self = .remove(try id())
    case "list":
      guard let filter = argument.isEmpty ? .all : Filter(rawValue: argument) else { throw .notAFilter(argument) }
      self = .list(filter)
    case "stats": self = try alone(.stats)
    case "edit": self = .edit(try id())
    case "text": self = .text(try required("text"))
    case "save": self = try alone(.save)
    case "cancel": self = try alone(.cancel)
    case "import": self = .import(try required("a path"))
    case "cancel-import": self = try alone(.cancelImport)
    case "undo": self = try alone(.undo)
    case "redo": self = try alone(.redo)
    case "help": self = try alone(.help)
    case "quit": self = try alone(.quit)
    default: throw .unknown(name)
    }
  }
}
