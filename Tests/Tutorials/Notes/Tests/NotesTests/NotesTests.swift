import ArborRequests
import ArborRequestsTesting
import ArborTesting
import Foundation
import Testing

@testable import Notes

struct NotesTests {
  @Test func `an edit is shown at once, and taken back when the server refuses it`() async {
    let definitions = NoteRequests(server: NoteServer(file: URL(fileURLWithPath: "unused.json")))
    let store = TestStore(initialState: Notebook(), feature: notebook(definitions), exhaustivity: .off)
    let requests = store.store().scope(to: \.requests, action: NotebookAction.requests)
    let edited = Note(id: 2, text: "Buy coffee")

    store.server.answers(definitions.newest, NoValue(), with: [Note(id: 2, text: "Buy tea")])
    store.server.hangs(definitions.edit, edited)
    let newest = requests.request(definitions.newest, NoValue())
    await store.skipReceivedActions()
    #expect(definitions.line(of: store.state) == "2 Buy tea")

    requests.dispatch(definitions.edit.action(edited))
    await store.skipReceivedActions()
    #expect(definitions.line(of: store.state) == "2 Buy coffee (unsaved)")

    store.server.fails(definitions.edit, edited, with: NoteServer.Refusal(description: "no coffee"))
    await store.skipReceivedActions()
    #expect(definitions.line(of: store.state) == "2 Buy tea | not saved: no coffee")
    await store.finish()
    withExtendedLifetime(newest) {}
  }
}
