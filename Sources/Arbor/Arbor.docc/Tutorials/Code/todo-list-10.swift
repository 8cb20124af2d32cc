import Arbor
import ArborPersistence
import Foundation

let storage = try Storage(at: URL(fileURLWithPath: "todos.storage"))
let items = Persisted(\TodoList.items, as: "items")
let (list, report) = try await storage.load(into: TodoList(), [items])
for note in report.notes { print(note) }

let factory = StoreFactory(
  initialState: list,
  feature: .combined(todos, suggestions { "Prune the roses" }),
  settings: TreeSettings(
    monitors: [storage.saving([items])],
    onEffectError: { _, _, error in print("no suggestion: \(error)") }
  )
)
factory.dispatch(.suggest)
await factory.settled()
print("\(factory.state.left) to do")
try await storage.flush()
