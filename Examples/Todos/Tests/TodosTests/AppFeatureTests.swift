import Arbor
import ArborEntities
import ArborTesting
import Testing

@testable import TodosCore

@Suite struct AppFeatureTests {
  @Test func `the items of an import are added to the list`() async {
    let store = TestStore(initialState: AppState(), feature: appFeature { _, _ in ["one", "two"] })
    await store.send(.importing(.start(path: "a", firstID: 1))) { $0.importing = .reading(lines: 0) }
    await store.receive(.importing(.read(firstID: 1, texts: ["one", "two"]))) { $0.importing = .idle }
    await store.receive(.list(.import(firstID: 1, texts: ["one", "two"]))) {
      $0.list.items.document.todos = [Todo(id: 1, text: "one"), Todo(id: 2, text: "two")]
      $0.list.items.document.changedID = 1
      $0.list.items.record()
      $0.list.nextID = 3
    }
    await store.finish()
  }

  @Test func `an empty file adds nothing`() async {
    let store = TestStore(initialState: AppState(), feature: appFeature { _, _ in [] })
    await store.send(.importing(.start(path: "a", firstID: 1))) { $0.importing = .reading(lines: 0) }
    await store.receive(.importing(.read(firstID: 1, texts: []))) { $0.importing = .idle }
    await store.finish()
  }

  @Test func `the statistics follow the list`() async {
    let store = TestStore(initialState: AppState(), feature: appFeature { _, _ in [] }, exhaustivity: .off)
    await store.send(.list(.import(firstID: 1, texts: ["a", "b", "c"])))
    await store.send(.list(.done(id: 2)))
    let counts = store.store().select(AppState.statistics)
    #expect(counts?.items == 3)
    #expect(counts?.done == 1)
    #expect(counts?.active == 2)
    await store.finish()
  }

  @Test func `each action has its own answer, if any`() {
    #expect(Message(answering: .list(.add(id: 1, text: "a"))) == .line("added 1"))
    #expect(Message(answering: .editor(.text("b"))) == nil)
    #expect(Message(answering: .list(.import(firstID: 1, texts: ["a", "b"]))) == .line("imported 2 items"))
    #expect(Message(answering: .importing(.read(firstID: 1, texts: ["a", "b"]))) == nil)
    #expect(Message(answering: .importing(.fail(reason: "why"))) == .error("why"))
  }
}
