import Arbor

/// The state of most rows: a few fields, one of them on the heap.
struct Counter: Sendable {
  var count = 0
  var step = 1
  var title = "A title that is too long to be stored in place"

  static let reducer: Reducer<Counter, CounterAction> = { state, action in state.reduce(action) }

  mutating func reduce(_ action: CounterAction) {
    switch action {
    case .increment: count &+= step
    case .add(let amount): count &+= amount
    case .reset: count = 0
    }
  }
}
