import Arbor

struct TodoList: Equatable, Sendable {
  struct Item: Equatable, Identifiable, Sendable {
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

let factory = StoreFactory(
  initialState: TodoList(),
  feature: todos { "Prune the roses" },
  onEffectError: { key, action, error in print("\(error)") }
)
let printing = factory.observe(removeDuplicates: .by(\.left)) { list in
  print("\(list.left) to do, the last: \(list.items.last?.text ?? "nothing")")
}
await factory.perform(.suggest)
