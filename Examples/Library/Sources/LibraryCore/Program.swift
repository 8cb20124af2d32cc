import Arbor
import ArgumentParser
import Foundation

/// The whole program: loads the catalogue, and obeys commands until `quit` or the end of the input.
public enum Program {
  /// Runs the program with its arguments, and returns its exit status.
  public static func run(arguments: [String]) async -> Int32 {
    do {
      let options = try Options.parse(arguments)
      return await run(options) ? 0 : 1
    } catch {
      let message = Options.fullMessage(for: error)
      let status = Options.exitCode(for: error)
      if status == .success {
        Terminal.write("\(message)\n")
      } else {
        message.components(separatedBy: "\n").forEach(Terminal.complain)
      }
      return status.rawValue
    }
  }

  /// Whether all went well.
  private static func run(_ options: Options) async -> Bool {
    let name = options.catalogue == "-" ? "standard input" : options.catalogue
    let factory = StoreFactory(initialState: AppState(), feature: appFeature)
    let store = factory.rootStore()
    do {
      let reader = try CatalogueReader(path: options.catalogue)
      let screen = LoadingScreen(name: name, length: reader.length)
      screen.follow(store)
      try await Importer.start(reader, in: store).value
      let loading = factory.state.loading
      let isRefused = options.strict && loading.skipped > 0
      if isRefused { await store.dispatchAndWait(.loading(.refuse)) }
      screen.conclude(loading, isRefused: isRefused)
      guard !isRefused else { return false }
    } catch {
      Terminal.complain("library: \(name): \(error.reason)")
      return false
    }
    let session = Session(factory: factory) { options.today ?? Day(of: .now, in: .current) }
    return await session.run(options.commands)
  }
}
