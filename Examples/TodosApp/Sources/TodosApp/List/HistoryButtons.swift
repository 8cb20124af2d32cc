import Arbor
import ArborUI
import SwiftUI

/// Undoes the last change to the list.
struct UndoButton: View {
  let store: TodosStore

  var body: some View {
    Button("Undo", systemImage: "arrow.uturn.backward") { store.send(.undo) }
      .disabled(!isEnabled)
  }

  var isEnabled: Bool { store[\.app.list.items.canUndo] }
}

/// Redoes the last undone change.
struct RedoButton: View {
  let store: TodosStore

  var body: some View {
    Button("Redo", systemImage: "arrow.uturn.forward") { store.send(.redo) }
      .disabled(!isEnabled)
  }

  var isEnabled: Bool { store[\.app.list.items.canRedo] }
}

struct HistoryButtonsPreviews: PreviewProvider {
  static var previews: some View {
    HStack {
      UndoButton(store: .constant(.sample))
      RedoButton(store: .constant(.sample))
    }
  }
}
