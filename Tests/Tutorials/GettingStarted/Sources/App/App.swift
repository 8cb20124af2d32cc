import Arbor

struct AppState: Equatable, Sendable {
  var todos: [String] = []
  var draft: String?
}

enum AppAction: Equatable, Sendable {
  case load
  case add(String)
  case draft(DraftAction)
}

enum DraftAction: Equatable, Sendable {
  case edit(String)
}

let reducer: Reducer<AppState, AppAction> = { state, action in
  switch action {
  case .load: break  // nothing to change yet: an effect fetches
  case .add(let text): state.todos.append(text)
  case .draft(.edit(let text)): state.draft = text
  }
}
