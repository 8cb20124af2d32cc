import Arbor
import ArborTesting
import Testing

@testable import Todos

struct TodosTests {
  @Test func `a suggestion is added`() async {
    let feature = Feature<TodoList, TodoAction>.combined(todos, suggestions { "Prune the roses" })
    let store = TestStore(initialState: TodoList(), feature: feature)

    await store.send(.add("Water the tree")) { $0.items = [TodoList.Item(id: 1, text: "Water the tree")] }
    await store.send(.suggest)
    await store.receive(.add("Prune the roses")) {
      $0.items.append(TodoList.Item(id: 2, text: "Prune the roses"))
    }
    await store.send(.toggle(1)) { $0.items[0].isDone = true }
    await store.finish()
  }
}
