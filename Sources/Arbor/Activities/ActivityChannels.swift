internal import Dispatch

/// Where those subscribe who listen for activities at a node: a channel for each type of activity.
///
/// From any thread.
@usableFromInline
final class ActivityChannels: Attachment, @unchecked Sendable {  // A lock guards all that varies.
  private struct Content: Sendable {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  /// A channel, whatever its type.
  private protocol Channel: AnyObject, Sendable {
    func close()
  }

  /// A place on the tree's mailbox whose observers are given activities of one type, and which has no state.
  private final class TypedChannel<Activity: Sendable>: Channel {
    let node: StateNode<Activity, Never>
    let store: Store<Activity, Never>

    init(on mailbox: Mailbox) {
      let address = NodeAddress(on: mailbox, quality: .unspecified)
      store = Store(at: address, tracedBy: Untraced())
      node = StateNode(
        at: address,
        dispatch: store.sink.dispatch,
        parent: nil,
        read: { nil },
        reduce: StateNode<Activity, Never>.reduceNever
      )
      node.open(tracedBy: Untraced())
    }

    func close() {
      let address = node.address
      address.mailbox.close(address) { node in unsafeDowncast(node, to: Node.self).detach() }
    }
  }

  private let mailbox: Mailbox
  private let content = Protected(Content())

  init(on mailbox: Mailbox) {
    self.mailbox = mailbox
    super.init()
  }

  /// Where activities of a type are heard; nil once the owner is gone.
  func store<Activity: Sendable>(of _: Activity.Type) -> Store<Activity, Never>? {
    if let channel = channel(of: Activity.self) { return channel.store }
    // Made outside the lock, and closed if another thread or the owner's release came before.
    let new = TypedChannel<Activity>(on: mailbox)
    let channel = content.withLock { content -> TypedChannel<Activity>? in
      guard !content.isClosed else { return nil }
      let type = ObjectIdentifier(Activity.self)
      if let channel = content.channels[type] { return unsafeDowncast(channel, to: TypedChannel<Activity>.self) }
      content.channels[type] = new
      return new
    }
    if channel !== new { new.close() }
    return channel?.store
  }

  /// Calls those who listen for activities of this type. On the tree's queue.
  func hear<Activity: Sendable>(_ activity: Activity) {
    channel(of: Activity.self)?.node.notify(activity)
  }

  private func channel<Activity: Sendable>(of _: Activity.Type) -> TypedChannel<Activity>? {
    let channel = content.withLock { $0.channels[ObjectIdentifier(Activity.self)] }
    return channel.map { unsafeDowncast($0, to: TypedChannel<Activity>.self) }
  }

  /// The owner is gone: lets those go who listen.
  override func close() {
    let channels = content.withLock { content in
      content.isClosed = true
      defer { content.channels = [:] }
      return content.channels
    }
    for channel in channels.values { channel.close() }
  }
}
