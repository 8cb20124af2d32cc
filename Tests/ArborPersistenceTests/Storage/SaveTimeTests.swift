import Arbor
import ArborPersistence
import ArborTesting
import Testing

@Suite("The time of a save")
struct SaveTimeTests {
  private let folder = MemoryFolder()
  private let clock = TestClock()
  private let executor = ManualExecutor()

  private func open() async throws -> StoreFactory<Notebook, NotebookAction> {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    return StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      clock: clock,
      monitors: [storage.saving(Notebooks.all, debounce: .seconds(1), atLatestAfter: .seconds(5))],
      executor: executor
    )
  }

  private func advance(by duration: Duration) {
    clock.advance(by: duration)
    executor.run()
  }

  private var stored: [String] {
    get async throws { try await OpenNotebook(in: folder.copy()).store.state.notes }
  }

  @Test func `It is when no step has come for a while`() async throws {
    let store = try await open()
    await store.dispatchAndWait(.add("a"))
    advance(by: .milliseconds(900))
    await store.dispatchAndWait(.add("b"))
    advance(by: .milliseconds(900))
    #expect(try await stored == [])
    advance(by: .milliseconds(100))
    #expect(try await stored == ["a", "b"])
    let size = folder.size
    advance(by: .seconds(60))
    #expect(folder.size == size)
  }

  @Test func `It is a while after the first step at the latest`() async throws {
    let store = try await open()
    for number in 0..<49 {
      await store.dispatchAndWait(.add("\(number)"))
      advance(by: .milliseconds(100))
    }
    #expect(try await stored == [])
    await store.dispatchAndWait(.add("49"))
    advance(by: .milliseconds(100))
    #expect(try await stored.count == 50)
    #expect(clock.sleepers == 0)
  }

  @Test func `P3 nothing is saved before the first step`() async throws {
    let store = try await open()
    advance(by: .seconds(60))
    #expect(folder.names() == [])
    withExtendedLifetime(store) {}
  }

  @Test func `A store that saves has settled when it has saved`() async throws {
    let store = try await open()
    await store.dispatchAndWait(.add("a"))
    clock.advance(by: .seconds(1))
    #expect(executor.pending == 1)
    executor.run()
    #expect(try await stored == ["a"])
  }
}
