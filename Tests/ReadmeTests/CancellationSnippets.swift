import Arbor
import Testing

// The code of the article about cancellation. Another test compares the texts.

@Suite("Cancellation")
struct CancellationSnippets {
  @Test func `tasks are canceled one by one, by key, and all together`() {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let task = store.task(key: "load") { dispatch in
      for text in try await fetchTodos() { dispatch(.add(text)) }
    }
    task.cancel()  // only this task
    store.cancel("load")  // all tasks of this store with the key
    store.cancel("load", at: .part(\.draft))  // tasks with the key of the feature or scope at a key path
    store.cancelAllTasks()  // all tasks of this store, with and without keys

    #expect(!store.isRunning("load"))
  }
}
