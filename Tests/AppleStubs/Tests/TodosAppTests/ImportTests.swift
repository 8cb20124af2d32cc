import Arbor
import ArborEntities
import ArborTesting
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

@MainActor
struct ImportTests {
  /// Reads two items within a second, and reports its progress in the middle.
  let program = RunningProgram("milk") { clock, progress in
    try await clock.sleep(for: .milliseconds(500))
    progress(10_000)
    try await clock.sleep(for: .milliseconds(500))
    return ["bread", "salt"]
  }

  @Test func `an import shows the number of lines read, and then the items`() {
    let progress = Redraws { [store = program.store] in _ = ImportProgress(store: store).body }
    #expect(program.store.app.importing == .idle)
    program.store.send(.importFile(path: "file"))
    #expect(program.store.app.importing == .reading(lines: 0))
    #expect(progress.count == 1)
    let list = Redraws { _ = program.list.body }
    program.wait(.milliseconds(500))
    #expect(program.store.app.importing == .reading(lines: 10_000))
    #expect(program.shown == ["milk"])
    #expect(list.count == 0)
    program.wait(.milliseconds(500))
    #expect(program.store.app.importing == .idle)
    #expect(program.shown == ["milk", "bread", "salt"])
    program.store.send(.undo)
    #expect(program.shown == ["milk"])
  }

  @Test func `a canceled import adds nothing`() {
    program.store.send(.importFile(path: "file"))
    program.wait(.milliseconds(500))
    ImportProgress(store: program.store).cancel()
    #expect(program.store.app.importing == .idle)
    program.wait(.seconds(1))
    #expect(program.shown == ["milk"])
    #expect(program.clock.sleepers == 0)
  }

  @Test func `items added while a file is read do not take the ids of its items`() {
    program.store.send(.importFile(path: "file"))
    program.store.send(.add)
    program.store.send(.editor(.text("tea")))
    program.store.send(.save)
    program.wait(.seconds(1))
    #expect(program.shown == ["milk", "tea", "bread", "salt"])
  }

  @Test func `an unreadable file shows the reason until it is dismissed`() {
    let program = RunningProgram { _, _ in throw CocoaError(.fileReadInapplicableStringEncoding) }
    let alert = program.list.isFailureShown
    #expect(!alert.wrappedValue)
    program.store.send(.importFile(path: "file"))
    program.executor.run()
    #expect(alert.wrappedValue)
    #expect(program.store.failure?.reason == "file: the file is not UTF-8 text")
    program.list.isFailureShown.wrappedValue = false
    #expect(program.store.failure == nil)
  }

  @Test func `a failed choice of a file shows the reason`() {
    program.list.importFile(.failure(CocoaError(.fileReadInapplicableStringEncoding)))
    #expect(program.store.failure?.reason == "the file is not UTF-8 text")
  }

  @Test func `the file stays accessible until the import has ended`() async {
    let factory = StoreFactory(
      initialState: TodosState(),
      feature: todosFeature { path, _ in [path] }
    )
    let store = factory.observable()
    await store.importFile(at: URL(fileURLWithPath: "/tmp/items"))
    #expect(factory.state.app.importing == .idle)
    #expect(factory.state.app.list.todos.map(\.text) == ["/tmp/items"])
  }
}
