import Arbor
import ArborRequests

extension RequestTag {
  static func note(_ id: Note.ID) -> RequestTag { RequestTag("note", id) }
}

struct NoteRequests: Sendable {
  let note: Request<Note.ID, Note>
  let newest: Request<NoValue, [Note.ID]>
  let edit: Change<Note, Note>

  init(server: NoteServer) {
    let note = Request<Note.ID, Note>(
      "note",
      freshFor: .seconds(600),
      tags: { id, _ in [.note(id)] },
      fetch: { id in try await server.note(id) }
    )
    self.note = note
    newest = Request<NoValue, [Note]>(
      "newest",
      freshFor: .seconds(600),
      tags: { _, notes in notes.map { .note($0.id) } },
      fetch: { _ in await server.newestNotes() }
    )
    .normalized { notes in RequestAnswer(notes.map(\.id)).providing(note, notes) }
    edit = Change(
      "edit",
      inOrder: { edited in .note(edited.id) },
      invalidates: { edited in [.note(edited.id)] },
      optimistic: { edited in [note.patch(edited.id) { $0.text = edited.text }] },
      send: { edited, key in try await server.save(edited, key: key) }
    )
  }
}
