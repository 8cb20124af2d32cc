import Arbor
import TestSupport

/// One thread of the stress test: a seeded random mixture of all operations on two trees from outside.
struct StressWorker {
  private(set) var first: TreeUser<StressAction>
  private(set) var second: TreeUser<Mutation<Ledger>>
  private var random: SplitMix64

  init(_ first: StressTree<StressAction>, _ second: StressTree<Mutation<Ledger>>, lane: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(lane))
    self.first = TreeUser(first, lane: lane, random: SplitMix64(seed: random.next()))
    self.second = TreeUser(second, lane: lane, random: SplitMix64(seed: random.next()))
    self.random = random
  }

  mutating func work(operations: Int) {
    for _ in 0..<operations {
      if Int.random(in: 0..<40, using: &random) == 0 { combine() }
      if Bool.random(using: &random) {
        StressWorker.work(&first) { $0.first }
      } else {
        StressWorker.work(&second) { $0.second }
      }
    }
    first.releaseTemporaries()
    second.releaseTemporaries()
  }

  private static func work<Action>(
    _ user: inout TreeUser<Action>,
    _ ledger: @escaping @Sendable (Outcome) -> Ledger
  ) {
    switch user.roll(1_000) {
    case 0..<400: user.send()
    case 400..<450: user.sendBatch()
    case 450..<510: user.sendAndWait()
    case 510..<570: user.failOrSendToPart()
    case 570..<700: user.sendToTemporary()
    case 700..<720: user.releaseTemporaries()
    case 720..<790: user.useShared()
    case 790..<820: user.emit()
    case 820..<845: user.subscribe()
    case 845..<860: user.endObserver()
    case 860..<870: user.subscribeAgain()
    case 870..<890: user.observe()
    case 890..<900: user.dropObservation()
    case 900..<925: user.follow(ledger)
    case 925..<942: user.startTask()
    case 942..<950: user.startAndCancelTask()
    case 950..<980: user.meddle()
    case 980..<990: user.readValues()
    default: user.readState()
    }
  }

  /// Makes a value of both trees, which never goes back to an older state of either.
  private mutating func combine() {
    let (steps, commits) = (first.tree.steps, second.tree.steps)
    let isFirst = Bool.random(using: &random)
    let both = isFirst ? Derived<(Int, Int)>.combined(steps, commits) : Derived<(Int, Int)>.combined(commits, steps)
    let twins = both.derived { pair in
      isFirst ? Twins(first: pair.0, second: pair.1) : Twins(first: pair.1, second: pair.0)
    }
    let isInOrder: @Sendable (Twins, Twins) -> Bool = { $0 != $1 && $0.first <= $1.first && $0.second <= $1.second }
    let expected: @Sendable (Outcome) -> Twins = { Twins(first: $0.first.steps, second: $0.second.steps) }
    if isFirst {
      first.follow(twins, isInOrder: isInOrder, expected: expected)
    } else {
      second.follow(twins, isInOrder: isInOrder, expected: expected)
    }
  }

  func check(_ outcome: Outcome) {
    first.checkWatched(outcome.first, outcome)
    second.checkWatched(outcome.second, outcome)
  }
}
