import ArgumentParser

/// The arguments with which the program was started.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "A library of books, authors and loans.",
    discussion: """
      The catalogue is JSON lines, one book a line:

        {"id": 1, "title": "Walden", "author": "Henry David Thoreau", "year": 1854}

      The year may be missing; other keys are passed over. A row that is no book, is longer than \(CatalogueLine.longest) bytes, or \
      has the id of one before it, is reported with its line and skipped.

      Commands are read from standard input, one a line:

      \(Command.overview)
      """
  )

  @Argument(help: "The file with the catalogue; - for standard input.")
  var catalogue: String

  @Flag(help: "Load nothing if there is a bad row.")
  var strict = false

  @Option(help: "The date that it is taken to be, such as 2026-03-01.")
  var today: Day?

  @Option(help: "The folder in which the loans are kept; without one they are forgotten at the end.")
  var storage: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Commands, instead of those on standard input; each is one argument.", valueName: "command")
  )
  var commands: [String] = []
}

extension Day: ExpressibleByArgument {
  init?(argument: String) {
    self.init(argument)
  }
}
