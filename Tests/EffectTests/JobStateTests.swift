import Arbor
import Foundation
import Testing

@Suite("Status of a job")
struct JobStateTests {
  /// The calls of a reducer that change a job.
  enum Call: CaseIterable {
    case run
    case restart
    case retryOrFail
    case succeed
    case fail
    case cancel
    case reset

    func apply(to state: inout JobState) {
      switch self {
      case .run: state.run(maxAttempts: 9, backoff: .constant(.seconds(9)))
      case .restart: state.restart()
      case .retryOrFail: state.retryOrFail("again")
      case .succeed: state.succeed()
      case .fail: state.fail("broken")
      case .cancel: state.cancel()
      case .reset: state.reset()
      }
    }

    /// The status after a call in a given status; nil if nothing changes.
    func status(after status: JobState.Status, maxAttempts: Int) -> JobState.Status? {
      switch (self, status) {
      case (.reset, _): .idle
      case (.restart, _): .inProgress(attempt: 1)
      case (.run, .inProgress): nil
      case (.run, _): .inProgress(attempt: 1)
      case (.retryOrFail, .inProgress(attempt: maxAttempts)): .failed(reason: "again")
      case (.retryOrFail, .inProgress(let attempt)): .inProgress(attempt: attempt + 1)
      case (.succeed, .inProgress): .succeeded
      case (.fail, .inProgress), (.fail, .idle): .failed(reason: "broken")
      case (.cancel, .inProgress), (.cancel, .idle): .cancelled
      default: nil
      }
    }
  }

  struct Refusal: Error, CustomStringConvertible {
    let description = "the server said no"
  }

  static let backoff = EffectBackoff.exponential(initial: .seconds(1))

  /// A state for each status, and for each of three attempts; the last one was reset.
  static let states: [JobState] = {
    var running = JobState()
    running.run(maxAttempts: 3, backoff: backoff)
    let endings: [(inout JobState) -> Void] = [
      { _ in },
      { $0.retryOrFail("") },
      { state in for _ in 1...2 { state.retryOrFail("") } },
      { $0.succeed() },
      { $0.fail("over") },
      { $0.cancel() },
      { $0.restart(delay: .seconds(7)) },
      { $0.reset() },
    ]
    return [JobState()]
      + endings.map { end in
        var state = running
        end(&state)
        return state
      }
  }()

  @Test func `a new state is idle`() {
    let state = JobState()
    #expect(state.status == .idle)
    #expect(!state.isInProgress)
    #expect(state.attempt == nil)
    #expect(state.reason == nil)
    #expect(state.delay == .zero)
  }

  @Test(arguments: states, Call.allCases)
  func `each call in each status has its documented effect, or none`(before: JobState, call: Call) {
    var state = before
    call.apply(to: &state)
    guard let expected = call.status(after: before.status, maxAttempts: 3) else {
      #expect(state == before)
      return
    }
    #expect(state.status == expected)
    #expect(state.attemptsBegun == before.attemptsBegun + (state.isInProgress ? 1 : 0))
  }

  @Test(arguments: states)
  func `the convenience properties match the status`(state: JobState) {
    switch state.status {
    case .inProgress(let attempt):
      #expect(state.isInProgress)
      #expect(state.attempt == attempt)
      #expect(state.reason == nil)
    case .failed(let reason):
      #expect(!state.isInProgress)
      #expect(state.attempt == nil)
      #expect(state.reason == reason)
    case .idle, .succeeded, .cancelled:
      #expect(!state.isInProgress)
      #expect(state.attempt == nil)
      #expect(state.reason == nil)
    }
  }

  @Test func `a job retried four times with exponential backoff waits exactly as specified, then fails`() {
    var state = JobState()
    state.run(maxAttempts: 5, backoff: .exponential(initial: .milliseconds(100)))
    var delays = [state.delay]
    for retry in 1...4 {
      state.retryOrFail(Refusal())
      #expect(state.status == .inProgress(attempt: retry + 1))
      delays.append(state.delay)
    }
    #expect(delays == [0, 100, 200, 400, 800].map { .milliseconds($0) })
    state.retryOrFail(Refusal())
    #expect(state.status == .failed(reason: "the server said no"))
    #expect(state.delay == .zero)
  }

  @Test func `without more attempts the first failure is the last`() {
    var state = JobState()
    state.run()
    state.retryOrFail("offline")
    #expect(state.status == .failed(reason: "offline"))
  }

  @Test(arguments: [0, -1, Int.min])
  func `fewer than one attempt counts as one`(maxAttempts: Int) {
    var state = JobState()
    state.run(maxAttempts: maxAttempts)
    #expect(state.status == .inProgress(attempt: 1))
    state.retryOrFail("offline")
    #expect(state.status == .failed(reason: "offline"))
    var once = JobState()
    once.run(maxAttempts: 1)
    once.retryOrFail("offline")
    #expect(state == once)
  }

  @Test func `failing keeps the remaining attempts`() {
    var state = JobState()
    state.run(maxAttempts: 3)
    state.fail(Refusal())
    #expect(state.status == .failed(reason: "the server said no"))
  }

  @Test func `a run in progress keeps its attempts and its backoff`() {
    var state = JobState()
    state.run(maxAttempts: 2, backoff: .constant(.seconds(1)))
    state.run(maxAttempts: 9, backoff: .constant(.seconds(9)))
    state.retryOrFail("")
    #expect(state.delay == .seconds(1))
    state.retryOrFail("")
    #expect(state.reason != nil)
  }

  @Test func `a new run has its own attempts and backoff`() {
    var state = JobState()
    state.run(maxAttempts: 1, backoff: .constant(.seconds(1)))
    state.succeed()
    state.run(maxAttempts: 2, backoff: .constant(.seconds(9)))
    state.retryOrFail("")
    #expect(state.status == .inProgress(attempt: 2))
    #expect(state.delay == .seconds(9))
  }

  @Test(arguments: states.dropFirst().dropLast())
  func `a restart has all the attempts and the backoff of the last run`(state: JobState) {
    var state = state
    state.restart()
    var delays: [Duration] = []
    for _ in 1...3 {
      delays.append(state.delay)
      state.retryOrFail("over")
    }
    #expect(delays == [.zero, .seconds(1), .seconds(2)])
    #expect(state.status == .failed(reason: "over"))
  }

  @Test func `a restart may have its own attempts and backoff, which the next one keeps`() {
    var state = JobState()
    state.run(maxAttempts: 9, backoff: .constant(.seconds(9)))
    state.restart(maxAttempts: 2, backoff: .constant(.seconds(2)))
    for _ in 1...2 {
      state.retryOrFail("")
      #expect(state.delay == .seconds(2))
      state.retryOrFail("over")
      #expect(state.reason == "over")
      state.restart()
    }
    state.restart(maxAttempts: 0)
    state.retryOrFail("over")
    #expect(state.reason == "over")
  }

  @Test func `the first attempt waits as long as its run or restart specifies, and the others by the backoff`() {
    var state = JobState()
    state.run(maxAttempts: 2, backoff: .constant(.seconds(1)), delay: .seconds(5))
    #expect(state.delay == .seconds(5))
    let run = state
    state.retryOrFail("")
    #expect(state.delay == .seconds(1))
    state.restart()
    #expect(state.delay == .zero)
    state.restart(delay: .seconds(3))
    #expect(state.delay == .seconds(3))
    state.restart(delay: .seconds(-3))
    #expect(state.delay == .zero)
    var other = JobState()
    other.run(maxAttempts: 2, backoff: .constant(.seconds(1)))
    #expect(run != other)
  }

  @Test func `E1 a failure with an error equals the failure with its text`() throws {
    var state = JobState()
    state.run(maxAttempts: 2)
    state.retryOrFail(Refusal())
    #expect(state.isInProgress)
    state.retryOrFail(Refusal())
    var inWords = JobState()
    inWords.run(maxAttempts: 2)
    inWords.retryOrFail("")
    inWords.fail(String(describing: Refusal()))
    #expect(inWords == state)
    #expect(inWords.hashValue == state.hashValue)
    state.fail("later")
    #expect(inWords == state)
  }

  @Test func `a restart without an earlier run is a run`() {
    var restarted = JobState()
    restarted.restart()
    var run = JobState()
    run.run()
    #expect(restarted == run)
  }

  @Test func `a reset forgets the attempts and the backoff, but not the attempts that have begun`() {
    var state = JobState()
    state.run(maxAttempts: 3, backoff: Self.backoff)
    state.reset()
    #expect(state != JobState())
    var plain = JobState()
    plain.run()
    plain.reset()
    #expect(state == plain)
    state.restart()
    #expect(state.attemptsBegun == 2)
    state.retryOrFail("over")
    #expect(state.status == .failed(reason: "over"))
  }

  @Test func `each attempt has a separate number, however it begins`() {
    var state = JobState()
    var numbers: [Int] = []
    func begin(_ call: (inout JobState) -> Void) {
      call(&state)
      #expect(state.isInProgress)
      numbers.append(state.attemptsBegun)
    }
    begin { $0.run(maxAttempts: 2) }
    begin { $0.restart() }
    begin { $0.retryOrFail("") }
    begin { $0.restart() }
    state.reset()
    begin { $0.run(maxAttempts: 2) }
    state.cancel()
    begin { $0.run(maxAttempts: 2) }
    #expect(Set(numbers).count == numbers.count)
  }

  @Test func `a restart is a change, although the status is the same`() {
    var state = JobState()
    state.run()
    let before = state
    state.restart()
    #expect(state.status == before.status)
    #expect(state != before)
  }

  @Test func `states with the same history are equal`() {
    var states = [JobState(), JobState()]
    for index in states.indices {
      states[index].run(maxAttempts: 3, backoff: Self.backoff)
      states[index].retryOrFail("")
    }
    #expect(states[0] == states[1])
    #expect(Set(states).count == 1)
  }

  @Test(arguments: states)
  func `a state is decoded from JSON unchanged, and continues in the same way`(state: JobState) throws {
    var decoded = try JSONDecoder().decode(JobState.self, from: JSONEncoder().encode(state))
    #expect(decoded == state)
    #expect(decoded.delay == state.delay)
    var original = state
    original.retryOrFail("again")
    decoded.retryOrFail("again")
    #expect(decoded == original)
  }

  @Test func `a state with the greatest possible numbers continues without stopping the program`() throws {
    var state = JobState()
    state.run(maxAttempts: .max, backoff: .exponential(initial: .seconds(1)))
    let json = try #require(String(data: JSONEncoder().encode(state), encoding: .utf8))
    let greatest =
      json
      .replacing("\"attemptsBegun\":1", with: "\"attemptsBegun\":\(Int.max)")
      .replacing("\"attempt\":1", with: "\"attempt\":\(Int.max - 1)")
    state = try JSONDecoder().decode(JobState.self, from: Data(greatest.utf8))
    #expect(state.attempt == .max - 1)
    #expect(state.attemptsBegun == .max)
    state.retryOrFail("")
    #expect(state.attempt == .max)
    #expect(state.attemptsBegun != .max)
    #expect(state.delay > .zero)
    state.retryOrFail("over")
    #expect(state.status == .failed(reason: "over"))
  }

  @Test func `a state describes its progress`() {
    var state = JobState()
    var said = ["\(state)"]
    state.run(maxAttempts: 5)
    state.retryOrFail("no connection")
    said.append("\(state)")
    state.fail("no connection")
    said.append("\(state)")
    state.restart()
    state.cancel()
    said.append("\(state)")
    #expect(said == ["idle", "in progress (attempt 2 of 5)", "failed (no connection)", "cancelled"])
  }

  @Test(arguments: [(-5, Int.max), (0, 1), (2, 1), (.max, .min), (nil, 0)])
  func `an impossible attempt is refused in decoding`(attempt: Int?, maxAttempts: Int) throws {
    let none = #"{"initial":[0,0],"step":[0,0],"factor":1,"maximum":[0,0],"jitter":0,"seed":0}"#
    let status = attempt.map { #"{"inProgress":{"attempt":\#($0)}}"# } ?? #"{"idle":{}}"#
    let text = #"{"status":\#(status),"attemptsBegun":1,"maxAttempts":\#(maxAttempts),"backoff":\#(none)}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(JobState.self, from: Data(text.utf8)) }
    let valid = #"{"status":{"inProgress":{"attempt":2}},"attemptsBegun":1,"maxAttempts":2,"backoff":\#(none)}"#
    #expect(try JSONDecoder().decode(JobState.self, from: Data(valid.utf8)).attempt == 2)
  }
}
