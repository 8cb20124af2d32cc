/// The detail that a ``LogMonitor`` logs beside the actions and how they came out.
public struct LogDetail: OptionSet, Sendable, Hashable {
  /// The acceptance time and the ``LoggedTimes`` of actions. Cost: the clock is read for every action.
  public static let times = LogDetail(rawValue: 1 << 0)

  /// The changes of the reducers. Cost: where they change something, they copy it.
  public static let changes = LogDetail(rawValue: 1 << 1)

  /// The events beside the actions: stores, observers, tasks and activities.
  public static let events = LogDetail(rawValue: 1 << 2)

  /// All of it.
  public static let all: LogDetail = [.times, .changes, .events]

  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}
