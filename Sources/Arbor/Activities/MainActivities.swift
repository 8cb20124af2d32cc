internal import Dispatch

/// The delivery of activities on the main actor.
///
/// ```swift
/// let subscription = store.observe(activities: Message.self, on: .main) { message in show(message) }
/// ```
public enum ActivityDelivery: Sendable {
  /// Delivers each activity, in order, on the main actor, never two at the same time.
  ///
  /// - A `dispatchAndWait` or `commit` on the main actor delivers the waiting activities before it returns, as it
  ///   delivers states. If you make such a call inside the subscriber's own call, the remaining activities follow
  ///   afterward.
  /// - Waiting activities are kept in memory.
  /// - It needs a running main run loop, like all work on the main actor.
  case main
}

/// The activities that wait for delivery on the main actor.
final class MainActivities<Activity: Sendable>: @unchecked Sendable {
  // Sendable because the lock guards the waiting activities, and `isDelivering` is only used on the main queue.

  private struct Content: Sendable {
    var waiting: [Activity] = []

    /// The number of the delivery among those that wait for the main actor; nil if there is none.
    var ticket: UInt64?
  }

  private let content = Protected(Content())
  private let receiver: Receiver<Activity>
  private let address: Address?
  private let tree: Tree
  private let main: MainDeliveries
  private var isDelivering = false

  init(to receiver: Receiver<Activity>, from source: AnyStateSource<Activity>) {
    self.receiver = receiver
    address = source.address
    tree = source.tree
    main = MainDeliveries.of(tree)
  }

  /// The observer that adds each activity to the waiting ones.
  var observer: Observer<Activity> {
    let form = Observer<Activity>.Form.returning { activity in
      guard !self.receiver.control.isCancelled else { return .dead }
      self.add(activity)
      return .active
    }
    return Observer(form: form, control: receiver.control)
  }

  private func add(_ activity: Activity) {
    let isFirst = content.withLock { content in
      content.waiting.append(activity)
      guard content.ticket == nil else { return false }
      // Under the lock: a waiting activity always has a delivery that takes it.
      content.ticket = main.add { self.deliver() }
      return true
    }
    guard isFirst else { return }
    let hold = PendingWork.Hold(on: tree.pending)
    tree.afterLeaving {
      self.main.send()
      withExtendedLifetime(hold) {}
    }
  }

  /// Delivers the waiting activities. Called on the main queue.
  private func deliver() {
    // Inside the receiver's own call, it leaves the waiting activities to the loop below.
    guard !isDelivering else { return }
    isDelivering = true
    while true {
      let activities = take()
      guard !activities.isEmpty else { break }
      for activity in activities where address?.isOpen != false { receiver.deliver(activity) }
    }
    isDelivering = false
  }

  private func take() -> [Activity] {
    let taken = content.withLock { content in
      defer { content = Content() }
      return content
    }
    if let ticket = taken.ticket { main.remove(ticket) }
    return taken.waiting
  }
}
