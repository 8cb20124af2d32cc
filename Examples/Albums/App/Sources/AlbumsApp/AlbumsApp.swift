import AlbumServer
import SwiftUI

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
#endif

/// The program: the albums of its own server.
@main
struct AlbumsApp: App {
  @State private var program = AlbumsProgram.withServer()

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
    WindowGroup { AlbumListView(program: program) }
  }
}
