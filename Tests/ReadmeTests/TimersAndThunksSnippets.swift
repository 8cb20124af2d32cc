import Arbor
import ArborTesting
import Testing

// Code of the article about timers and thunks. Another test compares the texts.

enum BannerAction: Equatable, Sendable {
  case show(String)
  case hide
}

let banner = Feature<String?, BannerAction>(
  effects: { _, action in
    switch action {
    case .show: .run(key: "hide", mode: .debounce(.seconds(3))) { dispatch in dispatch(.hide) }
    case .hide: .cancel("hide")
    }
  },
  reducer: { text, action in
    switch action {
    case .show(let shown): text = shown
    case .hide: text = nil
    }
  }
)

@MainActor
final class Importer {
  let store: Store<AppState, AppAction>
  var count = 0

  init(store: Store<AppState, AppAction>) { self.store = store }

  func start() -> StoreTask<Void> {
    store.task(key: "import", isolation: #isolation) { dispatch in
      for text in try await fetchTodos() {
        dispatch(.add(text))
        self.count += 1  // on the main actor, like the call of `task`
      }
    }
  }
}

@Suite("Timers and thunks")
struct TimersAndThunksSnippets {
  @Test func `a banner hides after three seconds`() async {
    let clock = TestClock()
    let store = TestStore(initialState: nil, feature: banner, clock: clock)

    await store.send(.show("Saved")) { $0 = "Saved" }
    clock.advance(by: .seconds(2))
    await store.send(.show("Sent")) { $0 = "Sent" }
    clock.advance(by: .seconds(3))
    await store.receive(.hide) { $0 = nil }
    await store.finish()
  }

  @MainActor
  @Test func `a task runs on the actor of its caller`() async throws {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let importer = Importer(store: factory.rootStore())
    try await importer.start().value
    #expect(importer.count == 2)
    #expect(factory.state.todos.count == 2)
  }
}
