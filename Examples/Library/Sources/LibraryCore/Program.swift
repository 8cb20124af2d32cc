import Arbor
import ArborPersistence
import ArgumentParser
import Foundation

/// The whole program: loads the catalog, and executes commands until `quit` or the end of the input.
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

  /// Runs the program with its options. Returns `true` if everything succeeded.
  private static func run(_ options: Options) async -> Bool {
    do {
      guard let folder = options.storage else { return await run(options, with: nil) }
      let kept = try await KeptLoans(in: folder)
      for note in kept.report.notes { Terminal.complain("library: \(folder): \(note)") }
      let isWell = await run(options, with: kept)
      try await kept.storage.close()
      return isWell
    } catch {
      Terminal.complain("library: \(error)")
      return false
    }
  }

  /// Loads the catalog, and executes the commands. Returns `true` if everything succeeded.
  private static func run(_ options: Options, with kept: KeptLoans?) async -> Bool {
    let factory = StoreFactory(
      initialState: kept?.state ?? AppState(),
      feature: appFeature,
      settings: TreeSettings(monitors: kept.map { [$0.monitor] } ?? [])
    )
    guard await load(options.catalogue, isStrict: options.strict, into: factory) else { return false }
    for line in factory.state.library.linesOfMissingBooks { Terminal.complain("library: \(line)") }
    let session = Session(factory: factory, storage: kept?.storage) { options.today ?? Day(of: .now, in: .current) }
    return await session.run(options.commands)
  }

  /// Loads the catalog. Returns `true` if everything succeeded.
  private static func load(
    _ catalogue: String,
    isStrict: Bool,
    into factory: StoreFactory<AppState, AppAction>
  ) async -> Bool {
    let name = catalogue == "-" ? "standard input" : catalogue
    let store = factory.rootStore()
    do {
      let reader = try CatalogueReader(path: catalogue)
      let screen = LoadingScreen(name: name, length: reader.length)
      screen.follow(store)
      try await Importer.start(reader, in: store).value
      let loading = factory.state.loading
      let isRefused = isStrict && loading.skipped > 0
      if isRefused { await store.dispatchAndWait(.loading(.refuse)) }
      screen.conclude(loading, isRefused: isRefused)
      return !isRefused
    } catch {
      Terminal.complain("library: \(name): \(error.reason)")
      return false
    }
  }
}
