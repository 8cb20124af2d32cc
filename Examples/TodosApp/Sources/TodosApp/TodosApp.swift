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
      // A program made by a package has no bundle: without this call, its windows stay in the background and receive no
      // keys.
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
