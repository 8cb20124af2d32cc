import Arbor
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport
import Testing

@Suite("Journals of some of the actions")
struct ContainedActionTests {
  struct Document: Codable, Equatable, Sendable {
    var lines = History([String]())
  }

  /// A state with a document that is stored and a number that isn't. The actions for the number aren't `Codable`.
  struct Program: Sendable {
    var document = Document()
    var shown = 0
  }

  enum DocumentAction: Codable, Equatable, Sendable {
    case add(String)
    case undo
  }

  enum ProgramAction: Sendable {
    case document(DocumentAction)
    case show(@Sendable () -> Int)

    /// Changes the document without an action of the document.
    case edit(@Sendable (inout Document) -> Void)

    static func append(_ line: String) -> ProgramAction { .edit { $0.lines.document.append(line) } }

    var document: DocumentAction? { if case .document(let action) = self { action } else { nil } }
  }

  private static let feature = Feature<Program, ProgramAction> { state, action in
    switch action {
    case .document(.add(let line)):
      state.document.lines.record()
      state.document.lines.document.append(line)
    case .document(.undo): state.document.lines.undo()
    case .show(let line): state.shown = line()
    case .edit(let edit): edit(&state.document)
    }
  }

  private static let part = Persisted(\Program.document, as: "document")

  private let folder = SimulatedFolder()

  private func open(
    _ folder: SimulatedFolder,
    snapshotEvery interval: Int = 10_000,
    coding: any StorageCoding = .json,
    writesAhead: Bool = false
  ) async throws -> (storage: Storage, store: StoreFactory<Program, ProgramAction>, report: LoadReport) {
    let journal = Journal(
      of: Self.feature,
      action: ProgramAction.document,
      extract: \.document,
      coding: coding,
      snapshotEvery: interval
    )
    let storage = try Storage(folder, durability: .full, background: { $0() })
    let (state, report) = try await storage.load(into: Program(), [Self.part], journal)
    let saving = storage.savingWhenAsked([Self.part], journal)
    let ahead = Feature<Program, ProgramAction>(interceptors: writesAhead ? [saving.writeAhead()] : [])
    let feature = Feature<Program, ProgramAction>.combined(Self.feature, ahead)
    return (
      storage, StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: [saving])), report
    )
  }

  @Test(arguments: [false, true])
  func `only actions that contain a document's action are journaled, and all are reduced`(writesAhead: Bool)
    async throws
  {
    let (storage, store, _) = try await open(folder, writesAhead: writesAhead)
    store.dispatch(batch: [.document(.add("a")), .show { 1 }, .document(.add("b"))])
    store.dispatch(.show { 2 })
    try await storage.flush()
    #expect(store.state.shown == 2)
    let again = try await open(folder.afterKill())
    #expect(again.store.state.document.lines.document == ["a", "b"])
    #expect(again.report.journal?.replayed == 2)
    #expect(again.store.state.shown == 0)
  }

  @Test(arguments: [JSONCoding(), BinaryCoding()] as [any StorageCoding])
  func `P5 an undo of a change in a snapshot is reduced again`(coding: any StorageCoding) async throws {
    let (storage, store, _) = try await open(folder, snapshotEvery: 3, coding: coding)
    for line in ["a", "b", "c"] {
      store.dispatch(.document(.add(line)))
      try await storage.flush()
    }
    store.dispatch(.document(.undo))
    store.dispatch(.document(.undo))
    try await storage.flush()
    let again = try await open(folder.afterKill(), coding: coding)
    #expect(again.report.journal?.replayed == 2)
    #expect(again.store.state.document == store.state.document)
    await again.store.dispatchAndWait(.document(.undo))
    #expect(again.store.state.document.lines.document == [])
  }

  private func lines(in folder: SimulatedFolder) async throws -> [String] {
    try await open(folder).store.state.document.lines.document
  }

  @Test(arguments: [false, true])
  func `P1 changes by an action that is not journaled are stored when the action is acknowledged`(
    writesAhead: Bool
  ) async throws {
    let (storage, store, _) = try await open(folder, writesAhead: writesAhead)
    var random = SplitMix64(seed: 1)
    try await store.dispatchDurably(.document(.add("a")))
    try await store.dispatchDurably(.append("b"))
    #expect(try await lines(in: folder.afterKill()) == ["a", "b"])
    #expect(try await lines(in: folder.afterCrash(choosing: &random)) == ["a", "b"])
    // The journal continues from there.
    try await store.dispatchDurably(.document(.add("c")))
    store.dispatch(.append("d"))
    store.dispatch(.document(.add("e")))
    try await storage.flush()
    #expect(try await lines(in: folder.afterKill()) == ["a", "b", "c", "d", "e"])
    #expect(try await lines(in: folder.afterCrash(choosing: &random)) == ["a", "b", "c", "d", "e"])
  }

  @Test(arguments: [false, true])
  func `P1 a step of journaled and other actions is stored as a whole`(writesAhead: Bool) async throws {
    let (storage, store, _) = try await open(folder, writesAhead: writesAhead)
    store.dispatch(batch: [.document(.add("a")), .append("b"), .document(.add("c")), .show { 1 }])
    store.dispatch(batch: [.append("d"), .append("e")])
    try await storage.flush()
    #expect(try await lines(in: folder.afterKill()) == ["a", "b", "c", "d", "e"])
  }

  @Test func `P1 an undo that is not journaled is stored`() async throws {
    let (_, store, _) = try await open(folder)
    for line in ["a", "b"] { try await store.dispatchDurably(.document(.add(line))) }
    try await store.dispatchDurably(.edit { $0.lines.undo() })
    let again = try await open(folder.afterKill()).store
    #expect(again.state.document == store.state.document)
    await again.dispatchAndWait(.edit { $0.lines.redo() })
    #expect(again.state.document.lines.document == ["a", "b"])
  }

  @Test func `an action that is not journaled and changes no part causes no write`() async throws {
    let (storage, store, _) = try await open(folder)
    try await store.dispatchDurably(.document(.add("a")))
    let before = folder.operations
    try await store.dispatchDurably(.show { 1 })
    // The new array is equal, in other memory.
    try await store.dispatchDurably(.edit { $0.lines.document = $0.lines.document.map { $0 } })
    try await storage.flush()
    #expect(folder.operations == before)
    #expect(store.state.shown == 1)
  }

  #if DEBUG
    private enum LoudAction: Sendable {
      case document(DocumentAction, loud: Bool)

      var document: DocumentAction? { if case .document(let action, _) = self { action } else { nil } }
    }

    /// Dispatches an action whose `loud` isn't journaled, so that the journal loses it if it is `true`.
    private static func dispatch(loud: Bool) async throws -> Int {
      let feature = Feature<Program, LoudAction> { state, action in
        state.shown += 1
        if case .document(.add(let line), let isLoud) = action {
          state.document.lines.document.append(isLoud ? line.uppercased() : line)
        }
      }
      let journal = Journal(of: feature, action: { LoudAction.document($0, loud: false) }, extract: \.document)
      let storage = try Storage(SimulatedFolder(), durability: .full)
      let (state, _) = try await storage.load(into: Program(), [part], journal)
      let monitors = [storage.savingWhenAsked([part], journal)]
      let store = StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: monitors))
      await store.rootStore().dispatchAndWait(.document(.add("a"), loud: loud))
      return store.state.shown
    }

    @Test func `P1 an action that a journal would keep only partly stops the program, which names its type`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try await ContainedActionTests.dispatch(loud: true)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("let extract return the whole content of an action"))
      #expect(text.contains("(the part document, after LoudAction.document"))
    }

    /// Dispatches actions to a store with a reducer that its journal lacks.
    private static func dispatch(beside journaled: Feature<Program, ProgramAction>) async throws {
      let other = Feature<Program, ProgramAction> { state, action in
        if case .document(.undo) = action { state.document.lines.clear() }
      }
      let journal = Journal(of: journaled, action: ProgramAction.document, extract: \.document)
      let storage = try Storage(SimulatedFolder(), durability: .full)
      let (state, _) = try await storage.load(into: Program(), [part], journal)
      let monitors = [storage.savingWhenAsked([part], journal)]
      let store = StoreFactory(
        initialState: state,
        feature: .combined(feature, other),
        settings: TreeSettings(monitors: monitors)
      )
      // Many actions of another case come first.
      for _ in 0..<100 { try await store.dispatchDurably(.document(.add("a"))) }
      try await store.dispatchDurably(.document(.undo))
    }

    @Test func `P1 a change by a reducer that a journal lacks stops the program, which names part and action`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await ContainedActionTests.dispatch(beside: ContainedActionTests.feature)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Give Journal(of:) the whole feature of the store's root"))
      #expect(text.contains("(the part document, after ProgramAction.document.undo)"))
    }

    @Test func `P1 an action that a journal keeps whole doesn't stop the program`() async throws {
      #expect(try await Self.dispatch(loud: false) == 1)
    }
  #endif

  @Test func `P1 changes without a journaled action are saved by the timer and at the store's release`() async throws {
    let executor = ManualExecutor()
    let clock = TestClock()
    let journal = Journal(of: Self.feature, action: ProgramAction.document, extract: \.document)
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Program(), [Self.part], journal)
    var store: StoreFactory<Program, ProgramAction>? = StoreFactory(
      initialState: state,
      feature: Self.feature,
      settings: TreeSettings(clock: clock, monitors: [storage.saving([Self.part], journal)], executor: executor)
    )
    store?.dispatch(.append("a"))
    executor.run()
    clock.advance(by: .milliseconds(50))
    executor.run()
    // The storage's queue has saved the change before it runs this.
    storage.suspend(isInTime: false) { false }
    #expect(try await lines(in: folder.afterKill()) == ["a"])
    store?.dispatch(.append("b"))
    executor.run()
    store = nil
    executor.run()
    storage.suspend(isInTime: false) { false }
    #expect(try await lines(in: folder.afterKill()) == ["a", "b"])
  }

  @Test func `P1 the actions of a store that does not begin with the loaded state are reduced on the store's state`()
    async throws
  {
    let journal = Journal(of: Self.feature, action: ProgramAction.document, extract: \.document)
    let storage = try Storage(folder, durability: .full)
    var (state, _) = try await storage.load(into: Program(), [Self.part], journal)
    state.document.lines.document = ["given"]
    let store = StoreFactory(
      initialState: state,
      feature: Self.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked([Self.part], journal)])
    )
    try await store.dispatchDurably(.document(.add("a")))
    #expect(try await lines(in: folder.afterKill()) == ["given", "a"])
  }

  @Test func `P1 after an erasure, a change without a journaled action is stored with all parts`() async throws {
    let (storage, store, _) = try await open(folder)
    try await store.dispatchDurably(.document(.add("a")))
    try await storage.erase()
    try await store.dispatchDurably(.show { 1 })
    #expect(try await lines(in: folder.afterKill()) == [])
    try await store.dispatchDurably(.append("b"))
    #expect(try await lines(in: folder.afterKill()) == ["a", "b"])
  }

  @Test func `P1 a commit that is not journaled is stored`() async throws {
    struct Ledger: Sendable {
      var lines: [Line] = []
      var shown = 0

      // A line cannot be compared.
      struct Line: Codable, Sendable {
        let text: String
      }
    }
    enum LedgerAction: Sendable {
      case add(String)
      case commit(Mutation<Ledger>)

      var line: String? { if case .add(let line) = self { line } else { nil } }
    }
    let feature = Feature<Ledger, LedgerAction> { state, action in
      switch action {
      case .add(let text): state.lines.append(Ledger.Line(text: text))
      case .commit(let mutation): mutation.apply(to: &state)
      }
    }
    let part = Persisted(\Ledger.lines, as: "lines")
    let journal = Journal(of: feature, action: LedgerAction.add, extract: \.line)
    func load(_ folder: SimulatedFolder) async throws -> (Storage, Ledger) {
      let storage = try Storage(folder, durability: .full)
      return (storage, try await storage.load(into: Ledger(), [part], journal).state)
    }
    let (storage, state) = try await load(folder)
    let store = StoreFactory(
      initialState: state,
      feature: feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked([part], journal)])
    )
    try await store.dispatchDurably(.add("a"))
    try await store.dispatchDurably(.commit(Mutation { $0.lines.append(Ledger.Line(text: "b")) }))
    let before = folder.operations
    try await store.dispatchDurably(.commit(Mutation { $0.shown = 1 }))
    #expect(folder.operations == before)
    try await store.dispatchDurably(.add("c"))
    #expect(try await load(folder.afterKill()).1.lines.map(\.text) == ["a", "b", "c"])
  }
}
