import Arbor
import ArborUI
import SwiftUI

/// The picker of the `Filter` of the list.
struct FilterPicker: View {
  let store: TodosStore

  var body: some View {
    Picker("Show", selection: filter) {
      Text("All").tag(Filter.all)
      Text("Active").tag(Filter.active)
      Text("Done").tag(Filter.done)
    }
  }

  var filter: Binding<Filter> {
    store.binding(\.app.filter, send: { .app(.filter(.show($0))) })
  }
}

struct FilterPickerPreviews: PreviewProvider {
  static var previews: some View {
    FilterPicker(store: .constant(.sample))
  }
}
