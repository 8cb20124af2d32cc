import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Tasks on an actor")
struct IsolatedTaskTests {
  /// Not sendable: only a body on its actor can use it.
  private final class Progress {
    var steps = 0
  }

  private actor Uploader {
    private let progress = Progress()
    private let store: Store<[Int], Int>

    var steps: Int { progress.steps }

    init(store: Store<[Int], Int>) {
      self.store = store
    }

    func upload(key: String? = nil) -> StoreTask<Int> {
      store.task(key: key, isolation: #isolation) { dispatch in
        self.preconditionIsolated()
        self.progress.steps += 1
        dispatch(self.progress.steps)
        return self.progress.steps
      }
    }
  }

  @MainActor private final class Screen {
    let progress = Progress()

    func load(from store: Store<[Int], Int>) -> StoreTask<Void> {
      store.task(isolation: #isolation) { dispatch in
        MainActor.preconditionIsolated()
        self.progress.steps += 1
        dispatch(7)
      }
    }
  }

  @Test func `a task runs on the caller's actor on request, and uses the actor's state`() async throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let uploader = Uploader(store: factory.rootStore())
    let first = await uploader.upload()
    let second = await uploader.upload()
    #expect(try await Set([first.value, second.value]) == [1, 2])
    #expect(await uploader.steps == 2)
    #expect(factory.state.sorted() == [1, 2])
  }

  @Test @MainActor func `a task runs on the main actor, after the call that starts it`() async throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let screen = Screen()
    let task = screen.load(from: factory.rootStore())
    #expect(screen.progress.steps == 0)
    try await task.value
    #expect(screen.progress.steps == 1)
    #expect(factory.state == [7])
  }

  @Test func `a task on an actor is a step of a manual executor, and can be canceled by its key`() async {
    let executor = ManualExecutor()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(executor: executor),
      reducer: appending
    )
    let uploader = Uploader(store: factory.rootStore())
    let cancelled = await uploader.upload(key: "upload")
    factory.cancel("upload")
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    _ = await uploader.upload(key: "upload")
    executor.run()
    #expect(factory.state == [1])
  }
}
