import Arbor
import ArborTesting

/// The state of the tests: a number, and an optional detail.
struct Counter: Sendable, Equatable {
  var count = 0
  var detail: Int?
}

enum CounterAction: Sendable {
  case add(Int)
  case show(Int?)
}

/// An activity of the tests.
struct Saved: Sendable, Equatable {
  let number: Int
}

let reduceCounter: Reducer<Counter, CounterAction> = { state, action in
  switch action {
  case .add(let number): state.count += number
  case .show(let detail): state.detail = detail
  }
}

extension StoreFactory where State == Counter, Action == CounterAction {
  /// A tree on its own queue.
  static func counter() -> StoreFactory {
    StoreFactory(initialState: Counter(), reducer: reduceCounter)
  }

  /// A tree that a test runs manually.
  static func counter(on executor: ManualExecutor) -> StoreFactory {
    StoreFactory(
      initialState: Counter(),
      settings: TreeSettings(executor: executor),
      reducer: reduceCounter
    )
  }
}
