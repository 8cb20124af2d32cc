internal import ArgumentParser

/// The arguments of the program.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "life",
    abstract: "The Game of Life, with 100,352 cells. Go back and forth through its last ten minutes."
  )

  @Option(help: "The seed of the first random world.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Plays without a terminal, and prints the last screen. Give numbers of frames, and keys between them: '60 2 60 x'.",
      discussion: "A single digit is a key. LEFT, RIGHT, ENTER and SPACE are the keys with these names.",
      valueName: "frames and keys"
    )
  )
  var play: String?

  @Option(help: "The size of the screen that --play prints, in columns and rows.")
  var size = Size(columns: 100, rows: 30)

  @Flag(help: "Measures and prints the cost of a frame, forward and backward.")
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
