import Arbor
import Synchronization
import Testing

// The code of the articles for users of PureduxStore and Puredux 2 about children, and about using both stores together.
// Another test compares the two texts.

private struct Added: Event {
  let text: String
}

private struct AppCopied: Event {
  let app: AppState
}

private struct TodoScreen: Sendable {
  var app = AppState()
  var selection = Selection()

  mutating func reduce(_ event: any Event) {
    switch event {
    case let event as AppCopied: app = event.app
    case is Added: selection.index = 0
    default: break
    }
  }
}

/// A stand-in for a root store of Puredux: actions are sent from any thread, and observers are called on its queue.
private final class Root: Sendable {
  private struct Content {
    var app = AppState()
    var observers: [@Sendable (AppState) -> Void] = []
  }

  private let content = Mutex(Content())

  var app: AppState { content.withLock { $0.app } }

  func dispatch(_ event: any Event) {
    let (app, observers) = content.withLock { content in
      if let event = event as? Added { content.app.todos.append(event.text) }
      return (content.app, content.observers)
    }
    for observer in observers { observer(app) }
  }

  func subscribe(_ observer: @escaping @Sendable (AppState) -> Void) {
    content.withLock { $0.observers.append(observer) }
    observer(app)
  }
}

@Suite("Coming from Puredux")
struct ComingFromPureduxSnippets {
  @MainActor
  @Test func `a child is observed on the main actor`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let screen = Screen()

    let list = factory.childStore(initialState: Selection()) { selection, action in
      if case .add = action { selection.index = 0 }
    }
    let subscription = list.observe(on: .main) { app, selection in
      screen.show(app.todos.enumerated().map { index, todo in index == selection.index ? "> \(todo)" : todo })
    }

    await list.dispatchAndWait(.add("Rake"))
    subscription.cancel()
    screen.shown.continuation.finish()
    var shown: [[String]] = []
    for await todos in screen.shown.stream { shown.append(todos) }
    #expect(shown == [[], ["> Rake"]])
  }

  @Test func `a child that has moved sends its actions up, and receives the root's state`() {
    let root = Root()

    let list = StoreFactory<TodoScreen, any Event>(
      initialState: TodoScreen(),
      interceptor: { event, _ in
        if !(event is AppCopied) { root.dispatch(event) }  // a child's actions go up
      },
      reducer: { state, event in state.reduce(event) }
    )
    let store = list.rootStore()
    root.subscribe { app in store.dispatch(AppCopied(app: app)) }  // and states come down

    for text in ["Rake", "Sweep"] { store.dispatch(Added(text: text)) }
    #expect(list.state.selection.index == 0)
    #expect(root.app.todos == ["Rake", "Sweep"])
    #expect(list.state.app == root.app)
  }
}
