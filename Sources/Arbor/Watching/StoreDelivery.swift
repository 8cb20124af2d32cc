public import Dispatch

/// The queue on which a subscriber is called, either with each state or with the latest state.
///
/// ```swift
/// let subscription = store.observe(on: .latest(on: savingQueue, atMostEvery: .seconds(5))) { state in save(state) }
/// ```
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

  /// Delivers each state, in order, on the store's queue, before the step ends.
  public static let storeQueue = StoreDelivery(form: .storeQueue)

  /// Delivers each state, in order, on a given queue, never two at the same time, even if the queue is concurrent.
  ///
  /// - If the subscriber is slower than the actions, waiting states are kept in memory.
  /// - Parameter queue: The queue of the deliveries, serial or concurrent.
  public static func each(on queue: DispatchQueue) -> StoreDelivery {
    StoreDelivery(form: .each(queue))
  }

  /// Delivers only the latest state, on a given queue.
  ///
  /// - At most one delivery is waiting at a time, no matter how many steps happen in the meantime.
  /// - It doesn't keep a state: when the delivery runs, it reads the state between two steps, without waiting for
  ///   accepted actions. Callbacks of the tree must therefore not wait for `queue`.
  /// - Parameters:
  ///   - queue: The queue of the deliveries.
  ///   - interval: The minimum time between two deliveries, on the factory's clock. The first delivery is made at once,
  ///     then one per interval as long as there are changes. The last state is always delivered.
  public static func latest(on queue: DispatchQueue, atMostEvery interval: Duration? = nil) -> StoreDelivery {
    StoreDelivery(form: .latest(queue, interval.map { .atMostEvery($0) } ?? .unlimited))
  }

  /// Delivers only the latest state, on a given queue, once there has been no step for a while.
  ///
  /// - The first state is delivered at once; then only the last state of each burst is delivered. A state that keeps
  ///   changing without such a pause isn't delivered until it stops changing.
  /// - It doesn't keep a state, like ``latest(on:atMostEvery:)``. Cost: the clock is read in each step.
  /// - Parameters:
  ///   - queue: The queue of the deliveries.
  ///   - interval: The time without a step before a delivery, on the factory's clock.
  public static func latest(on queue: DispatchQueue, debounce interval: Duration) -> StoreDelivery {
    StoreDelivery(form: .latest(queue, .debounce(interval)))
  }
}

/// Delivery of the latest state on the main actor.
///
/// ```swift
/// let subscription = store.observe(on: .main(atMostEvery: .milliseconds(100))) { state in show(state) }
/// ```
public struct MainDelivery: Sendable {
  /// Delivers only the latest state, on the main actor.
  ///
  /// - At most one delivery is waiting at a time, no matter how many steps happen in the meantime.
  /// - A `dispatchAndWait` or `commit` on the main actor performs the delivery before it returns. If you make such a
  ///   call inside the subscriber's own delivery, another delivery follows afterward.
  /// - The delivery reads the state between two steps. Callbacks of the tree must therefore not wait for the main
  ///   actor.
  /// - It needs a running main run loop, like all work on the main actor.
  public static let main = MainDelivery(pace: .unlimited)

  /// Delivers only the latest state, on the main actor, at most once per interval.
  ///
  /// - It works like ``StoreDelivery/latest(on:atMostEvery:)``.
  /// - A `dispatchAndWait` during the interval doesn't perform the delivery; the state is delivered at the end of the
  ///   interval.
  /// - Parameter interval: The minimum time between two deliveries, on the factory's clock.
  public static func main(atMostEvery interval: Duration) -> MainDelivery {
    MainDelivery(pace: .atMostEvery(interval))
  }

  /// Delivers only the latest state, on the main actor, once there has been no step for a while.
  ///
  /// - It works like ``StoreDelivery/latest(on:debounce:)``.
  /// - A `dispatchAndWait` doesn't make the delivery earlier.
  /// - Parameter interval: The time without a step before a delivery, on the factory's clock.
  public static func main(debounce interval: Duration) -> MainDelivery {
    MainDelivery(pace: .debounce(interval))
  }

  let pace: DeliveryPace
}
