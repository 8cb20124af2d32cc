/// Nanoseconds since a tree was made, or none where they were not read: on the way of each action, where durations take long.
@usableFromInline
struct TreeTime: Sendable {
  @usableFromInline static let none = TreeTime(nanoseconds: .min)

  @usableFromInline let nanoseconds: Int64

  @usableFromInline
  init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time after a duration; what is longer than three centuries counts as that.
  @usableFromInline
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let longest: Int64 = 9_000_000_000
    nanoseconds = max(-longest, min(longest, seconds)) * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  var duration: Duration { .nanoseconds(nanoseconds) }

  @inlinable
  var isRead: Bool { nanoseconds != .min }

  /// How long it has been since another time; nothing if either was not read.
  func since(_ other: TreeTime) -> Duration {
    isRead && other.isRead ? .nanoseconds(nanoseconds - other.nanoseconds) : .zero
  }
}
