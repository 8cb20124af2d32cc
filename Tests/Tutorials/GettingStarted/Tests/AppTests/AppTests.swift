import ArborTesting
import Testing

@testable import App

struct AppTests {
  @Test func `an item is added`() async {
    let store = TestStore(initialState: AppState(), reducer: reducer)
    await store.send(.add("Sweep the leaves")) { $0.todos = ["Sweep the leaves"] }
    await store.finish()
  }
}
