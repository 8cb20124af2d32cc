internal import Dispatch

/// The observers of activities at a node, with one channel for each type of activity.
///
/// May be used from any thread.
final class ActivityChannels: Attachment {
  private struct Content: Sendable {
    /// The observers of activities of each type. They don't have a state.
    var channels: [ObjectIdentifier: Audience] = [:]
    var isClosed = false
  }

  private let tree: Tree
  private let content = Protected(Content())

  init(on tree: Tree) {
    self.tree = tree
  }

  /// Returns the source of the activities of a type; nil once the owner is gone.
  func source<Activity: Sendable>(of _: Activity.Type) -> AnyStateSource<Activity>? {
    if let channel = channel(of: Activity.self) { return source(of: Activity.self, from: channel) }
    // Made outside the lock. Closed again if another thread added a channel first, or if the owner was released.
    let new = Audience(openIn: tree)
    let channel = content.withLock { content -> Audience? in
      guard !content.isClosed else { return nil }
      let type = ObjectIdentifier(Activity.self)
      if let channel = content.channels[type] { return channel }
      content.channels[type] = new
      return new
    }
    if channel !== new { tree.close(new.address) }
    return channel.map { source(of: Activity.self, from: $0) }
  }

  private func source<Activity>(of _: Activity.Type, from channel: Audience) -> AnyStateSource<Activity> {
    // Activities have no current value, and an observer doesn't receive those emitted earlier.
    AnyStateSource(of: channel.address, subscribedBy: .following(needsPresent: false)) { _ in nil }
  }

  /// Calls the observers of activities of this type. Called on the tree's queue.
  func deliver<Activity: Sendable>(_ activity: Activity) {
    channel(of: Activity.self)?.notifyObservers(activity)
  }

  private func channel<Activity: Sendable>(of _: Activity.Type) -> Audience? {
    content.withLock { $0.channels[ObjectIdentifier(Activity.self)] }
  }

  /// Closes the channels, which releases their observers, because the owner is gone.
  package func close() {
    let channels = content.withLock { content in
      content.isClosed = true
      defer { content.channels = [:] }
      return content.channels
    }
    for channel in channels.values { tree.close(channel.address) }
  }
}
