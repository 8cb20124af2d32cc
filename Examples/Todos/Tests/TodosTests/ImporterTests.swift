import Arbor
import Foundation
import Testing

@testable import TodosCore

@Suite(.timeLimit(.minutes(1)))
struct ImporterTests {
  private let factory = StoreFactory<AppState, AppAction>(
    initialState: AppState(),
    interceptor: { action, dispatch in
      guard case .importing(let action) = action else { return }
      Importer.intercept(action, dispatch: dispatch)
    },
    reducer: appReducer
  )

  /// Returns once no import is running.
  private func importEnded() async {
    await withCheckedContinuation { continuation in
      factory.scopeStore(to: \.importing)
        .subscribe(
          observer: Observer { state in
            guard state == .idle else { return .active }
            continuation.resume()
            return .dead
          }
        )
    }
  }

  @Test func `the store goes on while a file is read`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let store = factory.rootStore()

    await store.dispatchAndWait(.importing(.start(path: path, firstID: 1)))
    // Nobody has written to the pipe: the reader waits, and the store does not.
    await store.dispatchAndWait(.filter(.show(.done)))
    #expect(factory.state.filter == .done)
    #expect(factory.state.importing == .reading(lines: 0))

    _ = try folder.write("one\n\n \n  two \r\nthree", to: "pipe")
    await importEnded()
    #expect(factory.state.list.todos.map(\.text) == ["one", "two", "three"])
    #expect(factory.state.output == .line("imported 3 items"))
  }

  @Test func `an empty file adds nothing`() async throws {
    let folder = try TemporaryFolder()
    factory.rootStore().dispatch(.importing(.start(path: try folder.write("\n \n", to: "empty"), firstID: 1)))
    await importEnded()
    #expect(factory.state.list == ListState())
    #expect(factory.state.output == .line("imported 0 items"))
  }

  @Test func `what cannot be read says why`() async throws {
    let folder = try TemporaryFolder()
    try Data([0xFF]).write(to: URL(fileURLWithPath: folder.path("binary")))
    for (name, reason) in [
      ("nowhere", "No such file or directory"), ("binary", "this is not UTF-8 text"), (".", "Is a directory"),
    ] {
      let path = folder.path(name)
      factory.rootStore().dispatch(.importing(.start(path: path, firstID: 1)))
      await importEnded()
      #expect(factory.state.output == .error("\(path): \(reason)"))
    }
  }
}
