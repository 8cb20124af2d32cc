public import Dispatch

extension StoreProtocol {
  /// Sends an event to the observers of activities at this store's node and at each ancestor, the root's first.
  ///
  /// - An activity is an event that isn't part of the state.
  /// - It is delivered in order with the actions, and never to a child or a sibling.
  /// - Activities are never stored, repeated or merged.
  /// - You can call it from any thread. It returns at once. It does nothing once the owner is gone, or if the store is
  ///   closure-backed.
  /// - Parameter activity: The event. Only observers of exactly its type receive it.
  public func emit(_ activity: some Sendable) {
    let store = asStore
    if let address = store.address, !address.emit(activity) { store.reportUseAfterRelease() }
  }

  /// Observes the activities of a type that are emitted at this store's node or below, as long as you keep the returned
  /// subscription.
  ///
  /// - Each activity emitted after the call is delivered once. If activities are still waiting when this store's owner
  ///   is released, only the ancestors' observers receive them.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - queue: The queue on which the closure is called, one activity at a time. If nil, it is called on the store's
  ///     own queue, in order with the states. For the main actor, use ``ActivityDelivery/main``, which `.main` means
  ///     here.
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

  /// Observes the activities of a type on the main actor, in order, as long as you keep the returned subscription.
  ///
  /// - Each activity is delivered once, as in the overload for any queue; see ``ActivityDelivery/main``.
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

  /// Returns a sequence of the activities of a type that are emitted from now on, at this store's node or below.
  ///
  /// - It subscribes at once: activities are buffered even before the iteration begins.
  /// - It ends when the owner is gone or the task is canceled. Activities are dropped only as `buffering` specifies.
  /// - Parameters:
  ///   - type: The type of the activities: exactly this one.
  ///   - buffering: The activities to keep if the consumer is slower than they arrive; by default all.
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
  /// Returns the source of the activities of a type; nil once the owner is gone, or if the store is closure-backed.
  fileprivate func source<Activity: Sendable>(of type: Activity.Type) -> AnyStateSource<Activity>? {
    guard let address else { return nil }
    let source = address.host.activities.source(of: type)
    if source == nil { reportUseAfterRelease() }
    return source
  }
}

extension Interceptor.Context {
  /// Sends an event to the observers of activities at the interceptor's store and at each ancestor.
  ///
  /// - It works like ``StoreProtocol/emit(_:)``, and silently does nothing once that store is gone.
  /// - Parameter activity: The event. Only observers of exactly its type receive it.
  public func emit(_ activity: some Sendable) {
    _ = store.address.emit(activity)
  }
}

extension NodeAddress {
  /// Delivers an activity at the node and at each ancestor, after everything already accepted.
  ///
  /// - Parameter cause: The cause of the activity; nil if it is the code that runs here and now.
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
  /// The channels for the activities that are emitted at this host or below.
  fileprivate var activities: ActivityChannels {
    attachments.object { ActivityChannels(on: tree) }.takeUnretainedValue()
  }
}
