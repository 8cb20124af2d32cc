import Arbor
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Journals of a part of the actions")
struct ContainedActionTests {
  struct Document: Codable, Equatable, Sendable {
    var lines = History([String]())
  }

  /// What is shown is not stored; its actions are not `Codable`.
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

    var document: DocumentAction? { if case .document(let action) = self { action } else { nil } }
  }

  private static let feature = Feature<Program, ProgramAction> { state, action in
    switch action {
    case .document(.add(let line)):
      state.document.lines.record()
      state.document.lines.document.append(line)
    case .document(.undo): state.document.lines.undo()
    case .show(let line): state.shown = line()
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
    let ahead = Feature<Program, ProgramAction>(interceptors: writesAhead ? [saving.writeAhead()] : [], reducer: nil)
    let feature = Feature<Program, ProgramAction>.combined(Self.feature, ahead)
    return (storage, StoreFactory(initialState: state, feature: feature, monitors: [saving]), report)
  }

  @Test(arguments: [false, true])
  func `Only actions that contain one are journaled, and all are reduced`(writesAhead: Bool) async throws {
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
  func `P5 an action that undoes what is in a snapshot does so again`(coding: any StorageCoding) async throws {
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
}
