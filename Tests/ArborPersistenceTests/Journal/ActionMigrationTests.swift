import Arbor
import ArborPersistence
import Testing

@Suite("Migrations of journaled actions")
struct ActionMigrationTests {
  struct Desk: Equatable, Sendable {
    var notes: [String] = []
    var size = 0.0

    static let parts = [
      Persisted(\Desk.notes, as: "notes"), Persisted(\Desk.size, as: "size"),
    ]
  }

  private enum Old {
    enum ListAction: Codable, Sendable {
      case clear
      case legacy(Int)
    }

    struct Note: Codable, Sendable { var text: String }

    enum Action: Codable, Sendable {
      case add(String)
      case put(Note)
      case resize(to: Int)
      case archive(String)
      case list(ListAction)
    }

    static let feature = Feature<Desk, Action> { desk, action in
      switch action {
      case .add(let note): desk.notes.append(note)
      case .put(let note): desk.notes.append(note.text)
      case .resize(let size): desk.size = Double(size)
      case .archive(let note): desk.notes.append("archived " + note)
      case .list(.clear): desk.notes = []
      case .list(.legacy(let number)): desk.notes.append("legacy \(number)")
      }
    }
  }

  private enum New {
    enum ListAction: Codable, Sendable {
      case clear
    }

    struct Note: StoredDefaults, Sendable {
      static let storedDefaults = Note(text: "", mark: "*")

      var text: String
      var mark: String
    }

    enum Action: Codable, Sendable {
      case insert(title: String, isUrgent: Bool)
      case put(Note)
      case resize(to: Double)
      case list(ListAction)
    }

    static let feature = Feature<Desk, Action> { desk, action in
      switch action {
      case .insert(let note, let isUrgent): desk.notes.append(isUrgent ? note + "!" : note)
      case .put(let note): desk.notes.append(note.text + note.mark)
      case .resize(let size): desk.size = size
      case .list(.clear): desk.notes = []
      }
    }
  }

  private static let migrations: [Migration] = [
    .from(1) { form in
      form.rename("add", to: "insert")
      form.rename("insert._0", to: "title")
      form.add("insert.isUrgent", true)
    },
    .from(2) { form in
      form.convert("resize.to") { (size: Int) in Double(size) / 2 }
      form.drop(case: "archive")
      form.drop(case: "list._0.legacy")
    },
  ]

  /// Journals actions with the old program.
  private func journal(_ steps: [[Old.Action]], coding: any StorageCoding = .json) async throws -> MemoryFolder {
    let folder = MemoryFolder()
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Old.feature, coding: coding)
    let (state, _) = try await storage.load(into: Desk(), Desk.parts, journal)
    let store = StoreFactory(
      initialState: state,
      feature: Old.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Desk.parts, journal)])
    )
    for step in steps {
      store.dispatch(batch: step)
      try await storage.flush()
    }
    return folder.copy()
  }

  private func load(
    _ folder: MemoryFolder,
    version: Int = 3,
    _ migrations: [Migration] = migrations,
    coding: any StorageCoding = .json
  ) async throws -> (desk: Desk, report: LoadReport) {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: New.feature, version: version, migrations: migrations, coding: coding)
    let (desk, report) = try await storage.load(into: Desk(), Desk.parts, journal)
    try await storage.close()
    return (desk, report)
  }

  @Test func `actions that were completed by a default are not reduced again with another default`() async throws {
    let folder = try await journal([[.put(Old.Note(text: "milk"))]])
    let (storage, journal) = (try Storage(folder, durability: .full), Journal(of: New.feature))
    let (desk, report) = try await storage.load(into: Desk(), Desk.parts, journal)
    #expect(desk.notes == ["milk*"])
    #expect(report.journal?.replayed == 1)
    // The content without a clean end.
    let again = try await Storage(folder.copy(), durability: .full).load(into: Desk(), Desk.parts, journal)
    #expect(again.state.notes == ["milk*"])
    #expect(again.report.journal?.replayed == 0)
  }

  @Test(arguments: StoredFormTests.codings.indices)
  func `cases are renamed, their values are changed, and actions of removed cases are counted`(coding: Int) async throws
  {
    let coding = StoredFormTests.codings[coding]
    let folder = try await journal(
      [
        [.add("milk")], [.archive("a"), .add("tea"), .list(.legacy(1))], [.archive("b")], [.resize(to: 5)],
      ],
      coding: coding)
    let (desk, report) = try await load(folder, coding: coding)
    #expect(desk == Desk(notes: ["milk!", "tea!"], size: 2.5))
    let journal = try #require(report.journal)
    #expect(journal.replayed == 3)
    #expect(journal.dropped == ["archive": 2, "list._0.legacy": 1])
    #expect(journal.skipped.isEmpty)
    #expect(report.notes.filter { $0.contains("dropped") }.count == 2)
    // The parts are stored with these changes, and no action is migrated again.
    let (again, next) = try await load(folder, coding: coding)
    #expect(again == desk)
    #expect(next.journal?.replayed == 0)
    #expect(next.journal?.dropped == [:])
  }

  @Test(arguments: StoredFormTests.codings.indices)
  func `a value in an action gets the defaults of its type, without a new version`(coding: Int) async throws {
    let coding = StoredFormTests.codings[coding]
    let folder = try await journal(
      [[.put(Old.Note(text: "milk"))], [.list(.clear), .put(.init(text: "tea"))]], coding: coding)
    let (desk, report) = try await load(folder, version: 1, [], coding: coding)
    #expect(desk.notes == ["tea*"])
    #expect(report.journal?.skipped.isEmpty == true)
    // The parts are written, because the default may be different at the next start.
    #expect(try await load(folder, version: 1, [], coding: coding).report.journal?.replayed == 0)
  }

  @Test func `P2 an action that a migration cannot change is kept aside, with its version and path`() async throws {
    let folder = try await journal([[.list(.clear)], [.resize(to: 5)], [.add("milk")]])
    let (desk, report) = try await load(
      folder,
      [.from(1) { _ in }, .from(2) { $0.convert("resize.to") { (size: String) in size } }])
    #expect(desk == Desk())
    let journal = try #require(report.journal)
    let failure = try #require(journal.skipped.first?.reason as? StoredValueError)
    #expect((failure.name, failure.version, failure.path) == ("Action", 2, "resize.to"))
    #expect((journal.replayed, journal.skipped.count) == (1, 2))
    #expect(!report.keptFiles.isEmpty)
  }

  @Test func `P2 an action of a removed case is never lost silently`() async throws {
    let folder = try await journal([[.list(.clear)], [.archive("a")], [.list(.clear)]])
    let (_, report) = try await load(folder, version: 1, [])
    #expect((report.journal?.replayed, report.journal?.skipped.count) == (2, 1))
    #expect(report.journal?.skipped.first?.reason is StoredValueError)
    #expect(!report.keptFiles.isEmpty)
  }
}
