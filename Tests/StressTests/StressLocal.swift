import Arbor

/// The own state of a lasting child store in the stress test.
struct StressLocal: Sendable {
  private let level: Int
  private(set) var count = 0
  private var twin = 0
  private(set) var work = JobState()
  private let token: StressToken
  private var violation: String?

  init(level: Int, token: StressToken) {
    self.level = level
    self.token = token
    if level.isMultiple(of: 2) { work.run() }
  }

  mutating func reduce(_ slip: Slip) {
    count += 1
    let isReplaced = slip.judge >= level
    switch slip.fate {
    case .drop: violation = "O5 a child store's reducer was given an action that was dropped"
    case .replace where isReplaced:
      violation = "O4 a child store's reducer was given an action that was replaced there or below"
    case .isReplacement where !isReplaced: violation = "O4 a child store's reducer was given what was replaced above it"
    default: break
    }
    switch slip.sequence % 9 {
    case 1: work.run()
    case 4: work.restart()
    case 7: work.succeed()
    default: break
    }
    twin += 1
  }

  /// The flaw of the state, if any.
  var flaw: String? {
    violation ?? (count == twin ? nil : "N1 a child store's own state is torn")
  }
}
