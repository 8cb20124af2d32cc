import Arbor
import ArborDevTools
import TestSupport
import Testing

@Suite("Metrics monitor")
struct MetricsMonitorTests {
  private static func times(waited: Int64, reduced: Int64 = 0, delivered: Int64 = 0) -> ActionTimes {
    ActionTimes(
      accepted: .zero,
      waited: .nanoseconds(waited),
      intercepted: .zero,
      reduced: .nanoseconds(reduced),
      delivered: .nanoseconds(delivered)
    )
  }

  @Test func `all actions are counted by their outcome`() {
    let metrics = MetricsMonitor()
    let outcomes: [ActionOutcome] = [.reduced, .replaced(by: 1), .dropped, .held, .revoked, .failed]
    for (number, outcome) in outcomes.enumerated() {
      for _ in 0...number { metrics.see(Example.Action.tick, outcome: outcome) }
    }
    let counts = metrics.report.all.outcomes
    let byOutcome: [Int] = [
      counts.reduced, counts.replaced, counts.dropped, counts.held, counts.revoked, counts.failed,
    ]
    #expect(byOutcome == [1, 2, 3, 4, 5, 6])
    #expect(metrics.report.all.count == 21)
    #expect(metrics.report.byKey.isEmpty)
    #expect(metrics.report.other.count == 0)
  }

  @Test func `times are those of the timed actions, for the stages that they reached`() {
    let metrics = MetricsMonitor()
    metrics.see(Example.Action.tick)
    metrics.see(Example.Action.tick, times: Self.times(waited: 1, reduced: 2, delivered: 3))
    metrics.see(Example.Action.tick, times: Self.times(waited: 4, reduced: 5), isLastOfStep: false)
    metrics.see(Example.Action.tick, outcome: .dropped, times: Self.times(waited: 6))
    metrics.see(Example.Action.tick, outcome: .dropped, times: Self.times(waited: 7, delivered: 8))
    let all = metrics.report.all
    #expect(all.count == 5)
    let samples: [Int] = [all.waited.count, all.reduced.count, all.delivered.count]
    #expect(samples == [4, 2, 2])
    #expect(all.waited.percentile(50) == .nanoseconds(4))
    #expect(all.reduced.percentile(0) == .nanoseconds(2))
    #expect(all.delivered.maximum == .nanoseconds(8))
  }

  @Test func `one action in sixteen is timed by default, or one in as many as the interval`() {
    #expect(MetricsMonitor().timingInterval == 16)
    #expect(MetricsMonitor(timingInterval: 1).timingInterval == 1)
    #expect(MetricsMonitor(timingInterval: -1).timingInterval == 0)
    #expect(MetricsMonitor(timingInterval: 3) { (_: Int) in "" }.report.timingInterval == 3)
  }

  @Test func `each key has its own counts and times, and actions of other types are counted as other`() {
    let metrics = MetricsMonitor { (action: Example.Action) in action.name }
    metrics.see(Example.Action.tick, times: Self.times(waited: 1))
    metrics.see(Example.Action.add("Milk"), times: Self.times(waited: 2))
    metrics.see(Example.Action.add("Tea"), outcome: .dropped, times: Self.times(waited: 3))
    metrics.see(Example.ItemAction.select)
    let report = metrics.report
    #expect(report.all.count == 4)
    #expect(report.byKey.mapValues(\.count) == ["tick": 1, "add": 2])
    #expect(report.byKey["add"]?.outcomes.dropped == 1)
    #expect(report.byKey["add"]?.waited.maximum == .nanoseconds(3))
    #expect(report.byKey["tick"]?.waited.maximum == .nanoseconds(1))
    #expect(report.other.count == 1)
  }

  @Test func `actions of several types can have keys, and an action without one is counted as other`() {
    let metrics = MetricsMonitor(keyOf: { action in
      action.value(as: Example.Action.self)?.name ?? action.value(as: Int.self).map { "\($0)" }
    })
    metrics.see(Example.Action.tick)
    metrics.see(5, in: Example.item)
    metrics.see(Example.ItemAction.select, in: Example.item)
    #expect(Set(metrics.report.byKey.keys) == ["tick", "5"])
    #expect(metrics.report.other.count == 1)
  }

  @Test func `keys beyond the maximum are counted as other, and the rows of the first keys stay`() {
    let metrics = MetricsMonitor(maximumKeys: 3) { (number: Int) in "\(number)" }
    for _ in 0..<2 { for number in 0..<1000 { metrics.see(number) } }
    #expect(metrics.report.byKey.mapValues(\.count) == ["0": 2, "1": 2, "2": 2])
    #expect(metrics.report.other.count == 1994)
    #expect(metrics.report.all.count == 2000)
  }

  @Test(arguments: [0, -1])
  func `without room for any key, all actions are counted as other`(maximumKeys: Int) {
    let metrics = MetricsMonitor(maximumKeys: maximumKeys) { (number: Int) in "\(number)" }
    metrics.see(1)
    #expect(metrics.report.byKey.isEmpty)
    #expect(metrics.report.other.count == 1)
  }

  @Test func `a key of more than 256 bytes is counted as other`() {
    let metrics = MetricsMonitor { (length: Int) in String(repeating: "x", count: length) }
    metrics.see(256)
    metrics.see(257)
    #expect(metrics.report.byKey.keys.map(\.count) == [256])
    #expect(metrics.report.other.count == 1)
  }

  @Test func `a key called other is not mixed with the other actions`() {
    let metrics = MetricsMonitor(maximumKeys: 1) { (key: String) in key }
    metrics.see("other")
    metrics.see("more")
    #expect(metrics.report.byKey["other"]?.count == 1)
    #expect(metrics.report.other.count == 1)
  }

  @Test func `reset returns the counts and starts over, with room for new keys`() {
    let metrics = MetricsMonitor(maximumKeys: 1) { (key: String) in key }
    metrics.see("one", times: Self.times(waited: 5))
    metrics.see("two")
    let report = metrics.report
    #expect(metrics.reset() == report)
    #expect(report.all.count == 2)
    #expect(metrics.report.all == MetricsMonitor().report.all)
    metrics.see("two")
    #expect(metrics.report.byKey.mapValues(\.count) == ["two": 1])
    #expect(metrics.report.other.count == 0)
  }

  @Test func `concurrent reads see consistent counts, and no action is lost`() {
    let metrics = MetricsMonitor { (action: Example.Action) in action.name }
    let torn = Protected(0)
    onThreads(4) { number in
      var last = 0
      for step in 0..<5000 {
        if number < 2 {
          metrics.see(step.isMultiple(of: 2) ? Example.Action.tick : .add(""), times: Self.times(waited: 1))
        } else {
          let report = metrics.report
          let sum = report.byKey.values.map(\.count).reduce(report.other.count, +)
          if sum != report.all.count || report.all.waited.count != sum || sum < last { torn.withLock { $0 += 1 } }
          last = sum
        }
      }
    }
    #expect(torn.withLock { $0 } == 0)
    #expect(metrics.report.byKey.mapValues(\.count) == ["tick": 5000, "add": 5000])
  }
}
