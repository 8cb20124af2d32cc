import ArborCore

// A small program with the product ArborCore: a child store, an interceptor and observers. The gate measures its size.

struct AppState: Sendable {
  var count = 0
}

enum AppAction: Sendable {
  case add(Int)
  case reset
}

let factory = StoreFactory<AppState, AppAction>(
  initialState: AppState(),
  interceptor: { action, dispatch in
    if case .add(1_000) = action { dispatch(.reset) }
  },
  reducer: { state, action in
    switch action {
    case .add(let amount): state.count += amount
    case .reset: state.count = 0
    }
  }
)
let child = factory.childStore(
  initialState: false,
  stateMapping: { state, isSelected in isSelected ? state.count : 0 },
  reducer: { isSelected, action in
    if case .add = action { isSelected = true }
  }
)
let counter = factory.scopeStore(to: \.count)
counter.subscribe(
  observer: Observer { count in
    print(count)
    return count == 3 ? .dead : .active
  }
)
child.store().subscribe(
  observer: Observer { count in
    print("selected", count)
    return .active
  }
)
child.dispatch(.add(1))
factory.dispatchAndWait(.add(2))
