import Arbor
import ArborUI
import SwiftUI
import UniformTypeIdentifiers

/// The list, and the screens reachable from it: the search, the editor, the import.
struct TodoListView: View {
  let store: TodosStore
  @State private var isChoosingFile = false

  var body: some View {
    let rows = self.rows
    NavigationStack {
      List {
        FilterPicker(store: store)
        ImportProgress(store: store)
        ForEach(rows.ids, id: \.self) { id in
          if let row = rows[id] { TodoRow(row: row) }
        }
        .onDelete(perform: remove)
      }
      .navigationTitle("To-do")
      .searchable(text: searchText)
      .toolbar {
        ToolbarItemGroup {
          UndoButton(store: store)
          RedoButton(store: store)
        }
        ToolbarItem(placement: .primaryAction) { Button("Add", systemImage: "plus") { store.send(.add) } }
        ToolbarItem(placement: .secondaryAction) {
          Button("Import", systemImage: "square.and.arrow.down") { isChoosingFile = true }
            .disabled(store.isImporting)
        }
      }
    }
    .sheet(item: editedDraft, content: editor)
    .fileImporter(isPresented: $isChoosingFile, allowedContentTypes: [.plainText], onCompletion: importFile)
    .alert("Nothing was imported", isPresented: isFailureShown, presenting: store.failure) { _ in
      Button("OK") {}
    } message: { failure in
      Text(failure.reason)
    }
  }
}

/// The values and bindings of the views of the list, and the functions that they call.
extension TodoListView {
  var rows: StoreRows<ShownTodos, TodoAction> {
    store.rows(of: \.shown, action: TodosAction.todo)
  }

  var searchText: Binding<String> {
    store.binding(\.search.text, send: { .search(.type($0)) })
  }

  var editedDraft: Binding<Draft?> {
    store.item(\.editor, dismiss: { .closeEditor(id: $0.id) })
  }

  func editor(of draft: Draft) -> EditorView {
    EditorView(editor: store.presented(draft, at: \.editor, action: { $0 }))
  }

  var isFailureShown: Binding<Bool> {
    store.isPresented(\.failure, dismiss: { _ in .closeFailure })
  }

  func remove(at offsets: IndexSet) {
    for id in rows.ids(at: offsets) { store.send(.todo(id, .remove)) }
  }

  func importFile(_ choice: Result<URL, any Error>) {
    switch choice {
    case .success(let url): Task { await store.importFile(at: url) }
    case .failure(let error): store.send(.app(.importing(.fail(reason: error.reason))))
    }
  }
}

struct TodoListPreviews: PreviewProvider {
  static var previews: some View {
    TodoListView(store: .constant(.sample))
  }
}
