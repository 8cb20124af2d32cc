import Arbor
import ArborEntities
import Testing

@testable import TodosCore

@Suite struct FeatureReducerTests {
  @Test func `the filter is the one that was asked for last`() {
    var filter = Filter.all
    filterReducer(&filter, .show(.done))
    #expect(filter == .done)
  }

  @Test func `a filter shows what it is called after`() {
    let (active, done) = (Todo(id: 1, text: "a"), Todo(id: 2, text: "b", isDone: true))
    #expect(Filter.all.items(of: [done, active]) == [active, done])
    #expect(Filter.active.items(of: [done, active]) == [active])
    #expect(Filter.done.items(of: [done, active]) == [done])
  }

  @Test func `the statistics follow the list`() {
    var state = AppState()
    appReducer(&state, .list(.import(firstID: 1, texts: ["a", "b", "c"])))
    appReducer(&state, .list(.done(id: 2)))
    let counts = AppState.statistics(state)
    #expect(counts.items == 3)
    #expect(counts.done == 1)
    #expect(counts.active == 2)
  }

  @Test func `an import is idle, reads, and is idle again`() {
    var state = ImportState.idle
    importReducer(&state, .start(path: "a", firstID: 1))
    #expect(state == .reading(lines: 0))
    importReducer(&state, .progress(lines: 7))
    #expect(state == .reading(lines: 7))
    importReducer(&state, .end)
    #expect(state == .idle)
    importReducer(&state, .start(path: "a", firstID: 1))
    importReducer(&state, .fail(reason: "gone"))
    #expect(state == .idle)
    importReducer(&state, .start(path: "a", firstID: 1))
    importReducer(&state, .cancel)
    #expect(state == .idle)
  }

  @Test func `the editor changes its draft`() {
    var draft = Draft(id: 1, text: "a")
    editorReducer(&draft, .text("b"))
    #expect(draft == Draft(id: 1, text: "b"))
  }

  @Test func `each action has its own answer, if any`() {
    #expect(Message(answering: .list(.add(id: 1, text: "a"))) == .line("added 1"))
    #expect(Message(answering: .editor(.text("b"))) == nil)
    #expect(Message(answering: .list(.import(firstID: 1, texts: ["a", "b"]))) == .line("imported 2 items"))
    #expect(Message(answering: .importing(.fail(reason: "why"))) == .error("why"))
  }
}
