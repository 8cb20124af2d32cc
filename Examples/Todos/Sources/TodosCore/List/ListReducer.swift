import Arbor
import ArborEntities

/// Changes the list; see ``ListState/check(_:)`` for the possible actions.
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
      // The action was checked: there are no items with these IDs.
      try! items.todos.insert(contentsOf: zip(ids, texts).map { id, text in Todo(id: id, text: text) })
      return firstID
    }
  }

  fileprivate mutating func change(_ id: Int, _ body: (inout Todo) -> Void) {
    change { items in
      guard let old = items.todos[id] else { return nil }
      try! items.todos.update(id, body)
      // Repeating a finished action is allowed, but adds nothing to undo.
      return items.todos[id] != old ? id : nil
    }
  }

  fileprivate mutating func remove(_ id: Int) {
    change { items in items.todos.remove(id) == nil ? nil : id }
  }

  /// Changes the items, as one change to undo.
  ///
  /// - Parameter body: Returns the ID of the changed item; nil if there is none.
  private mutating func change(_ body: (inout Items) -> Int?) {
    if let id = body(&items.document) { items.document.changedID = id }
    items.record()
  }
}
