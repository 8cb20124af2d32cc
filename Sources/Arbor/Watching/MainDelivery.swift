/// Delivery of the latest state on the main actor.
public struct MainDelivery: Sendable {
  /// The latest state only, on the main actor: one hop waits at most, however many steps happen meanwhile.
  ///
  /// - A `dispatchAndWait` made on the main actor has delivered before it returns, once it has left the store's queue; but
  ///   never inside a delivery that is running: that one is called again when it has ended.
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
