internal import Foundation

/// The counts of a ``RequestMetrics`` at one moment.
public struct RequestReport: Equatable, Sendable, CustomStringConvertible {
  /// The counts of one request, for all its arguments.
  public struct Counts: Equatable, Sendable {
    /// The observers that found a fresh answer.
    public internal(set) var hits = 0

    /// The observers that started a fetch, or that wait for the connection.
    public internal(set) var misses = 0

    /// The observers that joined a fetch in progress.
    public internal(set) var shared = 0

    /// The fetches that failed, after all their retries.
    public internal(set) var failures = 0

    /// The durations of the fetches that brought an answer.
    public internal(set) var durations = FetchDurations()
  }

  /// The counts by the names of the requests.
  public internal(set) var requests: [String: Counts] = [:]

  /// A line for each request.
  public var description: String {
    requests.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }
}

extension RequestReport.Counts: CustomStringConvertible {
  /// The counts and the durations, on one line.
  public var description: String {
    let counts = "hits \(hits), misses \(misses), shared \(shared), failed \(failures)"
    guard let median = durations.percentile(50) else { return counts }
    return "\(counts); fetches \(durations.count), median \(median), longest \(durations.maximum)"
  }
}

/// The durations of fetches, in little memory.
///
/// - A percentile has a relative error of at most 5 percent. The count and the maximum are exact.
public struct FetchDurations: Equatable, Sendable {
  /// The number of durations.
  public private(set) var count = 0

  /// The longest duration; zero if there is none.
  public private(set) var maximum = Duration.zero

  /// The numbers of durations by eighths of a doubling, from a microsecond.
  private var buckets: [Int: Int] = [:]

  /// Returns approximately the shortest duration that a given percentage of all durations don't exceed; nil if there is
  /// none.
  ///
  /// - Parameter percent: A number from 0 to 100. Lower numbers count as 0; higher numbers and NaN count as 100.
  public func percentile(_ percent: Double) -> Duration? {
    let part = percent < 100 ? max(percent, 0) / 100 : 1
    var left = Int((part * Double(count)).rounded(.up))
    for (index, number) in buckets.sorted(by: { $0.key < $1.key }) {
      left -= number
      if left <= 0 { return min(.microseconds(exp2((Double(index) + 0.5) / 8)), maximum) }
    }
    return nil
  }

  mutating func add(_ duration: Duration) {
    buckets[Int(log2(max(duration / .microseconds(1), 1)) * 8), default: 0] += 1
    count += 1
    maximum = max(maximum, duration)
  }
}
