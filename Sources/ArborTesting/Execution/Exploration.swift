internal import Arbor

/// Runs the body of a test again and again, each time with another schedule.
struct Exploration {
  /// The greatest number of runs of the body to find a shorter schedule.
  private static let shortenings = 500

  private static let unused =
    "the body has not used its executor: give it to the test store or the factory, `executor: executor`"

  /// The time, in real time, for which a shorter schedule is searched.
  private let patience: Duration
  private let body: (ManualExecutor) async throws -> Void

  init(patience: Duration, _ body: @escaping (ManualExecutor) async throws -> Void) {
    self.patience = patience
    self.body = body
  }

  /// Runs the body.
  ///
  /// - Returns: The failure, and the choices of the schedule; nil if the body has not failed.
  func failure(
    on executor: ManualExecutor,
    isolation: isolated (any Actor)? = #isolation
  ) async -> (failure: String, choices: [Int])? {
    let (error, failures) = await TestRunner.catching { () async -> (any Error)? in
      defer { executor.run() }
      do {
        try await body(executor)
        return nil
      } catch {
        return error
      }
    }
    let found = failures.first { $0.failure.severity == .failure }
    let failure =
      error.map { Confidentiality.description(of: $0) }
      ?? found.map { "\($0.place.fileID):\($0.place.line): \($0.failure.text)" }
    guard let failure = failure ?? (executor.schedule.arrivals == 0 ? Exploration.unused : nil) else { return nil }
    return (failure, executor.choices)
  }

  /// `true` if a schedule fails again.
  func isRepeatable(_ choices: [Int], isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await failure(on: ManualExecutor(choices: choices)) != nil
  }

  /// Finds a schedule with fewer choices, and fewer that are not the first one, under which the body fails still.
  func shorten(_ choices: [Int], isolation: isolated (any Actor)? = #isolation) async -> [Int] {
    var shortest = Exploration.trimmed(choices)
    let end = ContinuousClock.now + patience
    var runsLeft = Exploration.shortenings
    var length = max(shortest.count, 1)
    while length > 0, runsLeft > 0 {
      var start = 0
      while start < shortest.count, runsLeft > 0, ContinuousClock.now < end {
        let range = start..<min(start + length, shortest.count)
        if let shorter = await firstFailing(Exploration.shorter(shortest, without: range), &runsLeft) {
          shortest = shorter
        } else {
          start += length
        }
      }
      length /= 2
    }
    return shortest
  }

  private func firstFailing(
    _ candidates: [[Int]],
    _ runsLeft: inout Int,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [Int]? {
    for candidate in candidates where runsLeft > 0 {
      runsLeft -= 1
      if await failure(on: ManualExecutor(choices: candidate)) != nil { return candidate }
    }
    return nil
  }

  /// The choices without some of them, and with the first choice in their place.
  private static func shorter(_ choices: [Int], without range: Range<Int>) -> [[Int]] {
    var removed = choices
    removed.removeSubrange(range)
    var candidates = [trimmed(removed)]
    if choices[range].contains(where: { $0 != 0 }) {
      var zeroed = choices
      zeroed.replaceSubrange(range, with: repeatElement(0, count: range.count))
      candidates.append(trimmed(zeroed))
    }
    return candidates
  }

  /// Without the choices at the end that are made anyway.
  private static func trimmed(_ choices: [Int]) -> [Int] {
    Array(choices.prefix((choices.lastIndex { $0 != 0 } ?? -1) + 1))
  }
}
