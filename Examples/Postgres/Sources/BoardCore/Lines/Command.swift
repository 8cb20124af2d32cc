/// A command in a line of the input.
package enum Command: Equatable, Sendable {
  /// The direction or the column in which a card is moved.
  package enum Target: Equatable, Sendable {
    case column(Column)
    case up, down
  }

  case add(String)
  case list
  case move(Int, Target)
  case edit(Int, text: String)

  /// Assigns a card to a person; to no one if the name is nil.
  case assign(Int, to: String?)
  case remove(Int)

  /// Waits until nothing is pending, and the log was read up to a position.
  case wait(position: Int)
  case status
  case help
  case quit

  /// The output of the `help` command.
  package static let overview = """
    add TEXT           adds a card to the todo column
    list               prints the cards, each with its number
    move N COLUMN      moves card N to the end of a column: todo, doing or done
    move N up|down     moves card N within its column
    edit N TEXT        replaces the text of card N
    assign N [NAME]    assigns card N to a person; without a name, to no one
    remove N           removes card N
    wait [POSITION]    waits until all changes are confirmed, and the log has been read up to the position
    status             prints the connection to the log, the number of waiting changes, and the position
    help               prints this list
    quit               ends the program
    """

  /// Reads a line; nil if it is blank.
  package init?(_ line: String) throws(CommandError) {
    var words = Words(line)
    guard let name = words.next() else { return nil }
    switch name {
    case "add": self = .add(try words.rest(of: name))
    case "list": self = .list
    case "move": self = .move(try words.number(for: name), try words.target(for: name))
    case "edit": self = .edit(try words.number(for: name), text: try words.rest(of: name))
    case "assign": self = .assign(try words.number(for: name), to: words.takeRest())
    case "remove": self = .remove(try words.number(for: name))
    case "wait": self = .wait(position: words.isEmpty ? 0 : try words.number(for: name))
    case "status": self = .status
    case "help": self = .help
    case "quit": self = .quit
    default: throw .unknown(name)
    }
    if let word = words.takeRest() { throw .unexpected(word, command: name) }
  }
}

/// The words of a line, taken one after the other.
private struct Words {
  private var text: Substring

  init(_ line: String) {
    text = line[...]
    skipSpaces()
  }

  var isEmpty: Bool { text.isEmpty }

  private mutating func skipSpaces() {
    text = text.drop(while: \.isWhitespace)
  }

  mutating func next() -> String? {
    let word = text.prefix { !$0.isWhitespace }
    text = text[word.endIndex...]
    skipSpaces()
    return word.isEmpty ? nil : String(word)
  }

  /// Takes everything that is left; nil if nothing is left.
  mutating func takeRest() -> String? {
    let rest = TextField(String(text)).trimmed
    text = ""
    return rest.isEmpty ? nil : rest
  }

  mutating func rest(of command: String) throws(CommandError) -> String {
    guard let rest = takeRest() else { throw .missing("text", command: command) }
    return rest
  }

  mutating func number(for command: String) throws(CommandError) -> Int {
    guard let word = next() else { throw .missing("a number", command: command) }
    guard let number = Int(word), number >= 0 else { throw .notANumber(word) }
    return number
  }

  mutating func target(for command: String) throws(CommandError) -> Command.Target {
    switch next() {
    case nil: throw .missing("a column", command: command)
    case "up": return .up
    case "down": return .down
    case let word?:
      guard let column = Column(rawValue: word) else { throw .notATarget(word) }
      return .column(column)
    }
  }
}
