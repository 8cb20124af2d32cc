import Arbor
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport
import Testing

@Suite("The time of a save")
struct SaveTimeTests {
  private let folder = MemoryFolder()
  private let clock = TestClock()
  private let executor = ManualExecutor()

  private func open() async throws -> StoreFactory<Notebook, NotebookAction> {
    try await open(in: Storage(folder, durability: .full))
  }

  private func open(in storage: Storage) async throws -> StoreFactory<Notebook, NotebookAction> {
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    return StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(
        clock: clock,
        monitors: [storage.saving(Notebooks.all, debounce: .seconds(1), atLatestAfter: .seconds(5))],
        executor: executor
      )
    )
  }

  private func advance(by duration: Duration) {
    clock.advance(by: duration)
    executor.run()
  }

  private var stored: [String] {
    get async throws { try await OpenNotebook(in: folder.copy()).store.state.notes }
  }

  @Test func `a save begins when there was no step for a while`() async throws {
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

  @Test func `the save follows the last of many quick steps by the quiet time`() async throws {
    let store = try await open()
    for number in 0..<24 {
      await store.dispatchAndWait(.add("\(number)"))
      advance(by: .milliseconds(10))
    }
    advance(by: .milliseconds(980))
    #expect(try await stored == [])
    advance(by: .milliseconds(280))
    #expect(try await stored.count == 24)
  }

  @Test func `a save begins no later than the longest delay after the first step`() async throws {
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

  @Test func `a save also follows a refused action, and later actions are reduced`() async throws {
    let folder = SimulatedFolder()
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.saving(Notebooks.all, journal, groupedFor: .seconds(1))
    let ahead = Feature<Notebook, NotebookAction>(interceptors: [saving.writeAhead()])
    let store = StoreFactory(
      initialState: state,
      feature: .combined(ahead, Notebooks.feature),
      settings: TreeSettings(clock: clock, monitors: [saving], executor: executor)
    )
    await store.dispatchAndWait(.add("a"))
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await store.dispatchAndWait(.add("b"))
    folder.failure = { _, _ in nil }
    advance(by: .seconds(1))
    await store.dispatchAndWait(.add("c"))
    #expect(store.state.notes == ["a", "c"])
  }

  @Test func `the timer of a save ends with its store`() async throws {
    let storage = try Storage(folder, durability: .full)
    var store: StoreFactory? = try await open(in: storage)
    await store?.dispatchAndWait(.add("a"))
    #expect(clock.sleepers == 1)
    store = nil
    executor.run()
    try await storage.flush()
    #expect(clock.sleepers == 0)
  }

  @Test func `a store that saves has settled once it has saved`() async throws {
    let store = try await open()
    await store.dispatchAndWait(.add("a"))
    clock.advance(by: .seconds(1))
    #expect(executor.pending == 1)
    executor.run()
    #expect(try await stored == ["a"])
  }

  @Test(arguments: [0, -1]) func `a save follows even if the clock stops or goes back`(tick: Int64) async throws {
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let folder = SimulatedFolder()
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    folder.failure = { _, _ in
      continuation.yield("saved")
      return nil
    }
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(
        clock: BrokenClock(tick: .seconds(tick)) { continuation.yield("slept too often") },
        monitors: [storage.saving(Notebooks.all, atLatestAfter: .seconds(Int64.max))]
      )
    )
    store.dispatch(.add("a"))
    #expect(await events.first { _ in true } == "saved")
  }
}

/// A clock that stands still or goes back, and whose sleep fails.
private final class BrokenClock: Clock {
  let tick: Duration
  let didSleepTooOften: @Sendable () -> Void
  private let counts = Protected((reads: 0, sleeps: 0))

  init(tick: Duration, _ didSleepTooOften: @escaping @Sendable () -> Void) {
    self.tick = tick
    self.didSleepTooOften = didSleepTooOften
  }

  var now: ContinuousClock.Instant {
    let reads = counts.withLock { counts in
      counts.reads += 1
      return counts.reads
    }
    return start.advanced(by: tick * reads)
  }

  private let start = ContinuousClock.now

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let sleeps = counts.withLockInAsync { counts in
      counts.sleeps += 1
      return counts.sleeps
    }
    if sleeps > 1000 { didSleepTooOften() }
    throw CancellationError()
  }
}
