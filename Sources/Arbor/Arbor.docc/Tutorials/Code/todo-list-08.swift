import Arbor
import ArborPersistence
import Foundation

struct TodoList: Codable, Equatable, Sendable {
  struct Item: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var text: String
    var isDone = false
  }

  var items: [Item] = []

  var left: Int { items.count { !$0.isDone } }
}

enum TodoAction: Equatable, Sendable {
  case add(String)
  case toggle(TodoList.Item.ID)
  case suggest
}

func todos(suggestion: @escaping @Sendable () async throws -> String) -> Feature<TodoList, TodoAction> {
  Feature(
    effects: { _, action in
      guard case .suggest = action else { return .none }
      return .run(key: "suggestion", mode: .keepCurrent) { dispatch in
        dispatch(.add(try await suggestion()))
      }
    },
    reducer: { list, action in
      switch action {
      case .add(let text):
        list.items.append(TodoList.Item(id: list.items.count + 1, text: text))
      case .toggle(let id):
        guard let index = list.items.firstIndex(where: { $0.id == id }) else { return }
        list.items[index].isDone.toggle()
      case .suggest: break  // nothing to change yet
      }
    }
  )
}

let storage = try Storage(at: URL(fileURLWithPath: "todos.storage"))
let items = Persisted(\TodoList.items, as: "items")
let (list, report) = try await storage.load(into: TodoList(), [items])
for note in report.notes { print(note) }

let factory = StoreFactory(
  initialState: list,
  feature: todos { "Prune the roses" },
  monitors: [storage.saving([items])]
)
await factory.perform(.suggest)
print("\(factory.state.left) to do")
try await storage.flush()
