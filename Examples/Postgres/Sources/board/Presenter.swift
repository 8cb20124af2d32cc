import ArborSync
import BoardCore

/// Tells the others that this person is there, and what she looks at.
struct Presenter: Sendable {
  /// The time after which it is said again, so that nobody takes the person for gone.
  private static let interval = Duration.seconds(3)

  private let shared: SharedBoard

  init(_ shared: SharedBoard) {
    self.shared = shared
  }

  /// Tells it again and again, and soon where something is another, until the task is cancelled.
  @MainActor
  func run(_ presence: @MainActor () -> Presence) async {
    var last: (presence: Presence, time: ContinuousClock.Instant)?
    while !Task.isCancelled {
      let now = (presence: presence(), time: ContinuousClock.now)
      if last?.presence != now.presence || last.map({ now.time - $0.time >= Self.interval }) ?? true {
        // Best effort: while the log cannot be reached it is tried each second.
        if (try? await shared.broadcast(now.presence)) != nil { last = now }
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Tells that the person goes, and waits a moment for that.
  func leave(_ presence: Presence) async {
    var presence = presence
    presence.isLeaving = true
    let (first, sender) = AsyncStream<Void>.makeStream()
    Task { [shared, presence] in
      try? await shared.broadcast(presence)
      sender.yield()
    }
    Task {
      try? await Task.sleep(for: .milliseconds(500))
      sender.yield()
    }
    for await _ in first { return }
  }
}
