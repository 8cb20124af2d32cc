/// The times of frames and of time travel, measured on this machine.
enum Measurement {
  /// Measures, and returns lines to print. Takes some seconds.
  static func lines(seed: UInt64) -> [String] {
    let game = Game(seed: seed)
    game.perform(.sow)
    let size = Size(columns: 224, rows: 60)
    let frames = times(of: 6_000) {
      game.advance()
      _ = Screen.lines(of: game.moment, in: size)
    }
    game.perform(.insert(.gliderGun))
    for _ in 0..<6_000 { game.advance() }
    let without = times(of: 1) { game.perform(.leaveOut) }
    game.perform(.rewind)
    let back = times(of: 6_000) {
      game.advance()
      _ = Screen.lines(of: game.moment, in: size)
    }
    return [
      "a frame forward, with its generation, its record and its screen: \(text(frames))",
      "a frame backward: \(text(back))",
      "the present without a pattern from 6,000 generations ago: \(text(without))",
    ]
  }

  private static func times(of count: Int, _ body: () -> Void) -> [Duration] {
    let clock = ContinuousClock()
    return (0..<count).map { _ in clock.measure(body) }.sorted()
  }

  private static func text(_ times: [Duration]) -> String {
    func text(_ time: Duration) -> String { "\(Double(Int(time / .microseconds(10))) / 100) ms" }
    let median = text(times[times.count / 2])
    return times.count == 1 ? median : "\(median), p99 \(text(times[times.count * 99 / 100]))"
  }
}
