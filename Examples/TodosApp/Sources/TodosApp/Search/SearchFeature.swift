import Arbor

/// The search: of what is typed without a pause, only the last is searched for.
let searchFeature = Feature<Search, SearchAction>(
  effects: { search, action in
    guard case .type = action else { return .none }
    // Nobody waits for the whole list to come back.
    if search.text.isEmpty { return .merge(.cancel("search"), .send(.search)) }
    return .run(key: "search", mode: .debounce(.milliseconds(300))) { dispatch in dispatch(.search) }
  },
  reducer: { search, action in
    switch action {
    case .type(let text): search.text = text
    case .search: search.query = search.text
    }
  }
)
