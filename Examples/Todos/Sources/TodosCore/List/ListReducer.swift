/// Changes the list; see ``ListState/check(_:)`` for the actions that are possible.
func listReducer(_ state: inout ListState, _ action: ListAction) {
  switch action {
  case .add(let id, let text): state.add([text], from: id)
  case .import(let firstID, let texts): state.add(texts, from: firstID)
  case .done(let id): state.change(id) { $0.isDone = true }
  case .undone(let id): state.change(id) { $0.isDone = false }
  case .edit(let id, let text): state.change(id) { $0.text = text }
  case .remove(let id): state.remove(id)
  case .undo: state.undo()
  }
}

extension ListState {
  fileprivate mutating func add(_ texts: [String], from firstID: Int) {
    let ids = firstID..<firstID + texts.count
    todos += zip(ids, texts).map { id, text in Todo(id: id, text: text) }
    nextID = ids.upperBound
    history.append(.added(ids))
  }

  fileprivate mutating func change(_ id: Int, _ body: (inout Todo) -> Void) {
    guard let old = self[id] else { return }
    let index = position(of: id)
    body(&todos[index])
    // To do again what is already done is fine, but nothing to undo.
    if todos[index] != old { history.append(.replaced(old)) }
  }

  fileprivate mutating func remove(_ id: Int) {
    guard let old = self[id] else { return }
    todos.remove(at: position(of: id))
    history.append(.replaced(old))
  }

  fileprivate mutating func undo() {
    switch history.popLast() {
    case .added(let ids):
      todos.removeSubrange(position(of: ids.lowerBound)..<position(of: ids.upperBound))
    case .replaced(let old):
      let index = position(of: old.id)
      todos.replaceSubrange(index..<(self[old.id] == nil ? index : index + 1), with: [old])
    case nil:
      break
    }
  }
}
