public import Dispatch

/// The queue on which a subscriber is called, either with each state or with the latest state.
public struct StoreDelivery: Sendable {
  enum Form: Sendable {
    case storeQueue
    case each(DispatchQueue)
    case latest(DispatchQueue, DeliveryPace)
  }

  let form: Form

  /// `true` if each state is delivered on the store's queue.
  @usableFromInline var isStoreQueue: Bool {
    if case .storeQueue = form { true } else { false }
  }

  /// Each state, in order, on the store's queue, before the step ends.
  public static let storeQueue = StoreDelivery(form: .storeQueue)

  /// Each state, in order, on a given queue; never two at the same time, even if the queue is concurrent.
  ///
  /// - If the subscriber is slower than the actions, the states that wait for it are kept in memory.
  /// - Parameter queue: The queue of the deliveries, serial or concurrent.
  public static func each(on queue: DispatchQueue) -> StoreDelivery {
    StoreDelivery(form: .each(queue))
  }

  /// The latest state only, on a given queue: at most one delivery waits, however many steps happen meanwhile.
  ///
  /// - No state is kept: when the delivery runs, it reads the state between two steps, without waiting for accepted
  ///   actions. Callbacks of the tree must therefore not wait for `queue`.
  /// - Parameters:
  ///   - queue: The queue of the deliveries.
  ///   - interval: The least time between two deliveries, on the factory's clock: the first delivery is made at once, then
  ///     one per interval as long as there are changes. The last state is always delivered.
  public static func latest(on queue: DispatchQueue, atMostEvery interval: Duration? = nil) -> StoreDelivery {
    StoreDelivery(form: .latest(queue, interval.map { .atMostEvery($0) } ?? .unlimited))
  }

  /// The latest state only, on a given queue, once no step has come for a while.
  ///
  /// - The first state is delivered at once; of those that follow, the last one of each burst. A state that changes
  ///   without a pause is not delivered until it rests.
  /// - No state is kept, as in ``latest(on:atMostEvery:)``. Cost: a time is read in each step.
  /// - Parameters:
  ///   - queue: The queue of the deliveries.
  ///   - interval: The time without a step before a delivery, on the factory's clock.
  public static func latest(on queue: DispatchQueue, debounce interval: Duration) -> StoreDelivery {
    StoreDelivery(form: .latest(queue, .debounce(interval)))
  }
}

/// Delivery of the latest state on the main actor.
public struct MainDelivery: Sendable {
  /// The latest state only, on the main actor: at most one delivery waits, however many steps happen meanwhile.
  ///
  /// - A `dispatchAndWait` or `commit` on the main actor makes the delivery before it returns. Such a call inside the
  ///   subscriber's own delivery does not: that delivery is repeated after it has ended.
  /// - The delivery reads the state between two steps. Callbacks of the tree must therefore not wait for the main
  ///   actor.
  /// - Needs a running main run loop, as all work on the main actor does.
  public static let main = MainDelivery(pace: .unlimited)

  /// The latest state only, on the main actor, at most once per interval, like
  /// ``StoreDelivery/latest(on:atMostEvery:)``.
  ///
  /// - A `dispatchAndWait` during the interval delivers nothing; the state is delivered when the interval is over.
  /// - Parameter interval: The least time between two deliveries, on the factory's clock.
  public static func main(atMostEvery interval: Duration) -> MainDelivery {
    MainDelivery(pace: .atMostEvery(interval))
  }

  /// The latest state only, on the main actor, once no step has come for a while, like
  /// ``StoreDelivery/latest(on:debounce:)``.
  ///
  /// - A `dispatchAndWait` delivers nothing before that.
  /// - Parameter interval: The time without a step before a delivery, on the factory's clock.
  public static func main(debounce interval: Duration) -> MainDelivery {
    MainDelivery(pace: .debounce(interval))
  }

  let pace: DeliveryPace
}
