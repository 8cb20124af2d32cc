import ArgumentParser

/// The arguments of the program.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "A library of books, authors and loans.",
    discussion: """
      The catalog has one book per line, as JSON:

        {"id": 1, "title": "Walden", "author": "Henry David Thoreau", "year": 1854}

      The year may be missing; other keys are ignored. A row is reported with its line number and skipped if it is not a \
      book, is longer than \(CatalogueLine.longest) bytes, or repeats an id.

      Commands are read from standard input, one per line:

      \(Command.overview)
      """
  )

  @Argument(help: ArgumentHelp("The file with the catalog; - for standard input.", valueName: "catalog"))
  var catalogue: String

  @Flag(help: "Load nothing if a row is invalid.")
  var strict = false

  @Option(help: "The date to use as today, such as 2026-03-01.")
  var today: Day?

  @Option(help: "The folder that stores the loans. Without it, they are lost when the program ends.")
  var storage: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Commands to run instead of reading standard input, each as one argument.", valueName: "command")
  )
  var commands: [String] = []
}

extension Day: ExpressibleByArgument {
  init?(argument: String) {
    self.init(argument)
  }
}
