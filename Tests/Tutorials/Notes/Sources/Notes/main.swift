import Arbor
import ArborPersistence
import ArborRequests
import Foundation

let definitions = NoteRequests(server: NoteServer(file: URL(fileURLWithPath: "server.json")))
let storage = try Storage(at: URL(fileURLWithPath: "notes.storage"))
let cache = Persisted(\Notebook.requests, as: "requests")
var (stored, _) = try await storage.load(into: Notebook(), [cache])
stored.requests.isOnline = false
let factory = StoreFactory(
  initialState: stored,
  feature: notebook(definitions),
  settings: TreeSettings(monitors: [storage.saving([cache])])
)

let printing = factory.derived { definitions.line(of: $0) }.observe { print($0) }
let requests = factory.scope(to: \.requests, action: NotebookAction.requests)
let newest = requests.request(definitions.newest, NoValue())
let opened = requests.request(definitions.note, following: factory.derived(\.opened))

while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 2).map(String.init)
  let failed = factory.state.requests.changes.filter { $0.failure != nil }
  switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
  case ("online", _): requests.dispatch(.becameOnline)
  case ("offline", _): requests.dispatch(.becameOffline)
  case ("open", let id?): factory.dispatch(.open(id))
  case ("edit", let id?) where words.count > 2:
    requests.dispatch(definitions.edit.action(Note(id: id, text: words[2])))
  case ("retry", _): for change in failed { requests.dispatch(.retryChange(change.id)) }
  case ("discard", _): for change in failed { requests.dispatch(.cancelChange(change.id)) }
  default: print("online, offline, open 1, edit 1 New text, retry or discard")
  }
  await factory.settled()
}
try await storage.close()
