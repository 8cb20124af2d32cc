import Arbor
import Combine

/// A subscriber that records the received values, and requests as many as the test wants.
final class TestSubscriber<Input: Sendable>: Subscriber, Sendable {
  typealias Failure = Never

  /// Runs a test's code inside `receive`, and returns the number of further values to request; nil for all.
  typealias Body = @Sendable (_ value: Input, _ subscriber: TestSubscriber) -> Int?

  private struct Content: Sendable {
    var values: [Input] = []
    var completions = 0
    var isReceiving = false
    var hasOverlapped = false
    var subscription: Held?
  }

  private struct Held: @unchecked Sendable {  // The tested subscriptions are Sendable.
    let subscription: any Subscription
  }

  private let content = Protected(Content())
  private let first: Int?
  private let body: Body

  /// - Parameter first: The number of values requested at the subscription; nil for all.
  init(requesting first: Int?, _ body: @escaping Body = { _, _ in 0 }) {
    self.first = first
    self.body = body
  }

  var values: [Input] { content.withLock { $0.values } }
  var completions: Int { content.withLock { $0.completions } }

  /// `true` if a call began before another one had ended.
  var hasOverlapped: Bool { content.withLock { $0.hasOverlapped } }

  var subscription: (any Subscription)? { content.withLock { $0.subscription }?.subscription }

  func request(_ count: Int?) {
    subscription?.request(count.map { .max($0) } ?? .unlimited)
  }

  func cancel() {
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    content.withLock { $0.subscription = Held(subscription: subscription) }
    if first != 0 { request(first) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    enter()
    content.withLock { $0.values.append(input) }
    let count = body(input, self)
    content.withLock { $0.isReceiving = false }
    return count.map { .max($0) } ?? .unlimited
  }

  func receive(completion: Subscribers.Completion<Never>) {
    enter()
    content.withLock { $0.completions += 1 }
    content.withLock { $0.isReceiving = false }
  }

  private func enter() {
    content.withLock { content in
      if content.isReceiving { content.hasOverlapped = true }
      content.isReceiving = true
    }
  }
}
