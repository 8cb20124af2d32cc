import Arbor

// The smallest program with the product Arbor. The gate measures its size.

struct AppState: Sendable {
  var count = 0
}

enum AppAction: Sendable {
  case add(Int)
}

let factory = StoreFactory<AppState, AppAction>(initialState: AppState()) { state, action in
  switch action {
  case .add(let amount): state.count += amount
  }
}
let counter = factory.scopeStore(to: \.count)
let subscription = counter.observe { (count: Int) in print(count) }
counter.dispatch(.add(1))
factory.dispatchAndWait(.add(2))
subscription.cancel()
