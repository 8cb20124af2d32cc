import Arbor
import ArborUI
import SwiftUI

/// An item in the list. It is redrawn only when this item changes.
struct TodoRow: View {
  let row: ObservableStore<Todo, TodoAction>

  var body: some View {
    HStack {
      Toggle(row.text, isOn: isDone)
      Button("Edit", systemImage: "pencil") { row.send(.edit) }
        // Otherwise a touch anywhere in the row would press the button.
        .buttonStyle(.borderless)
    }
  }

  var isDone: Binding<Bool> {
    row.binding(\.isDone, send: TodoAction.setDone)
  }
}

struct TodoRowPreviews: PreviewProvider {
  static var previews: some View {
    TodoRow(row: .constant(Todo(id: 1, text: "Buy milk", isDone: true)))
  }
}
