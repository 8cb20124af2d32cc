import ArgumentParser

/// The arguments of the program.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "A library of books, authors and loans.",
    discussion: """
      The catalogue is JSON lines, with one book per line:

        {"id": 1, "title": "Walden", "author": "Henry David Thoreau", "year": 1854}

      The year may be missing; other keys are ignored. A row is reported with its line and skipped if it is not a book, is longer \
      than \(CatalogueLine.longest) bytes, or repeats an id.

      Commands are read from standard input, one per line:

      \(Command.overview)
      """
  )

  @Argument(help: "The file with the catalogue; - for standard input.")
  var catalogue: String

  @Flag(help: "Load nothing if a row is invalid.")
  var strict = false

  @Option(help: "The date to use as today, such as 2026-03-01.")
  var today: Day?

  @Option(help: "The folder that keeps the loans; without one, they are lost at the end.")
  var storage: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Commands to run instead of standard input; each is one argument.", valueName: "command")
  )
  var commands: [String] = []
}

extension Day: ExpressibleByArgument {
  init?(argument: String) {
    self.init(argument)
  }
}
