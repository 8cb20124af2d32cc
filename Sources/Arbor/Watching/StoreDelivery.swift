public import Dispatch

/// Where a subscriber is called, and whether with each state or with the latest.
public struct StoreDelivery: Sendable {
  enum Form: Sendable {
    case storeQueue
    case each(DispatchQueue)
    case latest(DispatchQueue, interval: Duration?)
  }

  let form: Form

  /// Each state, in order, on the store's queue, before the step ends.
  public static let storeQueue = StoreDelivery(form: .storeQueue)

  /// Each state, in order, on a given queue, never two at the same time, also if the queue is concurrent.
  ///
  /// - A subscriber that is slower than the actions keeps the states that wait for it.
  public static func each(on queue: DispatchQueue) -> StoreDelivery {
    StoreDelivery(form: .each(queue))
  }

  /// The latest state only, on a given queue: however many steps happen meanwhile, one delivery waits at most.
  ///
  /// - No state is kept: the delivery takes the state between two steps when it runs, not waiting for what is accepted. A
  ///   callback of the tree must therefore not wait for the queue.
  /// - Parameter interval: At most one delivery in so much time, on the factory's clock: the first at once, then one an
  ///   interval as long as there are changes; the last state is always delivered.
  public static func latest(on queue: DispatchQueue, atMostEvery interval: Duration? = nil) -> StoreDelivery {
    StoreDelivery(form: .latest(queue, interval: interval))
  }
}
