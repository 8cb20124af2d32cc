public import Dispatch

extension StoreProtocol {
  /// Sends an event to those who listen at this store's node and at each ancestor, the root's first: something that happened, and
  /// that is no state.
  ///
  /// - It is delivered in order with the actions, and never to a child or a sibling.
  /// - It is neither stored nor repeated, and no two are made one.
  /// - From any thread. Returns at once. Does nothing once the owner is gone, or if the store was made by hand.
  public func emit(_ activity: some Sendable) {
    let store = asStore
    if let address = store.address, !address.emit(activity) { store.reportUseAfterRelease() }
  }

  /// Listens for activities of a type, at this store's node, for as long as the subscription that is returned is kept.
  ///
  /// - Those are heard that are emitted after the call, each once. What still waits when this store's owner is released is heard
  ///   above it alone.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - queue: Where the closure is called, with one activity after the other; nil for the store's own queue, where they come
  ///     in order with the states.
  ///   - body: Called with each activity.
  public func observe<Activity: Sendable>(
    activities type: Activity.Type,
    on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (_ activity: Activity) -> Void
  ) -> StoreSubscription {
    guard let source = asStore.source(of: type) else { return StoreSubscription {} }
    return source.observe(on: queue.map { .each(on: $0) } ?? .storeQueue) { (activity: Activity) in body(activity) }
  }

  /// The activities of a type that are emitted from now on, at this store's node or below.
  ///
  /// - Ends when the owner is gone or the task is cancelled. Nothing is dropped but what the buffering says.
  public func activities<Activity: Sendable>(
    of type: Activity.Type,
    buffering: StateBuffering = .unbounded
  ) -> ActivitySequence<Activity> {
    let source = asStore.source(of: type)
    let stream = source?.stream(buffering) { activity in (activity, .active) }
    return ActivitySequence(stream: stream ?? AsyncStream { $0.finish() }, tree: source?.tree)
  }
}

extension Store {
  /// How the activities of a type are reached; nil once the owner is gone, or if the store was made by hand.
  fileprivate func source<Activity: Sendable>(of type: Activity.Type) -> AnyStateSource<Activity>? {
    guard let address else { return nil }
    let source = address.host.activities.source(of: type)
    if source == nil { reportUseAfterRelease() }
    return source
  }
}

extension Interceptor.Context {
  /// Tells those of an event who listen at the store that has the interceptor, and above, as ``StoreProtocol/emit(_:)``.
  ///
  /// - Silently does nothing once that store is gone.
  public func emit(_ activity: some Sendable) {
    _ = address.emit(activity)
  }
}

extension NodeAddress {
  /// Lets an activity be heard at the node and above, in its turn.
  ///
  /// - Returns: Whether it was accepted.
  fileprivate func emit(_ activity: some Sendable) -> Bool {
    tree.append(at: self, .activity) { node in unsafeDowncast(node, to: Node.self).deliverActivity(activity) }
  }
}

extension Node {
  /// Calls those who listen for activities of this type: the root's first, this node's last.
  fileprivate func deliverActivity(_ activity: some Sendable) {
    if let monitored { tree.listener?.report(.activity(activity, in: monitored)) }
    var ancestors = [self]
    while let parent = ancestors[ancestors.count - 1].parent { ancestors.append(parent) }
    for node in ancestors.reversed() {
      node.nodeAddress.host.attachments.existing(ActivityChannels.self)?.takeUnretainedValue().deliver(activity)
    }
  }
}

extension AttachmentHost {
  /// Where those listen who listen for activities here.
  fileprivate var activities: ActivityChannels {
    attachments.object { ActivityChannels(on: tree) }.takeUnretainedValue()
  }
}
