import Arbor
import ArborEntities
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport
import Testing

@Suite("Storages that continue after failures")
struct GoingOnTests {
  private let folder = SimulatedFolder()

  @Test func `P1 a snapshot is abandoned if an action before it could not be written`() async throws {
    let journal = Journal(of: Notebooks.feature, snapshotEvery: 4)
    let storage = try Storage(folder, durability: .full, background: { $0() })
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.saving(Notebooks.all, journal, groupedFor: .seconds(600))
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    store.dispatch(.add("0"))
    try await storage.flush()
    for number in 1...3 { await store.dispatchAndWait(.add("\(number)")) }
    nonisolated(unsafe) var step = 0
    folder.failure = { [store = store.asStore] _, operation in
      switch (step, operation) {
      case (0, .sync):
        // The earlier actions are being saved, which makes a snapshot due.
        step = 1
        store.dispatch(.add("4"))
      case (1, .write), (1, .sync):
        // The added action is being written after them.
        step = 2
        store.dispatch(.add("5"))
        return .other(5)
      default: break
      }
      return nil
    }
    try? await storage.flush()
    #expect(step == 2)
    folder.failure = { _, _ in nil }
    try await storage.flush()
    let again = try await Storage(folder.afterKill(), durability: .full).load(into: Notebook(), Notebooks.all, journal)
    #expect(again.state.notes == (0...5).map { "\($0)" })
  }

  private struct Line: Identifiable, Codable, Equatable, Sendable {
    var id: Int
  }

  @Test func `P1 a save that failed before other parts are loaded is written again after that, but not twice`()
    async throws
  {
    let part = Persisted(\EntityTable<Line>.self, as: "lines")
    let feature = Feature<EntityTable<Line>, Int> { table, id in try! table.upsert(Line(id: id)) }
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: EntityTable<Line>(), [part])
    let monitor = storage.saving([part], debounce: .seconds(600), atLatestAfter: .seconds(600))
    let store = StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: [monitor]))
    for id in 0..<20 { store.dispatch(id) }
    try await storage.flush()
    // A difference is in the log, but a crash may lose it. There is no space for a state.
    nonisolated(unsafe) var isFailing = true
    folder.failure = { _, operation in
      if operation == .list { isFailing = false }
      return isFailing && (operation == .sync || operation == .create) ? .noSpace : nil
    }
    store.dispatch(100)
    await #expect(throws: StorageError.self) { try await storage.flush() }
    _ = try await storage.load(into: Notebook(), Notebooks.all)
    store.dispatch(101)
    try await storage.flush()
    let again = try await Storage(folder.afterKill(), durability: .full).load(into: EntityTable<Line>(), [part])
    #expect(again.state.map(\.id) == Array(0..<20) + [100, 101])
    #expect(again.report.notes == [])
  }

  @Test func `P1 the last state of a released store is saved once that is possible`() async throws {
    let (works, later) = AsyncStream<@Sendable () -> Void>.makeStream()
    let storage = try Storage(folder, durability: .full, later: { later.yield($0) })
    var notebook: OpenNotebook? = try await OpenNotebook(storage)
    await notebook?.store.dispatchAndWait(.add("milk"))
    folder.failure = { _, operation in operation == .write ? .noSpace : nil }
    notebook = nil
    var retries = works.makeAsyncIterator()
    // This attempt fails, too.
    await retries.next()?()
    let retry = await retries.next()
    #expect(try await OpenNotebook(in: folder.afterKill()).store.state.notes == [])
    folder.failure = { _, _ in nil }
    retry?()
    // Reopening saves nothing, because the storage isn't closed.
    try await storage.reopen()
    #expect(try await OpenNotebook(in: folder.afterKill()).store.state.notes == ["milk"])
  }

  @Test func `P2 a file damaged while the storage is in use is kept aside and reported`() async throws {
    let folder = MemoryFolder()
    let first = try await OpenNotebook(in: folder)
    try await first.save(.add("milk"), .theme("dark"))
    try await first.storage.close()
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), [Notebooks.settings])
    let monitors = [storage.savingWhenAsked([Notebooks.settings])]
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: monitors)
    )
    let log = try #require(folder.names().first { $0.hasSuffix(".log") })
    var bytes = try #require(folder.open(log)).readAll()
    bytes[bytes.count - 1] ^= 1
    folder.remove(log)
    try folder.create(log).append(bytes)
    // The text is too long for a log, so a state is written and the log is removed.
    await store.dispatchAndWait(.theme(String(repeating: "x", count: 300_000)))
    try await storage.flush()
    #expect(folder.open(log) == nil)
    #expect(try folder.open(KeptAside.name(of: log))?.readAll() == bytes)
    guard case .damaged(let finding) = await problemsAtLast(of: storage).first else {
      Issue.record("the problem was not reported")
      return
    }
    #expect(finding.isDamage)
  }

  /// Closes a storage, and returns the problems it has reported.
  private func problemsAtLast(of storage: Storage) async -> [StorageError] {
    try? await storage.close()
    // This reports `closed` as the last problem.
    try? await storage.erase()
    return await storage.problems.prefix { $0 != .closed }.reduce(into: []) { $0.append($1) }
  }

  @Test func `a store that is released after its storage was closed, with nothing to save, reports no problem`()
    async throws
  {
    let (storage, executor) = (try Storage(folder, durability: .full), ManualExecutor())
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    var store: StoreFactory? = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)], executor: executor)
    )
    try await store?.dispatchDurably(.add("milk"))
    try await storage.close()
    store = nil
    executor.run()
    try await storage.reopen()
    #expect(await problemsAtLast(of: storage) == [])
  }

  @Test(arguments: [false, true])
  func `P3 changes by another process are not overwritten, regardless of earlier failures`(isJournaled: Bool)
    async throws
  {
    let journal = Journal(of: Notebooks.feature, snapshotEvery: isJournaled ? 2 : 10_000)
    let first = try await OpenJournal(in: folder, journal)
    try await first.save(.add("milk"))
    try await first.storage.close()
    try await first.storage.reopen()
    if isJournaled {
      try await first.save(.add("bread"))
      // A snapshot begins, but cannot be written.
      folder.failure = { _, operation in operation == .create ? .noSpace : nil }
      try await first.save(.add("tea"))
      await #expect(throws: StorageError.self) { try await first.storage.close() }
    } else {
      folder.failure = { _, _ in .noSpace }
      await first.store.dispatchAndWait(.add("bread"))
      await #expect(throws: StorageError.self) { try await first.storage.close() }
    }
    folder.failure = { _, _ in nil }
    let second = try await OpenJournal(in: folder, journal)
    try await second.save(.add("salt"))
    try await second.storage.close()
    let kept = try await OpenJournal(in: folder.afterKill(), journal).store.state.notes
    #expect(kept == second.store.state.notes)
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.reopen() }
    await first.store.dispatchAndWait(.add("oil"))
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.flush() }
    #expect(try await OpenJournal(in: folder.afterKill(), journal).store.state.notes == kept)
  }
}
