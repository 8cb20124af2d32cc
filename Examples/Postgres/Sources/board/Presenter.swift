import ArborSync
import BoardCore

/// Reports to other clients that this person is present, and at which card.
struct Presenter: Sendable {
  /// The interval of the reports, so that the person does not count as gone.
  private static let interval = Duration.seconds(3)

  private let shared: SharedBoard

  init(_ shared: SharedBoard) {
    self.shared = shared
  }

  /// Reports repeatedly, and soon after a change, until the task is canceled.
  @MainActor
  func run(_ presence: @MainActor () -> Presence) async {
    var last: (presence: Presence, time: ContinuousClock.Instant)?
    while !Task.isCancelled {
      let now = (presence: presence(), time: ContinuousClock.now)
      if last?.presence != now.presence || last.map({ now.time - $0.time >= Self.interval }) ?? true {
        // Best effort: while the log cannot be reached, this tries again each second.
        if (try? await shared.broadcast(now.presence)) != nil { last = now }
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Reports that the person is leaving, and waits a moment for the message to be sent.
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
