import Arbor
import ArborEntities

/// The whole program: the core, the search, the editor, and the shown screens.
///
/// - Parameter readTexts: Reads the items of a text file for an import; see ``importFeature(readTexts:)``.
func todosFeature(readTexts: @escaping ReadTexts) -> Feature<TodosState, TodosAction> {
  Feature<TodosState, TodosAction>.combined(
    Feature(interceptors: [changingList, checkingList]),
    appFeature(readTexts: readTexts).scoped(to: \.app, action: TodosAction.app, extract: \.app),
    searchFeature.scoped(to: \.search, action: TodosAction.search, extract: \.search),
    editorFeature.scoped(toOptional: \.editor, action: TodosAction.editor, extract: \.editor),
    Feature { state, action in
      switch action {
      case .add: state.editor = .new
      case .todo(let id, .edit): state.editor = state.app.list.todos[id].map { Draft(id: id, text: $0.text) }
      case .closeEditor(let id): if state.editor?.id == id { state.editor = nil }
      // The editor is closed once the list has the saved text.
      case .app(.list(.add)): if state.editor?.isNew == true { state.editor = nil }
      case .app(.list(.edit(let id, _))): if state.editor?.id == id { state.editor = nil }
      case .app(.importing(.fail(let reason))): state.failure = ImportFailure(reason: reason)
      case .closeFailure: state.failure = nil
      default: break
      }
    }
  )
}
