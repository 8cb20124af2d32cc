public import Dispatch

extension StoreProtocol {
  /// Sends an event to the observers of activities at this store's node and at each ancestor, the root's first. An
  /// activity is something that happened, and no part of the state.
  ///
  /// - It is delivered in order with the actions, and never to a child or a sibling.
  /// - It is neither stored nor repeated, and activities are never coalesced.
  /// - From any thread. Returns at once. Does nothing once the owner is gone, or if the store is closure-backed.
  /// - Parameter activity: The event, which observers of exactly its type receive.
  public func emit(_ activity: some Sendable) {
    let store = asStore
    if let address = store.address, !address.emit(activity) { store.reportUseAfterRelease() }
  }

  /// Observes the activities of a type that are emitted at this store's node or below, while the returned subscription
  /// is kept.
  ///
  /// - Each activity that is emitted after the call is delivered once. Activities that still wait when this store's
  ///   owner is released reach only the ancestors' observers.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - queue: The queue on which the closure is called with one activity after the other; nil for the store's own
  ///     queue, on which activities come in order with the states. For the main actor use
  ///     ``ActivityDelivery/main``, which `.main` means here.
  ///   - body: Called with each activity.
  @_disfavoredOverload
  public func observe<Activity: Sendable>(
    activities type: Activity.Type,
    on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (_ activity: Activity) -> Void
  ) -> StoreSubscription {
    guard let source = asStore.source(of: type) else { return StoreSubscription {} }
    // There is no first activity to wait for.
    return source.observe(initial: true, nil, on: queue.map { .each(on: $0) } ?? .storeQueue, body)
  }

  /// Observes the activities of a type on the main actor, in order and each once, while the returned subscription is
  /// kept.
  ///
  /// - Like the overload for any queue; see ``ActivityDelivery/main``.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - delivery: The delivery on the main actor: `.main`.
  ///   - body: Called with each activity.
  public func observe<Activity: Sendable>(
    activities type: Activity.Type,
    on delivery: ActivityDelivery,
    _ body: @escaping @MainActor @Sendable (_ activity: Activity) -> Void
  ) -> StoreSubscription {
    guard let source = asStore.source(of: type) else { return StoreSubscription {} }
    let receiver = Receiver<Activity>(skipsFirst: false, keepsPrevious: false) { changes in
      MainDeliveries.call { body(changes.current) }
    }
    return source.observe(MainActivities(to: receiver, from: source).observer)
  }

  /// The activities of a type that are emitted from now on, at this store's node or below.
  ///
  /// - Subscribes at once: activities are buffered even before the iteration begins.
  /// - Ends when the owner is gone or the task is cancelled. Activities are dropped only as the buffering says.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - buffering: The activities that are kept for a consumer that is slower than they come; by default all.
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
  /// The source of the activities of a type; nil once the owner is gone, or if the store is closure-backed.
  fileprivate func source<Activity: Sendable>(of type: Activity.Type) -> AnyStateSource<Activity>? {
    guard let address else { return nil }
    let source = address.host.activities.source(of: type)
    if source == nil { reportUseAfterRelease() }
    return source
  }
}

extension Interceptor.Context {
  /// Sends an event to the observers of activities at the store that has the interceptor, and at each ancestor, like
  /// ``StoreProtocol/emit(_:)``.
  ///
  /// - Silently does nothing once that store is gone.
  /// - Parameter activity: The event, which observers of exactly its type receive.
  public func emit(_ activity: some Sendable) {
    _ = store.address.emit(activity)
  }
}

extension NodeAddress {
  /// Delivers an activity at the node and at each ancestor, after what was accepted before.
  ///
  /// - Parameter cause: The cause of the activity; nil if that is the code that runs here and now.
  /// - Returns: `true` if the activity was accepted.
  package func emit(_ activity: some Sendable, causedBy cause: ActionCause? = nil) -> Bool {
    guard !tree.isShowingMoment else { return true }
    let cause = cause ?? tree.cause
    return tree.append(at: self, .activity) { node in
      let node = Node.of(node)
      node.tree.run(causedBy: cause.followed(by: .activity)) { node.deliverActivity(activity) }
    }
  }
}

extension Node {
  /// Calls the observers of activities of this type: the root's first, this node's last.
  fileprivate func deliverActivity(_ activity: some Sendable) {
    if let monitored { tree.listener?.report(.other(StoreEvent.activity(activity, in: monitored))) }
    var ancestors = [self]
    while let parent = ancestors[ancestors.count - 1].parent { ancestors.append(parent) }
    for node in ancestors.reversed() {
      node.nodeAddress.host.attachments.existing(ActivityChannels.self)?.takeUnretainedValue().deliver(activity)
    }
  }
}

extension AttachmentHost {
  /// The channels of the activities that are emitted at this host or below.
  fileprivate var activities: ActivityChannels {
    attachments.object { ActivityChannels(on: tree) }.takeUnretainedValue()
  }
}
