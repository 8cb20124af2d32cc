import Arbor
import ArborTesting
import Foundation
import Testing

@testable import TodosCore

@Suite struct ImportFeatureTests {
  private let store = TestStore(
    initialState: ImportState.idle,
    feature: importFeature(readTexts: Importer.readTexts),
    timeout: .seconds(3600)  // for reading on another thread, however busy the machine is
  )
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the store continues while a file is read`() async throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)

    await store.send(.start(path: path, firstID: 1)) { $0 = .reading(lines: 0) }
    // Nothing was written to the pipe: the reader waits, and the store does not.
    await store.send(.progress(lines: 5)) { $0 = .reading(lines: 5) }

    _ = try folder.write("one\n\n \n  two \r\nthree", to: "pipe")
    await store.receive(.read(firstID: 1, texts: ["one", "two", "three"])) { $0 = .idle }
    await store.finish()
  }

  @Test func `if there are two imports, only the later one counts`() async throws {
    let paths = try ["earlier", "later"].map { try folder.write($0, to: $0) }
    // In one step, so that the first cannot have ended.
    await store.send(batch: paths.map { .start(path: $0, firstID: 1) }) { $0 = .reading(lines: 0) }
    await store.receive(.read(firstID: 1, texts: ["later"])) { $0 = .idle }
    await store.finish()
  }

  @Test func `a canceled import reads no more`() async throws {
    let clock = TestClock()
    let store = TestStore(
      initialState: ImportState.idle,
      feature: importFeature { _, progress in
        progress(7)
        // The clock stands still, so it sleeps until it is canceled.
        try await clock.sleep(for: .seconds(1))
        return []
      }
    )
    await store.send(.start(path: "a", firstID: 1)) { $0 = .reading(lines: 0) }
    await store.receive(.progress(lines: 7)) { $0 = .reading(lines: 7) }
    await store.send(.cancel) { $0 = .idle }
    await store.finish()
  }

  @Test(arguments: [
    ("nowhere", "No such file or directory"),
    ("binary", "the file is not UTF-8 text"),
    (".", "Is a directory"),
  ])
  func `an unreadable file gives the reason`(name: String, reason: String) async throws {
    try Data([0xFF]).write(to: URL(fileURLWithPath: folder.path("binary")))
    let path = folder.path(name)
    await store.send(.start(path: path, firstID: 1)) { $0 = .reading(lines: 0) }
    await store.receive(.fail(reason: "\(path): \(reason)")) { $0 = .idle }
    await store.finish()
  }
}
