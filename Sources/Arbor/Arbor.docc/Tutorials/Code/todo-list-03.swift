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
}
