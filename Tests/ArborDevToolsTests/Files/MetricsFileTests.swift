import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Metrics in the file of a recording")
struct MetricsFileTests {
  private typealias Listed = Recording<[String], String>

  private static func written(_ write: (URL) throws -> Void) throws -> [UInt8] {
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a")
      try write(file)
      return Array(try Data(contentsOf: file))
    }
  }

  /// Returns the metrics in a recording's file as JSON; nil if there are none.
  private static func metrics(
    of recording: Listed = Recording(initialState: []) { $0.append($1) },
    _ report: MetricsReport? = nil,
    redacting redactions: [Redaction<[String], String>] = []
  ) throws -> String? {
    let bytes = try written { try recording.write(to: $0, metrics: report, redacting: redactions) }
    return try RecordingFileReader(bytes).trailer().metrics.map { "\($0)" }
  }

  @Test func `a file and its page contain the report of the program's monitor`() throws {
    let recorder = Recorder<[String], String>()
    let metrics = MetricsMonitor(timingInterval: 1, maximumKeys: 2) { (action: String) in action }
    let factory = StoreFactory<[String], String>(
      initialState: [],
      settings: TreeSettings(monitors: [recorder, metrics])
    ) { $0.append($1) }
    for action in ["tea", "milk", "tea", "cake", "tea"] { factory.dispatchAndWait(action) }
    let report = metrics.report
    let recording = try #require(recorder.recording)
    let bytes = try Self.written { try recording.write(to: $0, metrics: report) }
    let value = try #require(try RecordingFileReader(bytes).trailer().metrics)
    guard case .object(let object) = value, case .array(let actions)? = object["actions"] else {
      Issue.record("\(value)")
      return
    }
    let keys = [report.byKey["tea"], report.byKey["milk"], report.other]
    #expect(actions.count == 3)
    for (action, (name, key)) in zip(actions, zip(["tea", "milk", "other"], keys)) {
      let key = try #require(key)
      guard case .object(let action) = action else { continue }
      #expect(action["name"] == .string(name) && action["count"] == RecordedValue(key.count))
      for (stage, histogram) in [("waited", key.waited), ("reduced", key.reduced), ("delivered", key.delivered)] {
        guard case .array(let times)? = action[stage] else {
          Issue.record("\(name) has no times \(stage)")
          continue
        }
        #expect(times.map(Self.nanoseconds) == [50, 95, 99].map { histogram.percentile($0) })
      }
    }
    let loaded = try Recording<[String], String>(RecordingFileReader(bytes)) { $0.append($1) }
    #expect(try Self.metrics(of: loaded) == "\(value)")
    let page = String(decoding: try Self.written { try recording.writePage(to: $0, metrics: report) }, as: UTF8.self)
    #expect(page.contains(#""metrics":\#(value)"#))
  }

  private static func nanoseconds(_ value: RecordedValue) -> Duration? {
    switch value {
    case .integer(let microseconds): .microseconds(microseconds)
    case .double(let microseconds): .nanoseconds(Int64((microseconds * 1000).rounded()))
    default: nil
    }
  }

  @Test func `times that were not measured are absent, and without keys all actions are one`() throws {
    let keyed = MetricsMonitor(timingInterval: 0) { (action: String) in action }
    for action in ["b", "a", "b", "\"</script>"] { keyed.see(action) }
    #expect(
      try Self.metrics(keyed.report)
        == #"{"actions":[{"name":"b","count":2},{"name":"\"</script>","count":1},{"name":"a","count":1}]}"#)
    let all = MetricsMonitor()
    #expect(try Self.metrics(all.report) == #"{"actions":[]}"#)
    all.see("a", times: ActionTimes(only: .nanoseconds(50)))
    all.see("b", times: ActionTimes(only: .microseconds(40)), isLastOfStep: false)
    let expected = #"{"actions":[{"name":"all","count":2,"waited":[0.05,40,40],"reduced":["#
    #expect(try Self.metrics(all.report)?.hasPrefix(expected) == true)
    #expect(try Self.metrics() == nil)
  }

  @Test func `a report or redactions replace the metrics of a file that was read`() throws {
    let all = MetricsMonitor()
    all.see("a")
    let recording = Listed(initialState: []) { $0.append($1) }
    let bytes = try Self.written { try recording.write(to: $0, metrics: all.report) }
    let loaded = try Listed(RecordingFileReader(bytes)) { $0.append($1) }
    #expect(try Self.metrics(of: loaded) == #"{"actions":[{"name":"all","count":1}]}"#)
    all.see("b")
    #expect(try Self.metrics(of: loaded, all.report) == #"{"actions":[{"name":"all","count":2}]}"#)
    let redactions: [Redaction<[String], String>] = [.action { $0 = "-" }]
    #expect(try Self.metrics(of: loaded, redacting: redactions) == nil)
    #expect(try Self.metrics(of: loaded, all.report, redacting: redactions) != nil)
  }
}
