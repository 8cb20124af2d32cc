import ArborEntities
import ArborTesting
import Foundation
import Testing

@testable import TodosCore

@Suite struct ImporterTests {
  private let store = TestStore(
    initialState: AppState(),
    effects: appEffects,
    timeout: .seconds(3600),  // for reading elsewhere, however busy the machine is
    reducer: appReducer
  )
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the store goes on while a file is read`() async throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)

    await store.send(.importing(.start(path: path, firstID: 1))) { $0.importing = .reading(lines: 0) }
    // Nobody has written to the pipe: the reader waits, and the store does not.
    await store.send(.filter(.show(.done))) { $0.filter = .done }

    _ = try folder.write("one\n\n \n  two \r\nthree", to: "pipe")
    await store.receive(.list(.import(firstID: 1, texts: ["one", "two", "three"]))) {
      $0.list.todos = [Todo(id: 1, text: "one"), Todo(id: 2, text: "two"), Todo(id: 3, text: "three")]
      $0.list.nextID = 4
      $0.list.history = [.added(1..<4)]
      $0.importing = .idle
    }
    await store.finish()
  }

  @Test func `of two imports only the later one counts`() async throws {
    let paths = try ["earlier", "later"].map { try folder.write($0, to: $0) }
    // In one step, so that the first cannot have come to its end.
    await store.send(batch: paths.map { .importing(.start(path: $0, firstID: 1)) }) {
      $0.importing = .reading(lines: 0)
    }
    await store.receive(.list(.import(firstID: 1, texts: ["later"]))) {
      $0.list.todos = [Todo(id: 1, text: "later")]
      $0.list.nextID = 2
      $0.list.history = [.added(1..<2)]
      $0.importing = .idle
    }
    await store.finish()
  }

  @Test func `an empty file adds nothing`() async throws {
    let path = try folder.write("\n \n", to: "empty")
    await store.send(.importing(.start(path: path, firstID: 1))) { $0.importing = .reading(lines: 0) }
    await store.receive(.importing(.end)) { $0.importing = .idle }
    await store.finish()
  }

  @Test(arguments: [
    ("nowhere", "No such file or directory"),
    ("binary", "this is not UTF-8 text"),
    (".", "Is a directory"),
  ])
  func `what cannot be read says why`(name: String, reason: String) async throws {
    try Data([0xFF]).write(to: URL(fileURLWithPath: folder.path("binary")))
    let path = folder.path(name)
    await store.send(.importing(.start(path: path, firstID: 1))) { $0.importing = .reading(lines: 0) }
    await store.receive(.importing(.fail(reason: "\(path): \(reason)"))) { $0.importing = .idle }
    await store.finish()
  }
}
