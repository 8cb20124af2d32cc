import BoardCore

/// The mode of the board that reads commands from standard input, if that isn't a terminal.
@MainActor
enum LineMode {
  /// Answers commands until `quit` or the end of the input.
  static func run(_ shared: SharedBoard) async {
    var session = LineSession(shared)
    while let line = readLine() {
      do {
        guard let command = try Command(line) else { continue }
        if command == .quit { break }
        for line in try await session.answer(command) { StandardStreams.output("\(line)\n") }
      } catch {
        StandardStreams.complain("error: \(error)")
      }
    }
  }
}
