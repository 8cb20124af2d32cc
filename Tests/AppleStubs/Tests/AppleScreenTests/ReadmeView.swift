import ArborUI
import SwiftUI

/// The view of the README. A test of the library's package compares the two texts.
private enum ReadmeView {
  enum Action: Sendable {
    case load
    case add(String)
  }

  struct TodosView: View {
    let store: ObservableStore<[String], Action>

    var body: some View {
      List {
        Text("\(store.count) to do")
        Button("Add") { store.send(.add("Water the tree")) }
      }
    }
  }
}
