import Arbor
import ArborDevTools
import Testing

@Suite("Log for people")
struct LogTextTests {
  private let lines = Lines()

  private func log(_ detail: LogDetail = [], _ see: (LogMonitor) -> Void) -> [String] {
    let monitor = LogMonitor(detail: detail, to: lines.sink)
    see(monitor)
    monitor.flush()
    return lines.all
  }

  @Test func `an action is a line with its store and its text`() {
    let lines = log { log in
      log.see(Example.Action.add("Milk"))
      log.see(Example.Action.tick)
      log.see(Example.ItemAction.select, in: Example.item)
      log.see("a text")
      log.see(Example.Note(text: "what it says of itself"))
    }
    #expect(
      lines == [
        #"State#1: .add("Milk")"#, "State#1: .tick", "Item#7: .select", #"State#1: "a text""#,
        "State#1: what it says of itself",
      ]
    )
  }

  @Test func `a mutation is written as its name, also inside an action`() {
    func rename() -> Mutation<Example.State> { Mutation { $0.ratio = 1 } }
    let lines = log { log in
      log.see(rename())
      log.see(Example.Action.change(rename()))
    }
    #expect(lines == ["State#1: rename()", "State#1: .change(rename())"])
  }

  @Test func `an outcome other than reduced is written`() {
    let lines = log { log in
      log.see(Example.Action.tick, outcome: .replaced(by: Example.Action.add("Milk")))
      log.see(Example.Action.tick, outcome: .dropped)
      log.see(Example.Action.tick, outcome: .held)
      log.see(Example.Action.tick, outcome: .revoked)
      log.see(Example.Action.tick, outcome: .failed)
    }
    #expect(
      lines == [
        #"State#1: .tick replaced by .add("Milk")"#, "State#1: .tick dropped", "State#1: .tick held",
        "State#1: .tick revoked",
        "State#1: .tick failed",
      ]
    )
  }

  @Test func `times are written for the stages that the action reached`() {
    let lines = log(.times) { log in
      log.see(Example.Action.tick, times: Example.times)
      log.see(Example.Action.tick, times: Example.times, isLastOfStep: true)
      log.see(Example.Action.tick, outcome: .dropped, times: ActionTimes(only: .nanoseconds(999)))
      log.see(Example.Action.tick, times: ActionTimes(only: .nanoseconds(999)), isLastOfStep: false)
      log.see(Example.Action.tick, times: nil)
    }
    let whole = "(waited 1.20 µs, intercepted 80 ns, reduced 2.10 ms, delivered 14.0 s)"
    #expect(
      lines == [
        "+0.001234 State#1: .tick \(whole)",
        "+0.001234 State#1: .tick \(whole)",
        "+0.000000 State#1: .tick dropped (waited 999 ns, intercepted 0 ns)",
        "+0.000000 State#1: .tick (waited 999 ns, intercepted 0 ns, reduced 0 ns)",
        "State#1: .tick",
      ]
    )
  }

  @Test func `changes are indented below their action, and those of other stores have their names`() {
    let lines = log(.changes) { log in
      log.see(
        Example.ItemAction.select,
        in: Example.item,
        states: [
          StateTransition(store: Example.item, before: Example.Item(), after: Example.Item(isSelected: true)),
          Example.change { state in
            state.todos = ["Milk"]
            state.ratio = .nan
          },
        ]
      )
      log.see(Example.Action.tick, states: [Example.change { _ in }])
      log.see(Example.Action.tick, states: [StateTransition(store: Example.root, before: 1, after: 2)])
    }
    #expect(
      lines == [
        """
        Item#7: .select
          isSelected: false → true
          State#1.todos[0]: + "Milk"
          State#1.ratio: 0.5 → nan
        """,
        "State#1: .tick",
        "State#1: .tick\n  1 → 2",
      ]
    )
  }

  @Test func `only the first hundred of many changes are listed, followed by an ellipsis`() throws {
    let change = Example.change { $0.todos = (0..<1000).map(\.description) }
    let record = try #require(log(.changes) { $0.see(Example.Action.tick, states: [change]) }.first)
    let lines = record.split(separator: "\n")
    #expect(lines.count == 102)
    #expect(lines[100] == #"  todos[99]: + "99""#)
    #expect(lines.last == "  …")
  }

  @Test func `events are lines with their time`() {
    let task = MonitoredTask(store: Example.root, id: 3, key: "load")
    let events: [StoreEvent] = [
      .storeMade(Example.root), .observerMade(in: Example.root), .taskStarted(task), .taskCancelled(task),
      .taskFailed(task, Example.Refusal()), .taskFinished(MonitoredTask(store: Example.root, id: 4, key: nil)),
      .activity("rain", in: Example.item), .observerGone(in: Example.root), .storeGone(Example.root),
    ]
    let lines = log(.events) { log in
      for (number, event) in events.enumerated() { log.monitor(event, at: .seconds(number)) }
    }
    #expect(
      lines == [
        "+0.000000 State#1: store made", "+1.000000 State#1: observer made",
        #"+2.000000 State#1: task 3 "load" started"#, #"+3.000000 State#1: task 3 "load" cancelled"#,
        #"+4.000000 State#1: task 3 "load" failed: Refusal()"#, "+5.000000 State#1: task 4 finished",
        #"+6.000000 Item#7: activity "rain""#, "+7.000000 State#1: observer gone", "+8.000000 State#1: store gone",
      ]
    )
  }

  @Test func `a store has the name of its factory, or otherwise of its state's type`() throws {
    let log = LogMonitor(detail: .changes, to: lines.sink)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(name: "Shop", monitors: [log])) {
      $0 += $1
    }
    let child = factory.childStore(
      initialState: Example.Item(), stateMapping: { $1 }, reducer: { $0.isSelected = $1 > 0 })
    factory.dispatchAndWait(1)
    child.store().dispatchAndWait(2)
    log.flush()
    #expect(lines.all.count == 2)
    #expect(lines.all.first?.hasPrefix("Shop#") == true)
    #expect(lines.all.last?.hasPrefix("Item#") == true && lines.all.last?.contains("\n  Shop#") == true)
  }

  @Test func `a job that begins again is one line with its path in the state`() {
    struct Jobs: Sendable {
      var upload = JobState()
    }
    enum JobAction: Sendable {
      case begin, fail, restart
    }
    let log = LogMonitor(detail: .changes, to: lines.sink)
    let factory = StoreFactory<Jobs, JobAction>(initialState: Jobs(), settings: TreeSettings(monitors: [log])) {
      state, action in
      switch action {
      case .begin: state.upload.run(maxAttempts: 3, backoff: .exponential(initial: .seconds(1)))
      case .fail: state.upload.retryOrFail("no connection")
      case .restart: state.upload.restart()
      }
    }
    for action in [JobAction.begin, .fail, .restart, .restart] { factory.dispatchAndWait(action) }
    log.flush()
    let (first, second) = ("in progress (attempt 1 of 3)", "in progress (attempt 2 of 3)")
    #expect(
      lines.all.map { $0.split(separator: "\n").dropFirst() } == [
        ["  upload: idle → \(first)"], ["  upload: \(first) → \(second)"], ["  upload: \(second) → \(first)"],
        ["  upload: \(first) → restarted, \(first)"],
      ]
    )
  }

  @Test func `the task of a state effect is written with the effect's declaration`() async throws {
    let log = LogMonitor(detail: .events, to: lines.sink)
    let line: UInt = #line + 3
    let factory = StoreFactory<JobState, Bool>(
      initialState: JobState(),
      feature: Feature(stateEffects: [StateEffect({ $0 }) { _ in .run(key: "upload") { $0(false) } }]) { job, isBegin in
        if isBegin { job.run() } else { job.succeed() }
      },
      settings: TreeSettings(monitors: [log])
    )
    await factory.dispatchAndWait(true)
    await factory.settled()
    log.flush()
    let name = "\"upload\" of the state effect at ArborDevToolsTests/LogTextTests.swift:\(line) started"
    #expect(lines.all.contains { $0.hasSuffix(name) }, "\(lines.all)")
  }

  @Test func `details that are not requested are not written, even if the record has them`() {
    let lines = log { log in
      log.monitor(.storeMade(Example.root), at: .zero)
      log.see(Example.Action.tick, times: Example.times, states: [Example.change { $0.ratio = 1 }])
    }
    #expect(lines == ["State#1: .tick"])
  }

  @Test(arguments: Hostile.texts.indices)
  func `no value breaks a line`(index: Int) throws {
    let text = Hostile.texts[index]
    let note = Example.Note(text: text)
    let lines = log(.all) { log in
      log.see(note, outcome: .replaced(by: note), times: Example.times)
      log.see(Example.Action.tick, states: [Example.change { $0.note = note }])
      log.monitor(.activity(note, in: Example.root), at: .zero)
      log.monitor(.taskStarted(MonitoredTask(store: Example.root, id: 3, key: note)), at: .zero)
    }
    #expect(lines.count == 4)
    for (number, record) in lines.enumerated() {
      let parts = record.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(parts.count == (number == 1 ? 2 : 1))
      #expect(parts.allSatisfy { Hostile.isOneLine(String($0)) })
      #expect(record.utf8.count < 50_000)
    }
  }
}

extension ActionTimes {
  /// Makes the times of an action that only reached its turn.
  init(only waited: Duration) {
    self.init(accepted: .zero, waited: waited, intercepted: .zero, reduced: .zero, delivered: .zero)
  }
}
