import Arbor
import ArborEntities

/// Changes the list; see ``ListState/check(_:)`` for the actions that are possible.
func listReducer(_ state: inout ListState, _ action: ListAction) {
  switch action {
  case .add(let id, let text): state.add([text], from: id)
  case .import(let firstID, let texts): state.add(texts, from: firstID)
  case .done(let id): state.change(id) { $0.isDone = true }
  case .undone(let id): state.change(id) { $0.isDone = false }
  case .edit(let id, let text): state.change(id) { $0.text = text }
  case .remove(let id): state.remove(id)
  case .undo: state.items.undo()
  case .redo: state.items.redo()
  }
}

extension ListState {
  fileprivate mutating func add(_ texts: [String], from firstID: Int) {
    let ids = firstID..<firstID + texts.count
    nextID = ids.upperBound
    change { items in
      // The action was checked: there are none with these IDs.
      try! items.todos.insert(contentsOf: zip(ids, texts).map { id, text in Todo(id: id, text: text) })
      return firstID
    }
  }

  fileprivate mutating func change(_ id: Int, _ body: (inout Todo) -> Void) {
    change { items in
      guard let old = items.todos[id] else { return nil }
      try! items.todos.update(id, body)
      // To do again what is already done is fine, but nothing to undo.
      return items.todos[id] != old ? id : nil
    }
  }

  fileprivate mutating func remove(_ id: Int) {
    change { items in items.todos.remove(id) == nil ? nil : id }
  }

  /// Changes the items, as one change to undo.
  ///
  /// - Parameter body: Returns the item that it has changed; nil if it has changed none.
  private mutating func change(_ body: (inout Items) -> Int?) {
    if let id = body(&items.document) { items.document.changedID = id }
    items.record()
  }
}
