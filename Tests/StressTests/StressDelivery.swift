import Arbor
import Dispatch

/// A way of delivery in the stress test, with its guarantees.
struct StressDelivery: Sendable {
  /// The queue and the pace; nil for the main actor.
  let delivery: StoreDelivery?
  let rule: StateWitness.Rule

  /// `true` if it is made on the tree's queue.
  let isOnStoreQueue: Bool

  /// `true` if only the latest state is delivered.
  var isLatest: Bool {
    if case .laterSteps = rule { true } else { false }
  }

  /// `true` if the last delivery may come later.
  let isTimed: Bool

  init(_ dice: Dice, on queues: [DispatchQueue]) {
    let queue = queues[dice.roll(queues.count)]
    switch dice.roll(7) {
    case 0, 1: self.init(.storeQueue, .everyStep, isOnStoreQueue: true)
    case 2, 3: self.init(.each(on: queue), .everyStep)
    case 4: self.init(.latest(on: queue), .laterSteps)
    case 5: self.init(nil, .laterSteps)
    default: self.init(.latest(on: queue, atMostEvery: .microseconds(100)), .laterSteps, isTimed: true)
    }
  }

  /// Observes a source in this way.
  func observe<Source: StateSource>(
    _ source: Source,
    initial: Bool,
    _ body: @escaping @Sendable (Source.State) -> Void
  ) -> StoreSubscription {
    if let delivery { return source.observe(initial: initial, on: delivery, body) }
    return source.observe(initial: initial, on: .main) { (state: Source.State) in body(state) }
  }

  private init(
    _ delivery: StoreDelivery?,
    _ rule: StateWitness.Rule,
    isOnStoreQueue: Bool = false,
    isTimed: Bool = false
  ) {
    self.delivery = delivery
    self.rule = rule
    self.isOnStoreQueue = isOnStoreQueue
    self.isTimed = isTimed
  }
}
