/// The actions of the program: the actions of the core and of the screens.
enum TodosAction: Equatable, Sendable {
  case app(AppAction)
  case search(SearchAction)
  case editor(EditorAction)
  case todo(Todo.ID, TodoAction)

  /// Opens the editor for a new item.
  case add

  /// Saves the text in the editor, and closes it.
  case save

  /// Closes the editor of an item.
  case closeEditor(id: Draft.ID)
  case undo
  case redo
  case importFile(path: String)
  case closeFailure
}

/// The actions of the features that are scoped to these cases.
extension TodosAction {
  var app: AppAction? { if case .app(let action) = self { action } else { nil } }
  var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
  var editor: EditorAction? { if case .editor(let action) = self { action } else { nil } }
}
