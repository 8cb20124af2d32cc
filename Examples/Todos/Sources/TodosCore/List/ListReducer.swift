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
  case .undo: state.undo()
  }
}

extension ListState {
  fileprivate mutating func add(_ texts: [String], from firstID: Int) {
    let ids = firstID..<firstID + texts.count
    // The action was checked: there are none with these IDs.
    try! todos.insert(contentsOf: zip(ids, texts).map { id, text in Todo(id: id, text: text) })
    nextID = ids.upperBound
    history.append(.added(ids))
  }

  fileprivate mutating func change(_ id: Int, _ body: (inout Todo) -> Void) {
    guard let old = todos[id] else { return }
    try! todos.update(id, body)
    // To do again what is already done is fine, but nothing to undo.
    if todos[id] != old { history.append(.replaced(old)) }
  }

  fileprivate mutating func remove(_ id: Int) {
    if let old = todos.remove(id) { history.append(.replaced(old)) }
  }

  fileprivate mutating func undo() {
    switch history.popLast() {
    case .added(let ids): todos.remove(ids: ids)
    case .replaced(let old): try! todos.upsert(old)
    case nil: break
    }
  }
}
