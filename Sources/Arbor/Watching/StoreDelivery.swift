public import Dispatch

/// The queue on which a subscriber is called, with each state or with the latest.
public struct StoreDelivery: Sendable {
  enum Form: Sendable {
    case storeQueue
    case each(DispatchQueue)
    case latest(DispatchQueue, interval: Duration?)
  }

  let form: Form

  /// `true` if each state is given where it is made.
  @usableFromInline var isOfEachOnStoreQueue: Bool {
    if case .storeQueue = form { true } else { false }
  }

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

/// Delivery of the latest state on the main actor.
public struct MainDelivery: Sendable {
  /// The latest state only, on the main actor: one delivery waits at most, however many steps happen meanwhile.
  ///
  /// - A `dispatchAndWait` or `commit` on the main actor makes the delivery before it returns. Called inside a delivery that is
  ///   running it does not: that one is repeated when it has ended.
  /// - It takes the state between two steps: a callback of the tree must therefore not wait for the main actor.
  /// - Needs a main run loop, as any work on the main actor does.
  public static let main = MainDelivery(interval: nil)

  /// The same, at most once in so much time on the factory's clock, as ``StoreDelivery/latest(on:atMostEvery:)``.
  ///
  /// - A `dispatchAndWait` within that time delivers nothing; the state comes when the time is over.
  public static func main(atMostEvery interval: Duration) -> MainDelivery {
    MainDelivery(interval: interval)
  }

  let interval: Duration?
}
