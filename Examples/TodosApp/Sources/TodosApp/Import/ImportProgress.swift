import ArborUI
import SwiftUI

/// The progress of an import and the button that cancels it, as long as there is an import.
struct ImportProgress: View {
  let store: TodosStore

  var body: some View {
    if case .reading(let lines) = store[\.app.importing] {
      HStack {
        ProgressView("\(lines) lines read")
        Button("Cancel", action: cancel)
      }
    }
  }

  func cancel() {
    store.send(.app(.importing(.cancel)))
  }
}

struct ImportProgressPreviews: PreviewProvider {
  static var previews: some View {
    ImportProgress(store: .constant(TodosState(app: AppState(importing: .reading(lines: 10_000)))))
  }
}
