import Arbor
import Foundation
import Testing

@testable import TodosCore

@Suite(.timeLimit(.minutes(1)))
struct ImporterTests {
  private let factory = StoreFactory<AppState, AppAction>(
    initialState: AppState(),
    effects: appEffects,
    reducer: appReducer
  )

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
    #expect(store.isRunning(Importer.key))

    _ = try folder.write("one\n\n \n  two \r\nthree", to: "pipe")
    await store.tasksFinished()
    #expect(factory.state.list.todos.map(\.text) == ["one", "two", "three"])
    #expect(factory.state.importing == .idle)
  }

  @Test func `of two imports only the later one counts`() async throws {
    let folder = try TemporaryFolder()
    let paths = try ["earlier", "later"].map { try folder.write($0, to: $0) }
    // In one step, so that the first cannot have come to its end.
    factory.rootStore().dispatch(batch: paths.map { .importing(.start(path: $0, firstID: 1)) })
    _ = factory.state
    await factory.rootStore().tasksFinished()
    #expect(factory.state.list.todos.map(\.text) == ["later"])
  }

  @Test func `an empty file adds nothing`() async throws {
    let folder = try TemporaryFolder()
    await factory.rootStore().perform(.importing(.start(path: try folder.write("\n \n", to: "empty"), firstID: 1)))
    #expect(factory.state == AppState())
  }

  @Test func `what cannot be read says why`() async throws {
    let folder = try TemporaryFolder()
    try Data([0xFF]).write(to: URL(fileURLWithPath: folder.path("binary")))
    for (name, reason) in [
      ("nowhere", "No such file or directory"), ("binary", "this is not UTF-8 text"), (".", "Is a directory"),
    ] {
      let path = folder.path(name)
      let reasons = AsyncStream<String>.makeStream()
      let failing = StoreFactory<AppState, AppAction>(
        initialState: AppState(),
        interceptor: { action, _ in
          if case .importing(.fail(let reason)) = action { reasons.continuation.yield(reason) }
        },
        effects: appEffects,
        reducer: appReducer
      )
      failing.rootStore().dispatch(.importing(.start(path: path, firstID: 1)))
      for await said in reasons.stream {
        #expect(said == "\(path): \(reason)")
        break
      }
      #expect(failing.state.importing == .idle)
    }
  }
}
