import Arbor
import ArborUI
import SwiftUI

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
#endif

/// The program: one list, which all of its windows show.
@main
struct TodosApp: App {
  @LocalStore(StoreFactory(initialState: TodosState(), feature: todosFeature(readTexts: Importer.readTexts)))
  private var store

  init() {
    #if canImport(AppKit) && !targetEnvironment(macCatalyst)
      // A program that a package makes has no bundle: without this its windows stay behind, and get no keys.
      Task {
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.activate()
      }
    #endif
  }

  var body: some Scene {
    WindowGroup { TodoListView(store: store) }
  }
}
