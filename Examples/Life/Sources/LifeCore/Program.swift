internal import ArgumentParser
internal import Foundation

/// The whole program.
package enum Program {
  /// The time between frames: 60 per second.
  private static let frame = Duration.nanoseconds(16_666_667)

  /// Runs the program with its arguments, and returns its exit status.
  package static func run(arguments: [String]) -> Int32 {
    do {
      let options = try Options.parse(arguments)
      let game = Game(seed: options.seed)
      game.perform(.sow)
      if options.measure {
        for line in Measurement.lines(seed: options.seed) { print(line) }
      } else if let script = options.play {
        try Script.play(script, in: game)
        for line in Screen.lines(of: game.moment, in: options.size) { print(line) }
      } else {
        guard Terminal.isThere else {
          complain("life: standard input and output must be a terminal; without one, use --play (see life --help)")
          return 1
        }
        play(game)
      }
      return 0
    } catch let error as ScriptError {
      complain("life: \(error)")
      return 1
    } catch {
      let message = Options.fullMessage(for: error)
      let status = Options.exitCode(for: error)
      if status == .success { print(message) } else { complain(message) }
      return status.rawValue
    }
  }

  /// Plays a game in the terminal until the person ends it.
  private static func play(_ game: Game) {
    let terminal = Terminal()
    defer { terminal.leave() }
    let clock = ContinuousClock()
    var times = FrameTimes()
    var next = clock.now
    while terminal.isOpen, !Terminal.isInterrupted {
      let begin = clock.now
      for command in Key.commands(in: terminal.readBytes()) {
        if command == .quit { return }
        game.perform(command)
      }
      game.advance()
      terminal.show(Screen.lines(of: game.moment, in: terminal.size, speed: times.text))
      times.note(begin: begin, work: clock.now - begin)
      // Only time begins a frame; a late frame is not made up for.
      next = max(next + frame, clock.now)
      Thread.sleep(forTimeInterval: (next - clock.now) / .seconds(1))
    }
  }

  private static func complain(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  }
}
