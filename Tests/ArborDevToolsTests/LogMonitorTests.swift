import Arbor
import ArborDevTools
import Dispatch
import Testing

@Suite("Log monitor")
struct LogMonitorTests {
  private let lines = Lines()

  @Test func `records are written in the order in which they came, one at a time`() {
    let written = Protected<[String]>([])
    let running = Protected(0)
    let overlaps = Protected(0)
    let monitor = LogMonitor(detail: .all) { line in
      let before = running.withLock { running in
        running += 1
        return running - 1
      }
      overlaps.withLock { $0 += before }
      written.withLock { $0.append(line) }
      running.withLock { $0 -= 1 }
    }
    for number in 0..<500 {
      // A slow difference must not be overtaken.
      let change = Example.change { $0.todos = number.isMultiple(of: 50) ? (0..<90).map(\.description) : [] }
      monitor.see(number, states: [change])
      monitor.monitor(.activity(number, in: Example.root), at: .zero)
    }
    monitor.flush()
    let heads = written.withLock { $0 }.map { $0.prefix { $0 != "\n" } }
    let expected = (0..<500).flatMap { ["State#1: \($0)", "+0.000000 State#1: activity \($0)"] }
    #expect(heads.map(String.init) == expected)
    #expect(overlaps.withLock { $0 } == 0)
  }

  @Test func `neither a slow sink nor a slow difference makes the store wait`() {
    let gate = DispatchSemaphore(value: 0)
    let sink = lines.sink
    let monitor = LogMonitor(detail: []) { line in
      gate.wait()
      sink(line)
    }
    for number in 0..<10 { monitor.see(number) }
    // If one of them had waited for its sink, this would never be reached.
    #expect(lines.all.isEmpty)
    for _ in 0..<10 { gate.signal() }
    monitor.flush()
    #expect(lines.all.count == 10)
  }

  @Test func `monitored actions are written even if the monitor is released`() {
    let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let sink = lines.sink
    do {
      let monitor = LogMonitor(detail: []) { line in
        gate.wait()
        sink(line)
        done.signal()
      }
      monitor.see(1)
    }
    gate.signal()
    done.wait()
    #expect(lines.all == ["State#1: 1"])
  }

  @Test func `records go to standard error, each with a newline, if no other sink is passed`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let monitor = LogMonitor(detail: [])
      monitor.see(1)
      monitor.see("two")
      monitor.flush()
    }
    let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(written.contains("State#1: 1\nState#1: \"two\"\n"))
  }

  @Test func `a predicate for an action's type logs the actions that it chooses, and no others`() {
    let sink = lines.sink
    let monitor = LogMonitor(detail: []) { (action: Example.Action) in
      action.name != "tick"
    } to: { line in
      sink(line)
    }
    monitor.see(Example.Action.tick)
    monitor.see(Example.Action.add("Milk"))
    monitor.see(Example.ItemAction.select)
    monitor.flush()
    #expect(lines.all == [#"State#1: .add("Milk")"#])
  }

  @Test func `a predicate for monitored actions chooses by their store`() {
    let monitor = LogMonitor(detail: [], where: { $0.store == Example.item }, to: lines.sink)
    monitor.see(Example.Action.tick)
    monitor.see(Example.ItemAction.select, in: Example.item)
    monitor.flush()
    #expect(lines.all == ["Item#7: .select"])
  }

  @Test func `states are only wanted for actions that are logged, and only if changes are`() {
    func wants(_ action: Example.Action, _ detail: LogDetail) -> Bool {
      let monitor = LogMonitor(detail: detail) { (action: Example.Action) in action.name == "tick" }
      return withUnsafePointer(to: action) { monitor.wantsStates(of: MonitoredAction($0, in: Example.root)) }
    }
    #expect(wants(.tick, .changes))
    #expect(!wants(.add(""), .changes))
    #expect(!wants(.tick, [.times, .events]))
  }

  @Test func `the times of all actions are read if they are logged, otherwise of none`() {
    #expect(LogMonitor(detail: .times).timingInterval == 1)
    #expect(LogMonitor(detail: [.changes, .events]).timingInterval == 0)
  }
}
