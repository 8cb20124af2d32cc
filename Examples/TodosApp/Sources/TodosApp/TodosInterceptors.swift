import Arbor

/// Turns a screen's request into a change to the list.
///
/// - Only here is the current state known: a screen may show an older one.
let changingList = Interceptor<TodosState, TodosAction> { action, context in
  let list = context.state.app.list
  let change: ListAction?
  switch action {
  case .undo: change = list.lastChangedID.map { .undo(id: $0) }
  case .redo: change = list.lastUndoneID.map { .redo(id: $0) }
  case .save: change = context.state.editor?.change(of: list)
  case .todo(let id, .setDone(let isDone)): change = isDone ? .done(id: id) : .undone(id: id)
  case .todo(let id, .remove): change = .remove(id: id)
  // Others may have taken the ids while the file was read.
  case .app(.list(.import(_, let texts))): change = .import(firstID: list.nextID, texts: texts)
  case .importFile(let path):
    return .replace(with: .app(.importing(.start(path: path, firstID: list.nextID))))
  default: return .pass
  }
  return change.map { .replace(with: .app(.list($0))) } ?? .drop
}

/// Drops impossible changes to the list, such as those of a deleted item.
let checkingList = Interceptor<TodosState, TodosAction> { action, context in
  guard case .app(.list(let change)) = action else { return .pass }
  do {
    try context.state.app.list.check(change)
    return .pass
  } catch {
    return .drop
  }
}
