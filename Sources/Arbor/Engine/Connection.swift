/// What became of an observer that was accepted: the way to end its subscription from outside.
@usableFromInline
struct Connection: Sendable {
  /// Keeps nothing of the observer alive.
  private weak let subscription: Subscription?
  private let port: Port?

  @usableFromInline
  init(_ subscription: Subscription, port: Port) {
    self.subscription = subscription
    self.port = port
  }

  /// A connection that cannot be ended from here.
  @usableFromInline
  init() {
    subscription = nil
    port = nil
  }

  /// Keeps an object for as long as the subscription lasts.
  func keep(_ object: any AnyObject & Sendable) {
    if let subscription { port?.keep(object, for: subscription) }
  }

  /// Ends the subscription, from any thread, any number of times.
  func end() {
    if let subscription { port?.end(subscription) }
  }
}
