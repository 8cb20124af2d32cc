import Arbor

let factory = StoreFactory(initialState: AppState(), reducer: reducer)
let store = factory.rootStore()

let observer = Observer<AppState> { state in
  print(state.todos)
  return .active
}
store.subscribe(observer: observer)

store.dispatch(.add("Water the tree"))
print(factory.state.todos.count)  // 1
