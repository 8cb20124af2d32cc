/// What a ``LogMonitor`` says beside the actions and how they came out.
public struct LogDetail: OptionSet, Sendable, Hashable {
  /// When each action was accepted, and how long its way took. Cost: the clock is read for every action.
  public static let times = LogDetail(rawValue: 1 << 0)

  /// What the reducers have changed. Cost: where they change something, they copy it.
  public static let changes = LogDetail(rawValue: 1 << 1)

  /// What happens beside the actions: stores, observers, tasks and activities.
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
