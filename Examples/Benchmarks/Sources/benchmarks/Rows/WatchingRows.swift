import Arbor
import Dispatch

/// The cost of observing the state.
let watchingRows = [
  Row(
    workload: "100 derived values of which one changes, an action",
    limit: "the action, 2 observers, 100 key paths read and compared",
    budget: 1
  ) { scale in
    let (values, actions) = (100, scale.count(20_000))
    let factory = StoreFactory(initialState: Numbers(), reducer: Numbers.reducer)
    let derived = (1..<values).map { _ in factory.derived(\.still) } + [factory.derived(\.moving)]
    let subscription = derived[values - 1].observe { (value: Int) in consume(value) }
    let bare = StoreFactory(initialState: Numbers(), reducer: Numbers.reducer)
    for _ in 1...2 { bare.subscribe(observer: Observer { $0.moving == .min ? .dead : .active }) }
    let reads = ClosureList<Numbers>()
    for index in 0..<values {
      let last = Reading(index == 0 ? \.moving : \.still)
      reads.add { last.hasChanged($0) }
    }
    func flood(_ factory: StoreFactory<Numbers, Int>) -> Double {
      nanoseconds(perOperationOf: actions) {
        factory.whileHeld {
          for _ in 0..<actions { factory.dispatch(1) }
        }
      }
    }
    return (
      work: {
        defer { withExtendedLifetime((derived, subscription)) {} }
        return flood(factory)
      },
      limit: {
        flood(bare)
          + nanoseconds(perOperationOf: actions) {
            var state = Numbers()
            for _ in 0..<actions {
              state.moving += 1
              consume(reads.callAll(with: state))
            }
          }
      }
    )
  },
  Row(
    workload: "a deduplicated scope whose value did not change",
    limit: "only the projection and the comparison",
    budget: 2
  ) { scale in
    let (few, many, actions) = (1, 101, scale.count(20_000))
    let trees = [few, many].map { count in
      let factory = StoreFactory(initialState: Numbers(), reducer: Numbers.reducer)
      let subscriptions = (0..<count).map { _ in
        factory.scopeStore(to: \.still).observe(removeDuplicates: .equatable) { (value: Int) in consume(value) }
      }
      return (factory, subscriptions)
    }
    let reads = ClosureList<Numbers>()
    for _ in few..<many {
      var last = 0
      reads.add { state in
        defer { last = state.still }
        return state.still != last
      }
    }
    return (
      work: {
        let times = trees.map { factory, subscriptions in
          nanoseconds(perOperationOf: actions) {
            for _ in 0..<actions { factory.dispatch(1) }
            factory.dispatchAndWait(1)
          }
        }
        return (times[1] - times[0]) / Double(many - few)
      },
      limit: {
        nanoseconds(perOperationOf: actions * (many - few)) {
          var state = Numbers()
          for _ in 0..<actions {
            state.moving += 1
            consume(reads.callAll(with: state))
          }
        }
      }
    )
  },
  Row(
    workload: "a flood with a subscriber to the latest, an array of 1,000,000",
    limit: "without the subscriber",
    budget: 1.2
  ) { scale in
    let actions = scale.count(300_000)
    let trees = [true, false].map { isWatched in
      let factory = StoreFactory<Large, Int>(initialState: Large(count: scale.count(1_000_000) + 100)) { state, index in
        state.elements[index] &+= 1
        state.changes &+= 1
      }
      let subscription =
        isWatched
        ? factory.scopeStore(to: \.changes).observe(on: .latest(on: .global())) { (changes: Int) in consume(changes) }
        : nil
      return (factory, subscription)
    }
    func flood(_ factory: StoreFactory<Large, Int>) -> Double {
      nanoseconds(perOperationOf: actions) {
        factory.whileHeld {
          for index in 0..<actions { factory.dispatch(index % 100) }
        }
      }
    }
    return (work: { flood(trees[0].0) }, limit: { flood(trees[1].0) })
  },
  Row(
    workload: "a subscription made and canceled, next to 100,000 others",
    limit: "next to none",
    budget: 1.5
  ) { scale in
    let count = scale.count(1000)
    let trees = [scale.count(100_000), 0].map { others in
      let factory = StoreFactory(initialState: Numbers(), reducer: Numbers.reducer)
      let subscriptions = (0..<others).map { _ in factory.observe { (state: Numbers) in consume(state.still) } }
      consume(factory.state.still)
      return (factory, subscriptions)
    }
    func makeAndCancel(_ factory: StoreFactory<Numbers, Int>) -> Double {
      nanoseconds(perOperationOf: count) {
        let made = (0..<count).map { _ in factory.observe { (state: Numbers) in consume(state.still) } }
        consume(factory.state.still)
        for subscription in made { subscription.cancel() }
      }
    }
    return (work: { makeAndCancel(trees[0].0) }, limit: { makeAndCancel(trees[1].0) })
  },
]

private struct Numbers: Sendable {
  var still = 0
  var moving = 0

  static let reducer: Reducer<Numbers, Int> = { state, action in state.moving &+= action }
}

private struct Large: Sendable {
  var elements: [Int]
  var changes = 0

  init(count: Int) {
    elements = Array(repeating: 0, count: count)
  }
}

/// The value at a key path, compared with the last one: the minimum work of a derived value.
private final class Reading {
  private let keyPath: KeyPath<Numbers, Int>
  private var last = 0

  init(_ keyPath: KeyPath<Numbers, Int>) {
    self.keyPath = keyPath
  }

  func hasChanged(_ state: Numbers) -> Bool {
    let value = state[keyPath: keyPath]
    defer { last = value }
    return value != last
  }
}
