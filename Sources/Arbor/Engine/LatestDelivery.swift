internal import Dispatch

/// Delivers the latest state to a receiver on a queue. It keeps no state but takes it when it delivers.
final class LatestDelivery<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  private let receiver: Receiver<State>
  private let glance: @Sendable () -> State?
  private let executor: any Executor
  private let clock: any Clock<Duration>
  private let queue: DispatchQueue
  private let interval: Duration?
  private let pace: Protected<Pace>

  /// Where it waits for the main actor; nil on any other queue.
  private let main: MainDeliveries?

  private var isDelivering = false
  private var isCalledAgain = false

  init(
    to receiver: Receiver<State>,
    in surroundings: Surroundings,
    on queue: DispatchQueue,
    isMain: Bool = false,
    interval: Duration? = nil,
    glance: @escaping @Sendable () -> State?
  ) {
    self.receiver = receiver
    self.queue = queue
    self.interval = interval
    self.glance = glance
    main = isMain ? surroundings.main : nil
    executor = surroundings.executor
    clock = surroundings.clock
    pace = Protected(Pace(isTimed: interval != nil))
  }

  /// There is a new state.
  func change() {
    if pace.withLock({ $0.change() }) { send() }
  }

  private func send() {
    main?.wait(self) { self.deliver() }
    executor.deliver(on: queue) { self.deliver() }
  }

  /// Delivers the latest state, if that was not done already. On the queue.
  private func deliver() {
    guard pace.withLock({ $0.arrive() }) else { return }
    main?.arrive(self)
    guard !receiver.isCancelled else { return }
    if let interval {
      executor.schedule(after: interval, on: clock) { [weak self] in
        guard let self else { return }
        if pace.withLock({ $0.rest() }) { send() }
      }
    }
    // Sent in its own callback, it is delivered once that has ended.
    isCalledAgain = true
    guard !isDelivering else { return }
    isDelivering = true
    while isCalledAgain {
      isCalledAgain = false
      if let state = glance() { receiver.receive(state) }
    }
    isDelivering = false
  }
}
