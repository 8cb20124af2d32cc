import Arbor
import ArborRequests

struct Notebook: Equatable, Sendable {
  var requests = Requests()
  var opened: Note.ID?
}

enum NotebookAction: Equatable, Sendable {
  case requests(RequestAction)
  case open(Note.ID)

  var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
}

func notebook(_ definitions: NoteRequests) -> Feature<Notebook, NotebookAction> {
  .combined(
    Requests.feature(definitions.note, definitions.newest, definitions.edit)
      .scoped(to: \.requests, action: NotebookAction.requests, extract: \.requests),
    Feature { notebook, action in
      if case .open(let id) = action { notebook.opened = id }
    }
  )
}

extension NoteRequests {
  func line(of notebook: Notebook) -> String {
    let cache = notebook.requests
    let list = cache[newest, NoValue()]
    let status = cache.isOnline ? list.isFetching ? ["loading"] : [] : ["offline"]
    let notes = list.value?.map { text(of: $0, in: cache) } ?? []
    let opened = notebook.opened.map { ["opened: " + text(of: $0, in: cache)] } ?? []
    let failures = cache.changes.compactMap(\.failure).map { "not saved: \($0)" }
    return (status + notes + opened + failures).joined(separator: " | ")
  }

  private func text(of id: Note.ID, in cache: Requests) -> String {
    let answer = cache[note, id]
    return switch answer.phase {
    case .idle: "\(id) …"
    case .loading: "\(id) loading"
    case .loaded(let note): "\(id) \(note.text)" + (answer.isPending ? " (unsaved)" : answer.isStale ? " (old)" : "")
    case .failed(let failure): "\(id) \(failure)"
    }
  }
}
