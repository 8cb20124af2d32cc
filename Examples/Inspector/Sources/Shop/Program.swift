import Arbor
import ArborDevTools
import ArborInspector
import Foundation

/// The whole program: creates the shop, serves its page, and runs until it is interrupted.
public enum Program {
  /// Runs the program with its arguments, and returns its exit status.
  public static func run(arguments: [String]) async -> Int32 {
    do {
      let options = try Options(arguments)
      if options.wantsHelp {
        write(Options.usage)
        return 0
      }
      try await serve(options)
      return 0
    } catch let error as OptionsError {
      complain("\(error.sentence)\n\(Options.usage)")
      return 2
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func serve(_ options: Options) async throws {
    let recorder = Recorder<ShopState, ShopAction>()
    let shop = StoreFactory(
      initialState: ShopState(),
      feature: shopFeature(services: .demo),
      settings: TreeSettings(monitors: [recorder])
    )
    let inspector = try await Inspector(
      recorder,
      named: "Shop",
      port: options.port,
      dispatch: shop.dispatch
    )
    write(inspector.address)
    let screen = shop.rootStore().derived { Screen.line(about: $0) }
    let showing = screen?.observe { line in write(line) }
    defer { withExtendedLifetime(showing) {} }
    guard !options.isStill else { return try await waitForEnd(of: inspector) }
    try await withThrowingTaskGroup { group in
      let stock = stockRequest(pieces: Services.demo.pieces)
      let customer = Customer(shop: shop, stock: stock, pause: { try await Task.sleep(for: $0) })
      group.addTask { try await customer.visit() }
      group.addTask { try await waitForEnd(of: inspector) }
      try await group.next()
      group.cancelAll()
    }
  }

  private static func waitForEnd(of inspector: Inspector) async throws {
    if case .failed(let error) = await inspector.ended() { throw error }
  }

  /// Writes a line immediately, even if the output is a pipe.
  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("inspector: \(text)\n".utf8))
  }
}
