import Arbor
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Erasures after failures, and failures after erasures")
struct FailedErasureTests {
  private let folder = SimulatedFolder()

  /// Lets the next operations of a kind fail, as many as `count`.
  private func fail(_ kind: FileError.Operation, count: Int = 1) {
    var rest = count
    folder.failure = { _, operation in
      guard operation == kind, rest > 0 else { return nil }
      rest -= 1
      return .noSpace
    }
  }

  private func shelf(_ storage: Storage) async throws -> StoreFactory<Shelf, ShelfAction> {
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    return StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
  }

  @Test(arguments: [false, true])
  func `P1 a change that could not be saved before an erasure does not count as saved after it`(changes: Bool)
    async throws
  {
    let open = try await OpenNotebook(in: folder)
    try await open.save(.theme("dark"))
    folder.failure = { _, operation in operation == .write ? .noSpace : nil }
    await open.store.dispatchAndWait(.theme("blue"))
    await #expect(throws: StorageError.self) { try await open.storage.flush() }
    folder.failure = { _, _ in nil }
    await open.store.dispatchAndWait(.theme("light"))
    try await open.storage.erase()
    // Another store causes a state to be written.
    let shelf = try await shelf(open.storage)
    fail(.write)
    try await shelf.dispatchDurably(.text("a"))
    if changes {
      try await open.store.dispatchDurably(.theme("blue"))
    } else {
      try await open.storage.flush()
    }
    let again = try await OpenNotebook(in: folder.afterKill())
    #expect(again.report.outcomes["settings"] == (changes ? "loaded" : "fresh"))
    #expect(again.store.state.settings.theme == (changes ? "blue" : "light"))
  }

  @Test(arguments: [false, true])
  func `a state that could not be made durable is erased, and is not taken for the state of another process`(
    isListed: Bool
  ) async throws {
    let open = try await OpenNotebook(in: folder)
    try await open.save(.add("milk"))
    try await open.storage.erase()
    await open.store.dispatchAndWait(.add("bread"))
    var (hasFailed, isRenamed) = (false, false)
    folder.failure = { _, operation in
      switch operation {
      // This failure causes a state to be written.
      case .write where !hasFailed:
        hasFailed = true
        return .noSpace
      case .rename: isRenamed = true
      // The sync of the folder after the renaming.
      case .sync where isRenamed: return .other(5)
      case .list where isRenamed && !isListed: return .other(5)
      default: break
      }
      return nil
    }
    await #expect(throws: StorageError.self) { try await open.storage.flush() }
    folder.failure = { _, _ in nil }
    if isListed {
      // Another process opens the folder, and writes nothing.
      try? await open.storage.close()
      try await Storage(folder, durability: .full).close()
      try await open.storage.reopen()
    }
    try await open.storage.flush()
    try await open.storage.erase()
    #expect(try folder.names().count == 1)
    #expect(try await OpenNotebook(in: folder.afterKill()).report.outcomes["notes"] == "fresh")
  }

  @Test func `P5 after the erasure of a journal has failed, no part is stored without its actions`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    fail(.write, count: 2)
    await #expect(throws: StorageError.self) { try await open.storage.erase() }
    _ = try await open.storage.load(into: Shelf(), Shelf.parts)
    try await open.storage.flush()
    #expect(try await OpenJournal(in: folder.afterKill()).report.outcomes["notes"] == "fresh")
    try await open.save(.add("bread"))
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk", "bread"])
  }

  @Test func `actions that were reduced before an erasure are not stored after it`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    await open.store.dispatchAndWait(.add("bread"))
    try await open.storage.erase()
    try await open.storage.flush()
    #expect(try await OpenJournal(in: folder.afterKill()).report.outcomes["notes"] == "fresh")
    try await open.save(.add("tea"))
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk", "bread", "tea"])
  }

  @Test func `an action refused in a store that no longer saves is not an unsaved change`() async throws {
    let storage = try Storage(folder, durability: .full)
    let old = try await OpenJournal(storage, writesAhead: true).store
    try await old.dispatchDurably(.add("milk"))
    let new = try await OpenJournal(storage, writesAhead: true).store
    await #expect(throws: StorageError.refused(#"add("rye")"#, because: .loadedAgain)) {
      try await old.dispatchDurably(.add("rye"))
    }
    try await storage.flush()
    try await new.dispatchDurably(.add("tea"))
    try await storage.close()
    #expect(old.state.notes == ["milk"])
  }

  @Test(arguments: [false, true])
  func `a store with a journal can be made while other tasks write states or erase`(erases: Bool) async throws {
    for _ in 0..<repetitions(150) {
      let folder = SimulatedFolder()
      let storage = try Storage(folder, durability: .full)
      let journal = Journal(of: Notebooks.feature)
      folder.failure = { _, operation in operation == .write ? .noSpace : nil }
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let saving = storage.savingWhenAsked(Notebooks.all, journal)
      if erases { folder.failure = { _, _ in nil } }
      let others = Task.detached {
        for _ in 0..<20 { _ = erases ? try? await storage.erase() : try? await storage.flush() }
      }
      let store = StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: [saving])
      )
      await store.dispatchAndWait(.add("milk"))
      await others.value
      folder.failure = { _, _ in nil }
      await store.dispatchAndWait(.add("bread"))
      try await storage.flush()
      #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk", "bread"])
    }
  }
}
