internal import Dispatch

/// The observers of activities at a node, one channel for each type of activity.
///
/// From any thread.
@usableFromInline
final class ActivityChannels: Attachment, @unchecked Sendable {  // A lock guards the variables.
  private struct Content: Sendable {
    var channels: [ObjectIdentifier: Audience] = [:]
    var isClosed = false
  }

  /// The observers of activities of one type, which have no state.
  private final class Channel<Activity: Sendable>: Audience, @unchecked Sendable {  // Like its superclass.
    init(on tree: Tree) {
      super.init(at: Address(on: tree))
      address.open(to: self)
    }
  }

  private let tree: Tree
  private let content = Protected(Content())

  init(on tree: Tree) {
    self.tree = tree
    super.init()
  }

  /// The source of the activities of a type; nil once the owner is gone.
  func source<Activity: Sendable>(of _: Activity.Type) -> AnyStateSource<Activity>? {
    if let channel = channel(of: Activity.self) { return source(of: channel) }
    // Made outside the lock. Closed again if another thread has added a channel first, or if the owner was released.
    let new = Channel<Activity>(on: tree)
    let channel = content.withLock { content -> Channel<Activity>? in
      guard !content.isClosed else { return nil }
      let type = ObjectIdentifier(Activity.self)
      if let channel = content.channels[type] { return Channel<Activity>.of(channel) }
      content.channels[type] = new
      return new
    }
    if channel !== new { tree.close(new.address) }
    return channel.map { source(of: $0) }
  }

  private func source<Activity>(of channel: Channel<Activity>) -> AnyStateSource<Activity> {
    // Activities have no current value, and an observer does not receive those that were emitted before.
    AnyStateSource(of: channel.address, subscribedBy: .following(needsPresent: false)) { _ in nil }
  }

  /// Calls the observers of activities of this type. On the tree's queue.
  func deliver<Activity: Sendable>(_ activity: Activity) {
    channel(of: Activity.self)?.notifyObservers(activity)
  }

  private func channel<Activity: Sendable>(of _: Activity.Type) -> Channel<Activity>? {
    let channel = content.withLock { $0.channels[ObjectIdentifier(Activity.self)] }
    return channel.map { Channel<Activity>.of($0) }
  }

  /// Closes the channels, which lets their observers go: the owner is gone.
  override func close() {
    let channels = content.withLock { content in
      content.isClosed = true
      defer { content.channels = [:] }
      return content.channels
    }
    for channel in channels.values { tree.close(channel.address) }
  }
}
