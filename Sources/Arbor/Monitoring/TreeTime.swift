/// Nanoseconds since a tree was made, or none where they were not read: on the way of each action, where durations take long.
@usableFromInline
package struct TreeTime: Sendable {
  @usableFromInline package static let none = TreeTime(nanoseconds: .min)

  @usableFromInline package let nanoseconds: Int64

  @usableFromInline
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time after a duration; what is longer than three centuries counts as that.
  @usableFromInline
  package init(_ duration: Duration) {
    nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
  }

  package var duration: Duration { .nanoseconds(nanoseconds) }

  @inlinable
  var isRead: Bool { nanoseconds != .min }

  /// How long it has been since another time; nothing if either was not read, or the clock went backwards.
  func since(_ other: TreeTime) -> Duration {
    guard isRead, other.isRead else { return .zero }
    let (difference, isTooLong) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return .nanoseconds(isTooLong ? .max : max(difference, 0))
  }
}
