import Arbor
import ArborTesting
import Testing

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

struct TodoTests {
  @Test func aSuggestionIsAdded() async {
    let store = TestStore(initialState: TodoList(), feature: todos { "Prune the roses" })

    await store.send(.add("Water the tree")) { $0.items = [TodoList.Item(id: 1, text: "Water the tree")] }
    await store.send(.suggest)
    await store.receive(.add("Prune the roses")) {
      $0.items.append(TodoList.Item(id: 2, text: "Prune the roses"))
    }
    await store.send(.toggle(1)) { $0.items[0].isDone = true }
    await store.finish()
  }
}
