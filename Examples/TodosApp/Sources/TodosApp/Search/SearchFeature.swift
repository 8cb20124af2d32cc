import Arbor

/// The search: without a pause in typing, only the last text is searched for.
let searchFeature = Feature<Search, SearchAction>(
  effects: { search, action in
    guard case .type = action else { return .none }
    // The whole list returns without a delay.
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
