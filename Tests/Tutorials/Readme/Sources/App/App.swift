import Arbor

struct AppState: Equatable, Sendable {
  var todos: [String] = []
}

enum AppAction: Equatable, Sendable {
  case add(String)
  case removeAll
}

let reducer: Reducer<AppState, AppAction> = { state, action in
  switch action {
  case .add(let text): state.todos.append(text)
  case .removeAll: state.todos = []
  }
}
