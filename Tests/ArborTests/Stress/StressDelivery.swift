import Arbor
import Dispatch

/// A way of delivery in the stress test, and what is promised of it.
struct StressDelivery: Sendable {
  let delivery: StoreDelivery
  let rule: StateWitness.Rule

  /// `true` if it is made on the tree's queue.
  let isOnStoreQueue: Bool

  /// `true` if only the latest state is delivered.
  var isLatest: Bool {
    if case .laterSteps = rule { true } else { false }
  }

  /// `true` if the last delivery may come at a later time.
  let isTimed: Bool

  init(_ dice: Dice, on queues: [DispatchQueue]) {
    let queue = queues[dice.roll(queues.count)]
    switch dice.roll(6) {
    case 0, 1: self.init(.storeQueue, .everyStep, isOnStoreQueue: true)
    case 2, 3: self.init(.each(on: queue), .everyStep)
    case 4: self.init(.latest(on: queue), .laterSteps)
    default: self.init(.latest(on: queue, atMostEvery: .microseconds(100)), .laterSteps, isTimed: true)
    }
  }

  private init(
    _ delivery: StoreDelivery,
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
