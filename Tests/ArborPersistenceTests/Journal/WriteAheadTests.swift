import Arbor
import ArborDevTools
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Actions that are written before they are reduced")
struct WriteAheadTests {
  private let folder = SimulatedFolder()
  private let journal = Journal(of: Notebooks.feature, snapshotEvery: 10)

  private func open(
    monitors: [any StoreMonitor] = [],
    _ reduce: @escaping @Sendable (NotebookAction) -> Void = { _ in }
  ) async throws -> (storage: Storage, store: StoreFactory<Notebook, NotebookAction>) {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.savingWhenAsked(Notebooks.all, journal)
    let store = StoreFactory(
      initialState: state,
      feature: .combined(
        Notebooks.feature,
        Feature(interceptors: [saving.writeAhead()]),
        Feature { _, action in reduce(action) }
      ),
      settings: TreeSettings(monitors: monitors + [saving])
    )
    return (storage, store)
  }

  private func stored(in folder: SimulatedFolder) async throws -> [String] {
    try await Storage(folder, durability: .full).load(into: Notebook(), Notebooks.all, journal).state.notes
  }

  @Test func `P1 all reduced actions survive a system crash, in the order of reduction`() async throws {
    let folder = folder
    let (storage, store) = try await open { action in
      guard case .add(let text) = action else { return }
      // The reducer is called for the action, so it is on the disk by now.
      var random = SplitMix64(seed: UInt64(text)!)
      let crashed = folder.afterCrash(choosing: &random)
      let contents = try! FolderContents(of: crashed)
      #expect(contents.entry >= UInt64(text)!)
    }
    for number in 1...35 { store.dispatch(.add("\(number)")) }
    try await storage.flush()
    #expect(try await stored(in: folder.afterKill()) == (1...35).map { "\($0)" })
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [false, true])
  func `P1 an action that is revoked while it is written is still reduced, as at the next start`(
    byKey: Bool
  ) async throws {
    let (storage, store) = try await open()
    let begins = Gate()
    let task = store.task(key: "work") { dispatch in
      await begins.pass()
      dispatch(.add("milk"))
      await cancellation()
    }
    let root = store.rootStore()
    folder.failure = { _, operation in
      // Cancel on another thread while the tree's thread writes.
      if operation == .sync { onThreads(1) { _ in if byKey { root.cancel("work") } else { task.cancel() } } }
      return nil
    }
    begins.open()
    await store.settled()
    folder.failure = { _, _ in nil }
    try await store.dispatchDurably(.add("bread"))
    #expect(store.state.notes == ["milk", "bread"])
    #expect(try await stored(in: folder.afterKill()) == ["milk", "bread"])
    withExtendedLifetime(storage) {}
  }

  @Test func `P1 an action that an interceptor revokes before the write is not written`() async throws {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.savingWhenAsked(Notebooks.all, journal)
    let owner = Protected<Store<Notebook, NotebookAction>?>(nil)
    let revoking = Interceptor<Notebook, NotebookAction> { action, _ in
      if action == .add("milk") { owner.withLock { $0 }?.cancel("work") }
      return .pass
    }
    let store = StoreFactory(
      initialState: state,
      feature: .combined(Notebooks.feature, Feature(interceptors: [revoking, saving.writeAhead()])),
      settings: TreeSettings(monitors: [saving])
    )
    owner.withLockInAsync { $0 = store.rootStore() }
    store.task(key: "work") { dispatch in
      dispatch(.add("milk"))
      await cancellation()
    }
    await store.settled()
    try await store.dispatchDurably(.add("bread"))
    #expect(store.state.notes == ["bread"])
    #expect(try await stored(in: folder.afterKill()) == ["bread"])
    owner.withLockInAsync { $0 = nil }
  }

  @Test func `P4 an action that cannot be written is reported and not reduced, and later writable ones are reduced`()
    async throws
  {
    let (storage, store) = try await open()
    let refusal = StorageError.refused(#"add("bread")"#, because: .file(FileError(.sync, "2.log", .other(5))))
    await store.dispatchAndWait(.add("milk"))
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await store.dispatchAndWait(.add("bread"))
    #expect(store.state.notes == ["milk"])
    await #expect(throws: StorageError.self) { try await storage.flush() }
    folder.failure = { _, _ in nil }
    await #expect(throws: refusal) { try await storage.flush() }
    await store.dispatchAndWait(.add("tea"))
    try await storage.flush()
    #expect(store.state.notes == ["milk", "tea"])
    #expect(try await stored(in: folder.afterKill()) == ["milk", "tea"])
    var refused: [StorageError] = []
    for await problem in storage.problems {
      if case .refused = problem { refused.append(problem) }
      if !refused.isEmpty { break }
    }
    #expect(refused == [refusal])
  }

  private func addMilk() async throws -> (storage: Storage, store: StoreFactory<Notebook, NotebookAction>) {
    let opened = try await open()
    await opened.store.dispatchAndWait(.theme("dark"))
    await opened.store.dispatchAndWait(.add("milk"))
    return opened
  }

  @Test func `the first action after an erasure is stored with all parts, and is not refused`() async throws {
    let (storage, store) = try await addMilk()
    try await storage.erase()
    try await store.dispatchDurably(.add("bread"))
    #expect(store.state.notes == ["milk", "bread"])
    let stored = try await Storage(folder.afterKill(), durability: .full)
      .load(into: Notebook(), Notebooks.all, journal).state
    #expect(stored == Notebook(settings: .init(theme: "dark"), notes: ["milk", "bread"]))
    for number in 1...25 { try await store.dispatchDurably(.add("\(number)")) }
    #expect(try await self.stored(in: folder.afterKill()) == store.state.notes)
  }

  @Test func `erased parts stay erased if the first action after the erasure cannot be written`() async throws {
    let (storage, store) = try await addMilk()
    try await storage.erase()
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await store.dispatchAndWait(.add("bread"))
    folder.failure = { _, _ in nil }
    await #expect(throws: StorageError.self) { try await storage.flush() }
    #expect(try await stored(in: folder.afterKill()) == [])
    try await store.dispatchDurably(.add("tea"))
    #expect(try await stored(in: folder.afterKill()) == ["milk", "tea"])
  }

  @Test func `parts that an action without changes stores again after an erasure stay stored in the next state`()
    async throws
  {
    let (storage, store) = try await addMilk()
    try await storage.erase()
    await store.dispatchAndWait(.select(1))
    #expect(try await stored(in: folder.afterKill()) == ["milk"])
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await store.dispatchAndWait(.add("bread"))
    folder.failure = { _, _ in nil }
    await #expect(throws: StorageError.self) { try await storage.flush() }
    #expect(try await stored(in: folder.afterKill()) == ["milk"])
  }

  @Test func `parts written ahead after an erasure stay stored if the state returns to the one at the erasure`()
    async throws
  {
    let recorder = Recorder<Notebook, NotebookAction>()
    let (storage, store) = try await open(monitors: [recorder])
    await store.dispatchAndWait(.add("milk"))
    try await storage.erase()
    try await store.dispatchDurably(.add("bread"))
    try recorder.travel(to: 1)
    recorder.continueFromHere()
    #expect(store.state.notes == ["milk"])
    try await storage.flush()
    #expect(try await stored(in: folder.afterKill()) == ["milk"])
  }

  @Test func `the first action after continuing from another moment is not refused`() async throws {
    let recorder = Recorder<Notebook, NotebookAction>()
    let (_, store) = try await open(monitors: [recorder])
    for text in ["milk", "bread", "tea"] { await store.dispatchAndWait(.add(text)) }
    try recorder.travel(to: 1)
    recorder.continueFromHere()
    await store.dispatchAndWait(.add("salt"))
    #expect(try await stored(in: folder.afterKill()) == ["milk", "salt"])
    await store.dispatchAndWait(.add("oil"))
    #expect(store.state.notes == ["milk", "salt", "oil"])
    #expect(try await stored(in: folder.afterKill()) == ["milk", "salt", "oil"])
  }

  @Test func `after a storage is reopened, actions are not refused because of those refused while it was closed`()
    async throws
  {
    let (storage, store) = try await addMilk()
    try await storage.close()
    await store.dispatchAndWait(.add("bread"))
    try await storage.reopen()
    try await store.dispatchDurably(.add("tea"))
    #expect(store.state.notes == ["milk", "tea"])
    #expect(try await stored(in: folder.afterKill()) == ["milk", "tea"])
  }

  @Test func `only the action that cannot be encoded is refused`() async throws {
    let (storage, store) = try await open()
    try await store.dispatchDurably(.add("milk"))
    store.dispatch(batch: [.size(.nan), .add("bread")])
    await #expect(throws: StorageError.self) { try await storage.flush() }
    #expect(store.state == Notebook(notes: ["milk", "bread"]))
    #expect(try await stored(in: folder.afterKill()) == ["milk", "bread"])
  }

  @Test func `P4 a caller that waits for a refused action gets its refusal, not the error of saving the rest`()
    async throws
  {
    let (storage, store) = try await addMilk()
    folder.failure = { _, _ in .noSpace }
    for text in ["bread", "tea"] {
      let error = await #expect(throws: StorageError.self) { try await store.dispatchDurably(.add(text)) }
      guard case .refused(let action, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(action == #"add("\#(text)")"#)
    }
    #expect(store.state.notes == ["milk"])
    withExtendedLifetime(storage) {}
  }

  @Test(arguments: [false, true])
  func `a refused action is not stored if the process is killed`(isFirst: Bool) async throws {
    let (storage, store) = try await open()
    if !isFirst { try await store.dispatchDurably(.add("milk")) }
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await #expect(throws: StorageError.self) { try await store.dispatchDurably(.add("bread")) }
    #expect(try await stored(in: folder.afterKill()) == (isFirst ? [] : ["milk"]))
    folder.failure = { _, _ in nil }
    try await storage.flush()
    try await store.dispatchDurably(.add("tea"))
    #expect(try await stored(in: folder.afterKill()) == (isFirst ? ["tea"] : ["milk", "tea"]))
  }

  @Test func `P4 many refused actions do not each write everything again`() async throws {
    let (storage, store) = try await addMilk()
    let attempts = AtomicNumber(0)
    folder.failure = { _, operation in
      if operation == .create { attempts.add(1) }
      return .noSpace
    }
    for number in 0..<100 { store.dispatch(.add("\(number)")) }
    _ = store.state
    await #expect(throws: StorageError.self) { try await storage.flush() }
    // The timer makes one attempt, and the flush another.
    #expect(attempts.load() <= 2)
    #expect(store.state.notes == ["milk"])
  }

  /// Dispatches an action durably. Returns the error; nil if the call throws none.
  private func refusal(
    of action: NotebookAction,
    in store: StoreFactory<Notebook, NotebookAction>
  ) async -> StorageError? {
    do throws(StorageError) {
      try await store.dispatchDurably(action)
      return nil
    } catch {
      return error
    }
  }

  private func isRefusal(_ error: StorageError?, of action: NotebookAction) -> Bool {
    if case .refused(let text, because: .cannotEncode) = error { text == "\(action)" } else { false }
  }

  @Test func `P4 a caller gets the error of its own action, regardless of simultaneous refusals`() async throws {
    let (storage, store) = try await open()
    // This action is accepted first and refused in its turn. The next call waits for that.
    store.dispatch(.size(.nan))
    try await store.dispatchDurably(.add("milk"))
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { #expect(await refusal(of: .add("\(number)"), in: store) == nil) }
        group.addTask { #expect(await isRefusal(refusal(of: .size(.nan), in: store), of: .size(.nan))) }
      }
    }
    #expect(try await Set(stored(in: folder.afterKill())) == Set(["milk"] + (0..<50).map { "\($0)" }))
    withExtendedLifetime(storage) {}
  }

  @Test func `P4 a flush throws a refusal once, unless the action's caller has received it`() async throws {
    let (storage, store) = try await open()
    #expect(await isRefusal(refusal(of: .size(.nan), in: store), of: .size(.nan)))
    try await storage.flush()
    store.dispatch(.size(.nan))
    store.dispatch(.add("milk"))
    let error = await #expect(throws: StorageError.self) { try await storage.flush() }
    #expect(isRefusal(error, of: .size(.nan)))
    try await storage.flush()
    #expect(try await stored(in: folder.afterKill()) == ["milk"])
    store.dispatch(.size(.nan))
    #expect(isRefusal(await #expect(throws: StorageError.self) { try await storage.close() }, of: .size(.nan)))
    // The storage is closed nevertheless.
    await store.dispatchAndWait(.add("bread"))
    #expect(store.state.notes == ["milk"])
  }
}
