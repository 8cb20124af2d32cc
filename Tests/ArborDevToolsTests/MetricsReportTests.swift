import Arbor
import ArborDevTools
import Testing

@Suite("Metrics as a table")
struct MetricsReportTests {
  private func see(_ metrics: MetricsMonitor, _ key: String, _ count: Int, waited: Duration? = nil) {
    for _ in 0..<count { metrics.see(key, times: waited.map(ActionTimes.init(only:))) }
  }

  @Test func `columns are aligned, and the most frequent keys come first`() {
    let metrics = MetricsMonitor(maximumKeys: 3) { (key: String) in key }
    see(metrics, "tick", 2, waited: .nanoseconds(5))
    see(metrics, "download", 1)
    see(metrics, "add", 2, waited: .milliseconds(1500))
    see(metrics, "more", 120)
    metrics.see("tick", outcome: .dropped)
    #expect(
      metrics.description == """
        actions   count  reduced  replaced  dropped  held  revoked  failed
        all         126      125         0        1     0        0       0
        tick          3        2         0        1     0        0       0
        add           2        2         0        0     0        0       0
        download      1        1         0        0     0        0       0
        other       120      120         0        0     0        0       0

        waited  sample     p50     p90     p99     max
        all          4    5 ns  1.50 s  1.50 s  1.50 s
        tick         2    5 ns    5 ns    5 ns    5 ns
        add          2  1.49 s  1.50 s  1.50 s  1.50 s

        reduced  sample   p50   p90   p99   max
        all           4  0 ns  0 ns  0 ns  0 ns
        tick          2  0 ns  0 ns  0 ns  0 ns
        add           2  0 ns  0 ns  0 ns  0 ns

        delivered  sample   p50   p90   p99   max
        all             4  0 ns  0 ns  0 ns  0 ns
        tick            2  0 ns  0 ns  0 ns  0 ns
        add             2  0 ns  0 ns  0 ns  0 ns
        """
    )
    #expect(metrics.description == metrics.report.description)
  }

  @Test func `without times and keys, the table has two lines`() {
    #expect(
      MetricsMonitor().description == """
        actions  count  reduced  replaced  dropped  held  revoked  failed
        all          0        0         0        0     0        0       0
        """
    )
  }

  @Test func `units fit the time, and digits are truncated`() {
    let texts: [(Duration, String)] = [
      (.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1000), "1.00 µs"), (.nanoseconds(1099), "1.09 µs"),
      (.nanoseconds(10_050), "10.0 µs"), (.nanoseconds(999_999), "999 µs"), (.milliseconds(1), "1.00 ms"),
      (.nanoseconds(999_999_999), "999 ms"), (.seconds(1), "1.00 s"), (.seconds(61), "61.0 s"),
      (.seconds(86_400), "86400 s"), (Duration(attoseconds: .max), "9223372036 s"), (.seconds(-1), "0 ns"),
    ]
    for (duration, text) in texts {
      let metrics = MetricsMonitor()
      metrics.see(1, times: ActionTimes(only: duration))
      let row = metrics.description.split(separator: "\n").first { $0.hasSuffix(text) }
      #expect(row?.hasPrefix("all ") == true, "\(text)")
    }
  }

  @Test(arguments: Hostile.texts.indices)
  func `no key breaks the table`(index: Int) {
    let metrics = MetricsMonitor { (key: String) in key }
    metrics.see(Hostile.texts[index])
    let rows = metrics.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.count == 3)
    #expect(Set(rows.map(\.count)).count == 1)
    #expect(rows.allSatisfy { Hostile.isOneLine(String($0)) })
  }
}
