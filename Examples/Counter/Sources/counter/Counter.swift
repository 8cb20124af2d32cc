import Arbor

/// The same counter twice: its state is changed by actions first, and then by commits.
@main
struct Counter: Sendable {
  var count = 0

  static func main() {
    print("With actions:")
    countWithActions()
    print("With commits:")
    countWithCommits()
  }
}

// MARK: - With actions

enum CounterAction {
  case increment
  case add(Int)
}

let counterReducer: Reducer<Counter, CounterAction> = { state, action in
  switch action {
  case .increment: state.count += 1
  case .add(let amount): state.count += amount
  }
}

func countWithActions() {
  let factory = StoreFactory(initialState: Counter(), reducer: counterReducer)
  let store = factory.rootStore()
  let printing = store.observe { state in print("  \(state.count)") }
  store.dispatch(.increment)
  store.dispatchAndWait(.add(2))
  printing.cancel()
}

// MARK: - With commits

func countWithCommits() {
  let store = CommitStore(initialState: Counter())
  let printing = store.observe { state in print("  \(state.count)") }
  store.commitLater { $0.count += 1 }
  let amount = 2
  store.commit { $0.count += amount }
  printing.cancel()
}
