import Arbor
import Testing

// The code of the article for users of ReSwift about using both stores together. Another test compares the two texts.

/// A stand-in for the protocol of ReSwift.
private protocol Action {}

extension AppAction: Action {}

private struct TodosCopied: Action {
  let todos: [String]
}

private struct DraftEdited: Action {
  let text: String
}

@MainActor
@Suite("Coming from ReSwift")
struct ComingFromReSwiftSnippets {
  @Test func `one reducer serves both stores`() {
    func appReducer(action: any Action, state: AppState?) -> AppState {
      var state = state ?? AppState()
      if let action = action as? AppAction { reducer(&state, action) }
      return state
    }

    let old = OldStore<AppState, any Action>(appReducer(action: AppAction.load, state: nil)) { state, action in
      state = appReducer(action: action, state: state)
    }
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    for action in [AppAction.add("Rake"), .draft(.edit("Prune"))] {
      old.dispatch(action)
      factory.dispatch(action)
    }
    #expect(factory.state == AppState(todos: ["Rake"], draft: "Prune"))
    #expect(old.state == factory.state)
  }

  @Test func `each part has one owner, and the other store has a copy`() async {
    let old = OldStore<AppState, any Action>(AppState()) { state, action in
      switch action {
      case let action as TodosCopied: state.todos = action.todos
      case let action as DraftEdited: state.draft = action.text
      default: break
      }
    }
    let factory = StoreFactory(initialState: AppState(todos: ["Rake"]), reducer: reducer)
    let store = factory.rootStore()

    // The list has moved, and is copied to the old store.
    let copying = store.scope(to: \.todos).observe(removeDuplicates: .equatable, on: .main) { todos in
      old.dispatch(TodosCopied(todos: todos))
    }
    // The draft hasn't moved, so it is copied from the old store: in ReSwift, by a subscriber's `newState(state:)`.
    old.subscribe { state in
      if let draft = state.draft { store.dispatch(.draft(.edit(draft))) }
    }

    await store.dispatchAndWait(.add("Sweep"))
    old.dispatch(DraftEdited(text: "Prune"))
    #expect(factory.state == AppState(todos: ["Rake", "Sweep"], draft: "Prune"))
    #expect(old.state == factory.state)
    #expect(old.actions == 3)
    copying.cancel()
  }
}
