import Arbor
import ArborPersistence
import TestSupport
import Testing

@Suite("Journals")
struct JournalTests {
  private let folder = MemoryFolder()

  private func reopened(
    _ journal: Journal<Notebook, NotebookAction> = Journal(of: Notebooks.feature)
  ) async throws -> OpenJournal {
    try await OpenJournal(in: folder.copy(), journal)
  }

  @Test func `P1 durable actions are reduced again at the next start`() async throws {
    let first = try await OpenJournal(in: folder)
    #expect(first.report.journal?.replayed == 0)
    try await first.store.dispatchDurably(.add("milk"))
    try await first.store.dispatchDurably(.theme("dark"))
    let second = try await reopened()
    #expect(second.store.state == Notebook(settings: .init(theme: "dark"), notes: ["milk"]))
    #expect(second.report.journal?.replayed == 2)
    #expect(second.report.findings.isEmpty)
  }

  @Test func `P5 a journal continues after the replayed actions, any number of times`() async throws {
    // Each program is killed.
    var folder = folder
    for number in 0..<5 {
      let open = try await OpenJournal(in: folder)
      #expect(open.store.state.notes == (0..<number).map { "\($0)" })
      #expect(open.report.journal?.replayed == number)
      try await open.save(.add("\(number)"))
      folder = folder.copy()
    }
  }

  /// Another reducer of the same actions, with the version of the first one.
  private static let shouting = Feature<Notebook, NotebookAction> { state, action in
    if case .add(let text) = action { state.notes.append(text.uppercased()) }
  }

  @Test func `P1 nothing is reduced again after a storage was closed, not even by another reducer`() async throws {
    let texts = (0..<5).map { "milk \($0)" }
    let open = try await OpenJournal(in: folder)
    for text in texts { try await open.store.dispatchDurably(.add(text)) }
    try await open.storage.close()
    let again = try await reopened(Journal(of: Self.shouting))
    #expect(again.store.state.notes == texts)
    #expect(again.report.journal?.replayed == 0)
    #expect(again.report.notes == [])
    // If nothing was journaled, nothing is written.
    let copy = folder.copy()
    try await OpenJournal(in: copy).storage.close()
    #expect(copy.names() == folder.names())
  }

  @Test func `P1 actions replayed after a kill are not replayed again if the storage is closed without a store`()
    async throws
  {
    try await OpenJournal(in: folder).save(.add("milk"))
    let copy = folder.copy()
    let storage = try Storage(copy, durability: .full)
    let loaded = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
    #expect(loaded.report.journal?.replayed == 1)
    try await storage.close()
    let again = try await OpenJournal(in: copy, Journal(of: Self.shouting))
    #expect(again.report.journal?.replayed == 0)
    #expect(again.store.state.notes == ["milk"])
  }

  @Test func `a snapshot can be written at any time, and nothing before it is reduced again`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.store.dispatchDurably(.add("milk"))
    #expect(try await reopened().report.journal?.replayed == 1)
    open.store.dispatch(.add("bread"))
    try await open.storage.snapshot()
    let names = folder.names()
    let again = try await reopened(Journal(of: Self.shouting))
    #expect(again.report.journal?.replayed == 0)
    #expect(again.store.state.notes == ["milk", "bread"])
    // Nothing has changed since.
    try await open.storage.snapshot()
    #expect(folder.names() == names)
    try await open.store.dispatchDurably(.add("tea"))
    #expect(try await reopened().report.journal?.replayed == 1)
    try await open.storage.close()
    await #expect(throws: StorageError.closed) { try await open.storage.snapshot() }
  }

  @Test func `without a journal, a snapshot replaces the log`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    for number in 0..<3 { try await notebook.save(.add("\(number)")) }
    try await notebook.storage.snapshot()
    #expect(folder.names().filter { $0.hasSuffix(".log") } == [])
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["0", "1", "2"])
  }

  @Test func `a journal contains what the root's reducer received, in order and without dropped actions`() async throws
  {
    let dropping = Interceptor<Notebook, NotebookAction> { action, _ in
      switch action {
      case .add("dropped"): .drop
      case .add("replaced"): .replace(with: .add("instead"))
      default: .pass
      }
    }
    let open = try await OpenJournal(in: folder, interceptors: [dropping])
    let child = open.store.childStore(initialState: 0) { (count: inout Int, _: NotebookAction) in count += 1 }
    let scope = open.store.scope(to: \.notes, action: NotebookAction.add)
    child.dispatch(.add("child"))
    open.store.dispatch(.add("dropped"))
    scope.dispatch("scope")
    open.store.dispatch(.add("replaced"))
    open.store.dispatch(batch: [.add("one"), .add("two")])
    try await open.storage.flush()
    let again = try await reopened()
    #expect(again.store.state.notes == ["child", "scope", "instead", "one", "two"])
    #expect(again.report.journal?.replayed == 5)
  }

  @Test func `P5 a batch is stored as a whole or not at all`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    open.store.dispatch(batch: (0..<20).map { .add("\($0)") })
    try await open.storage.flush()
    let log = try #require(folder.names().filter { $0.hasSuffix(".log") }.last)
    let bytes = try #require(folder.open(log)).readAll()
    for length in 0..<bytes.count {
      let cut = folder.copy()
      cut.remove(log)
      try cut.create(log).append(Array(bytes[..<length]))
      let notes = try await OpenJournal(in: cut).store.state.notes
      #expect([0, 1, 21].contains(notes.count))
    }
  }

  @Test func `a snapshot is written at the given interval of steps, and the files before it are removed`() async throws
  {
    let journal = Journal(of: Notebooks.feature, snapshotEvery: 10)
    let open = try await OpenJournal(in: folder, journal)
    for number in 0..<100 {
      try await open.store.dispatchDurably(.add("\(number)"))
      // The snapshot isn't written on the queue, so later actions may be acknowledged before it.
      let replayed = try await reopened(journal)
      #expect(replayed.store.state.notes == (0...number).map { "\($0)" })
    }
    try await open.storage.flush()
    let replayed = try #require(try await reopened(journal).report.journal?.replayed)
    #expect(replayed < 50)
    #expect(folder.names().count <= 6)
  }

  @Test func `another reducer reduces the actions again, which is reported and not repeated`() async throws {
    try await OpenJournal(in: folder).save(.add("milk"), .add("bread"))
    let journal = Journal(of: Self.shouting, reducerVersion: 2)
    let copy = folder.copy()
    let second = try await OpenJournal(in: copy, journal)
    #expect(second.store.state.notes == ["MILK", "BREAD"])
    #expect(second.report.journal?.otherReducers == [1])
    try await second.storage.close()
    let third = try await OpenJournal(in: copy, journal)
    #expect(third.store.state.notes == ["MILK", "BREAD"])
    #expect(third.report.journal?.replayed == 0)
  }

  @Test func `the state that another reducer computed from the actions is stored when it is loaded`() async throws {
    try await OpenJournal(in: folder).save(.add("milk"), .add("bread"))
    let journal = Journal(of: Self.shouting, reducerVersion: 2)
    let copy = folder.copy()
    let second = try await OpenJournal(in: copy, journal)
    #expect(second.report.journal?.replayed == 2)
    // The content without a clean end.
    let third = try await OpenJournal(in: copy.copy(), journal)
    #expect(third.store.state.notes == ["MILK", "BREAD"])
    #expect(third.report.journal?.replayed == 0)
    #expect(third.report.journal?.otherReducers == [])
    withExtendedLifetime(second) {}
  }

  @Test func `P1 another reducer that must not reduce the actions continues after a clean end`() async throws {
    let other = Journal(of: Self.shouting, reducerVersion: 2, ifReducerChanged: .beginWithSnapshot)
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    try await open.storage.close()
    let again = try await OpenJournal(in: folder, other, feature: Self.shouting)
    #expect(again.store.state.notes == ["milk"])
    try await again.save(.add("bread"))
    try await again.storage.close()
    #expect(try await OpenJournal(in: folder, other).store.state.notes == ["milk", "BREAD"])
  }

  @Test func `P1 another reducer that must not reduce a killed program's actions is refused, and the actions stay`()
    async throws
  {
    let other = Journal(of: Self.shouting, reducerVersion: 2, ifReducerChanged: .beginWithSnapshot)
    let open = try await OpenJournal(in: folder)
    for text in ["milk", "bread"] { try await open.store.dispatchDurably(.add(text)) }
    let killed = folder.copy()
    let names = killed.names()
    let storage = try Storage(killed, durability: .full)
    await #expect(throws: StorageError.otherReducer("NotebookAction", stored: 1, known: 2)) {
      try await storage.load(into: Notebook(), Notebooks.all, other)
    }
    #expect(killed.names() == names)
    // The reducer of that version reduces the actions, and the other one continues from there.
    _ = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
    try await storage.snapshot()
    let (state, report) = try await storage.load(into: Notebook(), Notebooks.all, other)
    #expect(state.notes == ["milk", "bread"])
    #expect(report.journal?.replayed == 0)
  }

  @Test func `actions of an older version are migrated, and actions of a newer one are refused`() async throws {
    enum OldAction: Codable, Sendable {
      case append(String)
    }
    let old = Feature<Notebook, OldAction> { state, action in
      if case .append(let text) = action { state.notes.append(text) }
    }
    let storage = try Storage(folder, durability: .full)
    let oldJournal = Journal(of: old)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, oldJournal)
    let store = StoreFactory(
      initialState: state,
      feature: old,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, oldJournal)])
    )
    try await store.dispatchDurably(.append("milk"))
    let migration = Migration.from(1) { (old: OldAction) in
      switch old {
      case .append(let text): NotebookAction.add(text)
      }
    }
    let copy = folder.copy()
    let journal = Journal(of: Notebooks.feature, version: 2, migrations: [migration])
    let new = try await OpenJournal(in: copy, journal)
    #expect(new.store.state.notes == ["milk"])
    try await new.save(.add("bread"))
    new.storage.endAsIfKilled()
    await #expect(throws: StorageError.newerPart("NotebookAction", stored: 2, known: 1)) {
      try await OpenJournal(in: copy)
    }
    #expect(try await OpenJournal(in: copy, journal).store.state.notes == ["milk", "bread"])
  }

  @Test func `P2 actions that cannot be read are reported and kept aside`() async throws {
    try await OpenJournal(in: folder).save(.add("milk"), .add("bread"))
    let journal = Journal(of: Notebooks.feature, version: 2)
    let copy = folder.copy()
    let open = try await OpenJournal(in: copy, journal)
    #expect(open.store.state.notes == [])
    let skipped = try #require(open.report.journal?.skipped)
    let failures = skipped.compactMap { $0.reason as? StoredValueError }
    #expect(failures.map(\.reason) == [.noMigration(to: 2), .noMigration(to: 2)])
    #expect(failures.allSatisfy { $0.name == "NotebookAction" && $0.version == 1 && $0.path.isEmpty })
    let kept = KeptAside.name(of: "actions-3")
    #expect(open.report.keptFiles == [kept])
    #expect(copy.text(of: kept) == #"{"add":{"_0":"milk"}}"# + "\n" + #"{"add":{"_0":"bread"}}"#)
    try await open.save(.add("tea"))
    try await open.storage.close()
    #expect(try await OpenJournal(in: copy, journal).store.state.notes == ["tea"])
  }

  @Test func `P4 an action that cannot be encoded is reported, and its changes are saved nevertheless`() async throws {
    let open = try await OpenJournal(in: folder, parts: [Notebooks.notes])
    open.store.dispatch(.add("milk"))
    open.store.dispatch(.size(.infinity))
    open.store.dispatch(.add("bread"))
    try await open.storage.flush()
    var problems = open.storage.problems.makeAsyncIterator()
    let problem = await problems.next()
    guard case .cannotEncode("NotebookAction", path: "_0", _) = problem else {
      Issue.record("\(problem!)")
      return
    }
    #expect(try await OpenJournal(in: folder.copy(), parts: [Notebooks.notes]).store.state.notes == ["milk", "bread"])
  }

  @Test func `an undeclared journal is an error, and so is a durable action without a storage`() async throws {
    try await OpenJournal(in: folder).save(.add("milk"))
    let copy = folder.copy()
    await #expect(throws: StorageError.journalNotDeclared) { try await OpenNotebook(in: copy) }
    let store = StoreFactory(initialState: Notebook(), feature: Notebooks.feature)
    await #expect(throws: StorageError.notSaved) { try await store.dispatchDurably(.add("milk")) }
  }

  @Test func `without a journal, an action is durable when its parts are saved`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.store.dispatchDurably(.add("milk"))
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
  }

  @Test func `the progress of a replay is reported`() async throws {
    let open = try await OpenJournal(in: folder)
    for number in 0..<5_000 { open.store.dispatch(.add("\(number)")) }
    try await open.storage.flush()
    let storage = try Storage(folder.copy(), durability: .full)
    let (calls, continuation) = AsyncStream<JournalProgress>.makeStream()
    _ = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature)) { progress in
      continuation.yield(progress)
    }
    continuation.finish()
    var progress: [[Int]] = []
    for await call in calls { progress.append([call.replayed, call.count]) }
    #expect(progress == [[4096, 5000], [5000, 5000]])
    // A sequence that begins later receives the last progress, too.
    var last = storage.progress.makeAsyncIterator()
    #expect(await last.next()?.replayed == 5000)
  }

  @Test func `the progress of a replay is a sequence, which ends with its storage`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"), .add("tea"))
    var storage: Storage? = try Storage(folder.copy(), durability: .full)
    let progress = try #require(storage?.progress)
    _ = try await storage?.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
    storage = nil
    var replayed: [Int] = []
    for await step in progress { replayed.append(step.replayed) }
    #expect(replayed == [2])
  }

  @Test func `other parts of the same storage are saved along with a journal, and both are loaded`() async throws {
    struct Window: Codable, Equatable, Sendable {
      var width = 100
    }
    let window = Persisted(\Window.self, as: "window")
    for number in 1...3 {
      let open = try await OpenJournal(in: folder)
      let (state, _) = try await open.storage.load(into: Window(), [window])
      #expect(state.width == 99 + number)
      let windows = StoreFactory<Window, Int>(
        initialState: state,
        settings: TreeSettings(monitors: [open.storage.savingWhenAsked([window])])
      ) {
        $0.width += $1
      }
      for _ in 0..<3 { try await open.save(.add("\(number)")) }
      windows.dispatch(1)
      try await open.save(.add("last"))
      #expect(open.store.state.notes.count == number * 4)
      try await open.storage.close()
    }
  }
}
