/// A key, or the command for it.
package enum Key {
  /// The commands of the bytes that a terminal has sent. Keys without a command are ignored.
  package static func commands(in bytes: some Sequence<UInt8>) -> [Command] {
    var rest = Substring(decoding: Array(bytes), as: UTF8.self)
    var commands: [Command] = []
    while let first = rest.first {
      if let (sequence, command) = sequences.first(where: { rest.hasPrefix($0.key) }) {
        commands.append(command)
        rest.removeFirst(sequence.count)
      } else {
        if let command = command(of: first) { commands.append(command) }
        rest.removeFirst()
      }
    }
    return commands
  }

  private static let sequences: [String: Command] = [
    "\u{1B}[D": .step(-1), "\u{1B}[C": .step(1), "\u{1B}OD": .step(-1), "\u{1B}OC": .step(1),
  ]

  private static func command(of character: Character) -> Command? {
    switch character {
    case " ": .pause
    case ",": .step(-60)
    case ".": .step(60)
    case "r": .rewind
    case "x": .leaveOut
    case "\r", "\n": .continueFromHere
    case "p": .present
    case "n": .sow
    case "w": .move(Cell(0, -4))
    case "a": .move(Cell(-4, 0))
    case "s": .move(Cell(0, 4))
    case "d": .move(Cell(4, 0))
    case "q", "\u{03}": .quit
    default: character.wholeNumberValue.flatMap { Pattern(rawValue: $0 - 1) }.map(Command.insert)
    }
  }
}
