import Arbor

struct TodoList: Equatable, Sendable {
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

let todos = Feature<TodoList, TodoAction> { list, action in
  switch action {
  case .add(let text):
    list.items.append(TodoList.Item(id: (list.items.last?.id ?? 0) + 1, text: text))
  case .toggle(let id):
    guard let index = list.items.firstIndex(where: { $0.id == id }) else { return }
    list.items[index].isDone.toggle()
  case .suggest: break  // nothing to change yet: an effect suggests
  }
}

func suggestions(from suggestion: @escaping @Sendable () async throws -> String) -> Feature<TodoList, TodoAction> {
  Feature(
    effects: { _, action in
      switch action {
      case .suggest:
        .run(key: "suggestion", mode: .keepCurrent) { dispatch in dispatch(.add(try await suggestion())) }
      case .add, .toggle: .none
      }
    }
  )
}
