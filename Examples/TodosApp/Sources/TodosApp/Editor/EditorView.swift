import Arbor
import ArborUI
import SwiftUI

/// The editor of an item, new or not. While it is being dismissed, it keeps its text.
struct EditorView: View {
  let editor: ObservableStore<Draft, TodosAction>

  var body: some View {
    NavigationStack {
      Form { TextField("Text", text: text) }
        .navigationTitle(editor.isNew ? "New item" : "Item")
        .toolbar {
          ToolbarItem(placement: .cancellationAction) { Button("Cancel", action: cancel) }
          ToolbarItem(placement: .confirmationAction) {
            Button("Save") { editor.send(.save) }
              .disabled(!editor.canBeSaved)
          }
        }
    }
  }

  var text: Binding<String> {
    editor.binding(\.text, send: { .editor(.text($0)) })
  }

  func cancel() {
    editor.send(.closeEditor(id: editor.id))
  }
}

struct EditorPreviews: PreviewProvider {
  static var previews: some View {
    EditorView(editor: .constant(Draft(id: 1, text: "Buy milk")))
  }
}
