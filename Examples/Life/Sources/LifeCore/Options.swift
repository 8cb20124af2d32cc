internal import ArgumentParser

/// The arguments of the program.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "life",
    abstract: "A game of life with 100,352 cells, in whose last ten minutes one goes back and forth."
  )

  @Option(help: "The number from which the first world is made by chance.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Plays without a terminal, and prints the last screen: numbers of frames, and keys between them, such as '60 2 60 x'.",
      discussion: "A number of one digit is a key. LEFT, RIGHT and ENTER are the keys of these names.",
      valueName: "frames and keys"
    )
  )
  var play: String?

  @Option(help: "The size of what is printed by --play, as columns and rows.")
  var size = Size(columns: 100, rows: 30)

  @Flag(help: "Measures what a frame costs, and what the way back does, and prints it.")
  var measure = false
}

extension Size: ExpressibleByArgument {
  init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1] else { return nil }
    guard 1...1000 ~= columns, 1...1000 ~= rows else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
