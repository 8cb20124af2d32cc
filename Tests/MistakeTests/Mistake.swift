import Testing

/// A mistake with features, in a source whose other lines compile.
struct Mistake: CustomTestStringConvertible, Sendable {
  let testDescription: String

  /// The code, in which `// error` marks the line of the mistake.
  let code: String

  init(_ description: String, _ code: String) {
    testDescription = description
    self.code = code
  }

  /// The whole source: the program that the code belongs to, and the code.
  var source: String { Self.program + code }

  /// The line of the mistake, counted from 1.
  var line: Int? {
    source.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("// error") }.map {
      $0 + 1
    }
  }

  /// The types and features of a program.
  static let program = """
    import Arbor

    struct Todo: Identifiable, Sendable {
      let id: Int
      var isDone = false
    }

    struct Todos: Sendable {
      var titles: [String] = []
    }

    enum TodosAction: Sendable {
      case add(String)
      case clear
    }

    struct Editor: Sendable {
      var text = ""
    }

    enum EditorAction: Sendable {
      case type(String)
    }

    struct Note: Sendable {
      var text = ""
    }

    enum RowAction: Sendable {
      case toggle
    }

    enum Screen: Sendable {
      case list(Todos)
      case detail(Editor)

      var list: Todos? { if case .list(let todos) = self { todos } else { nil } }
    }

    struct AppState: Sendable {
      var todos = Todos()
      var editor: Editor?
      var rows: [Todo] = []
      var notes: [Note] = []
    }

    enum AppAction: Sendable {
      case todos(TodosAction)
      case editor(EditorAction)
      case row(Int, RowAction)

      var todos: TodosAction? { if case .todos(let action) = self { action } else { nil } }
      var editor: EditorAction? { if case .editor(let action) = self { action } else { nil } }
      var row: (Int, RowAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
    }

    enum OtherAction: Sendable {
      case todos(TodosAction)
    }

    struct OtherState: Sendable {
      var todos = Todos()
    }

    let todos = Feature<Todos, TodosAction> { state, action in
      if case .add(let title) = action { state.titles.append(title) }
    }
    let editor = Feature<Editor, EditorAction> { state, action in
      if case .type(let text) = action { state.text = text }
    }
    let row = Feature<Todo, RowAction> { state, _ in state.isDone.toggle() }
    let note = Feature<Note, RowAction> { state, _ in state.text = "" }

    """
}
