import Arbor
import ArborPersistence
import Testing

struct Notes: Equatable, Sendable {
  var list = History(["Water the tree"])
}

struct StorageSnippets {
  @Test func `a restart finds the saved part`() async throws {
    let storage = Storage.inMemory()
    let todos = Persisted(\AppState.todos, as: "todos")
    let (first, _) = try await storage.load(into: AppState(), [todos])
    let factory = StoreFactory(
      initialState: first,
      settings: TreeSettings(monitors: [storage.saving([todos])]),
      reducer: reducer
    )
    factory.dispatch(.add("Water the tree"))
    try await storage.flush()

    let (second, report) = try await storage.load(into: AppState(), [todos])
    #expect(second.todos == ["Water the tree"])
    #expect(report.notes.isEmpty)
  }

  @Test func `a document that is loaded without its history begins a new one`() async throws {
    let storage = Storage.inMemory()
    let list = Persisted(\Notes.list.startingDocument, as: "list")
    let (first, _) = try await storage.load(into: Notes(), [list])
    let factory = StoreFactory<Notes, String>(
      initialState: first,
      settings: TreeSettings(monitors: [storage.saving([list])])
    ) { notes, text in
      notes.list.document.append(text)
      notes.list.record()
    }
    factory.dispatch("Sweep the leaves")
    try await storage.flush()
    try await load(from: storage)
    let (state, _) = try await storage.load(into: Notes(), [list])
    #expect(state.list.document == ["Water the tree", "Sweep the leaves"])
    #expect(!state.list.canUndo && !state.list.canRedo)
  }

  func load(from storage: Storage) async throws {
    let list = Persisted(\Notes.list.startingDocument, as: "list")
    let (state, _) = try await storage.load(into: Notes(), [list])
    print(state.list.canUndo)  // false
  }
}
