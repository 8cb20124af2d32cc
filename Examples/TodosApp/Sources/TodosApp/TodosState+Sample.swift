import ArborEntities

extension TodosState {
  /// A list for previews, whose last change can be undone.
  static var sample: TodosState {
    var state = TodosState()
    listReducer(&state.app.list, .import(firstID: 1, texts: ["Buy milk", "Write tests", "Water the tree"]))
    listReducer(&state.app.list, .done(id: 2))
    return state
  }
}
