import ArborEntities

@testable import TodosApp

extension EntityTable<Todo> {
  /// Makes items with some texts, and with ids from 1 on.
  init(_ texts: [String]) {
    self.init()
    for (index, text) in texts.enumerated() { try! insert(Todo(id: index + 1, text: text)) }
  }
}
