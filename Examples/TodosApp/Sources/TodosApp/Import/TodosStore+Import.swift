import Arbor
import ArborUI
import Foundation

extension TodosStore {
  /// Imports a file that a person has chosen, and returns when the import has ended.
  func importFile(at url: URL) async {
    #if canImport(Darwin)
      // In a sandbox, the file can be read only between these two calls.
      let isGranted = url.startAccessingSecurityScopedResource()
      defer { if isGranted { url.stopAccessingSecurityScopedResource() } }
    #endif
    send(.importFile(path: url.path))
    _ = await store.state { !$0.isImporting }
  }
}
