import ArborCore

// The smallest program with the product ArborCore. The gate measures its size.

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
let observer = Observer<Int> { count in
  print(count)
  return count == 3 ? .dead : .active
}
counter.subscribe(observer: observer)
counter.dispatch(.add(1))
factory.dispatchAndWait(.add(2))
