import Arbor
import ArborPersistence
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Loads during which the program ends")
struct LoadCrashTests {
  /// A function that is called with each action before the feature's own reducer.
  private typealias Prelude = @Sendable (NotebookAction) -> Void

  private static func journal(_ prelude: @escaping Prelude) -> Journal<Notebook, NotebookAction> {
    Journal(of: .combined(Feature { _, action in prelude(action) }, Notebooks.feature))
  }

  /// Returns the folder of a killed program that has journaled notes, each as its own step.
  private func folder(with notes: [String]) async throws -> SimulatedFolder {
    let folder = SimulatedFolder()
    let open = try await OpenJournal(in: folder)
    for note in notes { open.store.dispatch(.add(note)) }
    try await open.storage.flush()
    return folder.afterKill()
  }

  /// Returns the folder left by a program that ends when it reduces a note again; nil if it doesn't reduce the note.
  private func ended(at note: String, in folder: SimulatedFolder) async throws -> SimulatedFolder? {
    let folder = folder.afterKill()
    let ends = SharedList<SimulatedFolder>()
    let journal = Self.journal { action in
      // The process ends here. The copy has none of its later changes.
      if action == .add(note) { ends.append(folder.afterKill()) }
    }
    _ = try await Storage(folder, durability: .full).load(into: Notebook(), Notebooks.all, journal)
    return ends.all.first
  }

  private func load(_ folder: SimulatedFolder) async throws -> (state: Notebook, report: LoadReport) {
    try await Storage(folder, durability: .full)
      .load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
  }

  @Test(arguments: [1, 5, 100, 4000])
  func `P6 a step at which two processes have ended is skipped, reported and kept aside`(count: Int) async throws {
    let notes = (0..<count).map { "\($0)" }
    let trapping = notes[count / 2]
    var folder = try await folder(with: notes)
    var ends = 0
    while let next = try await ended(at: trapping, in: folder) {
      folder = next
      ends += 1
    }
    // The steps of a long journal are recorded in groups at first.
    #expect(ends == (count > 200 ? 3 : 2))
    let (state, report) = try await load(folder)
    #expect(state.notes == notes.filter { $0 != trapping })
    let skipped = try #require(report.journal?.skipped)
    #expect(skipped.map { $0.reason as? LoadCrash } == [LoadCrash()])
    // It comes after a state and the entry with the form.
    #expect(skipped.map(\.entry) == [UInt64(count / 2) + 3])
    #expect(skipped.map(\.file) == ["2.log"])
    let kept = try #require(report.keptFiles.first)
    #expect(folder.bytes(of: kept) == Array(skipped[0].actions[0]))
    #expect(try JSONDecoder().decode(NotebookAction.self, from: skipped[0].actions[0]) == .add(trapping))
    // The next load doesn't find it again.
    let again = try await load(folder.afterKill())
    #expect(again.state.notes == state.notes)
    #expect(again.report.journal?.skipped.isEmpty == true)
    #expect(folder.bytes(of: "loading") == nil)
  }

  @Test func `P6 a partly written note hides no end of a later process`() async throws {
    var folder = try await folder(with: ["a", "b", "c"])
    folder = try #require(try await ended(at: "b", in: folder))
    try #require(try folder.open("loading")).append([1, 2, 3])
    folder = try #require(try await ended(at: "b", in: folder))
    let (state, report) = try await load(folder)
    #expect(state.notes == ["a", "c"])
    #expect(report.journal?.skipped.count == 1)
  }

  @Test func `P6 only the steps that stop the program are skipped, even if there are several`() async throws {
    let notes = (0..<80).map { "\($0)" }
    var folder = try await folder(with: notes)
    var starts = 1
    for trapping in ["3", "7", "60"] {
      while let next = try await ended(at: trapping, in: folder) {
        folder = next
        starts += 1
      }
    }
    #expect(starts <= 7)
    let (state, report) = try await load(folder)
    #expect(state.notes == notes.filter { !["3", "7", "60"].contains($0) })
    #expect(report.journal?.skipped.map(\.entry) == [6, 10, 63])
  }

  @Test func `a step at which one process was killed is reduced, and processes that ended elsewhere do not count`()
    async throws
  {
    let notes = (0..<50).map { "\($0)" }
    var folder = try await folder(with: notes)
    for note in ["10", "11", "40", "12"] { folder = try #require(try await ended(at: note, in: folder)) }
    let (state, report) = try await load(folder)
    #expect(state.notes == notes)
    #expect(report.notes == [])
    #expect(folder.bytes(of: "loading") == nil)
  }

  @Test func `P1 after a loss of power, a load that has succeeded doesn't count as an end`() async throws {
    let folder = try await folder(with: ["1", "2", "3"])
    _ = try await load(folder)
    var random = SplitMix64(seed: 1)
    for _ in 0..<20 {
      #expect(folder.afterCrash(choosing: &random).bytes(of: "loading") == nil)
    }
  }

  @Test func `P6 a skipped step stays skipped while there is no space to write the state without it`() async throws {
    var folder = try await folder(with: ["a", "b", "c"])
    for _ in 0..<2 { folder = try #require(try await ended(at: "b", in: folder)) }
    let full = folder.afterKill()
    full.failure = { _, operation in operation == .rename ? .noSpace : nil }
    #expect(try await load(full).state.notes == ["a", "c"])
    #expect(try await load(full.afterKill()).state.notes == ["a", "c"])
  }

  @Test func `P6 only the action that cannot be decoded is skipped`() async throws {
    struct Refusal: Error {}
    let folder = try await folder(with: ["a", "b", "c"])
    let migration = Migration.from(1) { (old: NotebookAction) -> NotebookAction in
      if old == .add("b") { throw Refusal() }
      return old
    }
    let journal = Journal(of: Notebooks.feature, version: 2, migrations: [migration])
    let (state, report) = try await Storage(folder, durability: .full)
      .load(into: Notebook(), Notebooks.all, journal)
    #expect(state.notes == ["a", "c"])
    #expect(report.journal?.replayed == 2)
    #expect(report.journal?.skipped.map(\.entry) == [4])
    let reason = report.journal?.skipped.first?.reason as? StoredValueError
    #expect(reason?.version == 1 && reason?.reason == .failed("Refusal()"))
    #expect(report.keptFiles == [KeptAside.name(of: "actions-4")])
  }

  @Test func `P6 no action of a batch is reduced if one of them cannot be decoded`() async throws {
    struct Refusal: Error {}
    let folder = SimulatedFolder()
    let open = try await OpenJournal(in: folder)
    open.store.dispatch(.add("a"))
    open.store.dispatch(batch: [.add("b"), .add("c")])
    open.store.dispatch(.add("d"))
    try await open.storage.flush()
    let migration = Migration.from(1) { (old: NotebookAction) -> NotebookAction in
      if old == .add("c") { throw Refusal() }
      return old
    }
    let killed = folder.afterKill()
    let journal = Journal(of: Notebooks.feature, version: 2, migrations: [migration])
    let (state, report) = try await Storage(killed, durability: .full)
      .load(into: Notebook(), Notebooks.all, journal)
    #expect(state.notes == ["a", "d"])
    let kept = try #require(report.keptFiles.first.flatMap { killed.bytes(of: $0) })
    #expect(kept.split(separator: 0x0A).count == 2)
  }

  @Test func `P6 a part at which two processes have ended is kept aside, and the program starts with the given one`()
    async throws
  {
    let folder = SimulatedFolder()
    let first = try await OpenNotebook(in: folder)
    try await first.save(.add("milk"), .theme("dark"))
    var killed = folder.afterKill()
    func part(_ ends: SharedList<SimulatedFolder>, _ folder: SimulatedFolder) -> Persisted<Notebook> {
      Persisted(
        \Notebook.notes, as: "notes", version: 2,
        migrations: [
          .from(1) { (old: [String]) -> [String] in
            ends.append(folder.afterKill())
            return old
          }
        ])
    }
    for _ in 0..<2 {
      let ends = SharedList<SimulatedFolder>()
      _ = try await OpenNotebook(in: killed, [Notebooks.settings, part(ends, killed)])
      killed = try #require(ends.all.first)
    }
    let ends = SharedList<SimulatedFolder>()
    let parts = [Notebooks.settings, part(ends, killed)]
    let open = try await OpenNotebook(in: killed, parts)
    #expect(ends.all.isEmpty)
    #expect(open.store.state == Notebook(settings: .init(theme: "dark")))
    #expect(open.report.parts["notes"] == .damaged(LoadCrash(), keptAs: KeptAside.name(of: "notes")))
    // It is skipped as long as it is stored.
    killed = killed.afterKill()
    #expect(try await OpenNotebook(in: killed, parts).store.state.notes == [])
    #expect(ends.all.isEmpty)
    // Use a copy, because the previous storage may still write the last state of its store.
    killed = killed.afterKill()
    let last = try await OpenNotebook(in: killed, parts)
    try await last.save(.add("bread"))
    #expect(try await OpenNotebook(in: killed.afterKill(), parts).store.state.notes == ["bread"])
  }

  @Test func `P6 a program whose reducer stops it at each start succeeds at the third start`() async throws {
    let folder = TemporaryPlace()
    do {
      let storage = try Storage(at: folder.url)
      let open = try await OpenJournal(storage)
      for note in ["a", "trap", "b"] { try await open.store.dispatchDurably(.add(note)) }
      storage.endAsIfKilled()
    }
    let path = folder.url.path
    for _ in 0..<2 {
      await #expect(processExitsWith: .failure) { [path = path as String] in
        let journal = LoadCrashTests.journal { action in precondition(action != .add("trap")) }
        _ = try? await Storage(at: URL(fileURLWithPath: path)).load(into: Notebook(), Notebooks.all, journal)
        // The process doesn't reach this. If it did, it would end with success.
        exit(EXIT_SUCCESS)
      }
    }
    let journal = Self.journal { action in precondition(action != .add("trap")) }
    let (state, report) = try await Storage(at: folder.url).load(into: Notebook(), Notebooks.all, journal)
    #expect(state.notes == ["a", "b"])
    #expect(report.journal?.skipped.count == 1)
    #expect(report.keptFiles.count == 1)
  }
}

/// A path where no folder exists yet. The folder is removed at the end.
private final class TemporaryPlace: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "arbor-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: url) }
}
