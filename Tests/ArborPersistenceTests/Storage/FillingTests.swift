import Arbor
import ArborEntities
import ArborPersistence
import Foundation
import Testing

@Suite("Properties that stored values lack")
struct FillingTests {
  private static let codings = StoredFormTests.codings.indices

  private static func coding(_ index: Int) -> any StorageCoding { StoredFormTests.codings[index] }

  private func loaded<Old: Codable & Sendable, New: Codable & Sendable>(
    _ old: Old,
    over new: New,
    coding: any StorageCoding = .json
  ) async throws -> (value: New, report: LoadReport) {
    try await StoredFormTests.migrated(old, over: new, version: 1, coding: coding)
  }

  private struct OldBytes: Codable, Sendable {
    var bytes: [UInt8] = [1, 255]
    var nested: [[UInt8]] = [[], [2]]
    var named: [String: [UInt8]] = ["a": [3]]
  }

  private struct NewBytes: Codable, Equatable, Sendable {
    var bytes: [UInt8] = []
    var nested: [[UInt8]] = []
    var named: [String: [UInt8]] = [:]
    var count = 5
  }

  @Test(arguments: codings)
  func `a value with arrays of bytes is completed in every coding`(index: Int) async throws {
    let (value, report) = try await loaded(OldBytes(), over: NewBytes(), coding: Self.coding(index))
    #expect(value == NewBytes(bytes: [1, 255], nested: [[], [2]], named: ["a": [3]], count: 5))
    #expect(report.keptFiles == [])
  }

  // MARK: Defaults of the state passed to load

  private enum Old {
    struct Font: Codable, Sendable { var name = "Serif" }

    enum Mode: Codable, Sendable {
      case plain
      case dark(level: Int)
    }

    struct Settings: Codable, Sendable {
      var theme = "dark"
      var font = Font()
      var mode = Mode.dark(level: 3)
      var date = Date(timeIntervalSinceReferenceDate: 86_400)
      var data = Data([1, 2])
      var ratio = 0.5
      var note: String?
    }
  }

  private enum New {
    struct Font: Codable, Equatable, Sendable {
      var name = "Mono"
      var size = 12.5
      var since = Date(timeIntervalSinceReferenceDate: 172_800)
    }

    enum Mode: Codable, Equatable, Sendable {
      case plain
      case dark(level: Int, blue: Bool)
    }

    struct Settings: Codable, Equatable, Sendable {
      var theme = "light"
      var font = Font()
      var second = Font(name: "Second")
      var mode = Mode.dark(level: 9, blue: true)
      var date = Date.distantPast
      var data = Data()
      var ratio = 0.0
      var note: String? = "welcome"
      var sizes = ["a": 1]
    }
  }

  @Test(arguments: codings)
  func `a new property at any depth gets the value of the state passed to load, and nothing else changes`(
    coding: Int
  ) async throws {
    // If a coding converts keys, they aren't found in the default.
    guard !(Self.coding(coding) is StoredFormTests.DatedCoding) else { return }
    let (settings, report) = try await loaded(Old.Settings(), over: New.Settings(), coding: Self.coding(coding))
    #expect(
      settings
        == New.Settings(
          theme: "dark", font: New.Font(name: "Serif"), mode: .dark(level: 3, blue: true),
          date: Date(timeIntervalSinceReferenceDate: 86_400), data: Data([1, 2]), ratio: 0.5, note: nil))
    #expect(report.outcomes == ["part": "loaded"])
    #expect(report.completed == ["part": ["font.since", "font.size", "mode.dark.blue", "second", "sizes"]])
    #expect(report.keptFiles.isEmpty)
    #expect(report.notes.count == 1)
  }

  @Test func `P1 a completed part is stored with its new properties, so another default changes nothing later`()
    async throws
  {
    struct First: Codable, Sendable { var text = "a" }
    struct Second: Codable, Equatable, Sendable {
      var text = ""
      var size = 1
    }
    let folder = MemoryFolder()
    _ = try await StoredFormTests.migrated(First(), over: Second(), version: 1, in: folder)
    let part = Persisted(\StoredFormTests.Program<Second>.value, as: "part")
    for size in 1...2 {
      let storage = try Storage(folder, durability: .full)
      let (state, report) = try await storage.load(into: .init(value: Second(size: size)), [part])
      #expect(state.value == Second(text: "a", size: 1))
      #expect(report.completed.isEmpty == (size == 2))
      let store = StoreFactory<StoredFormTests.Program<Second>, Int>(
        initialState: state,
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      ) { _, _ in }
      store.dispatch(1)
      try await storage.close()
    }
  }

  @Test func `a value of another case, another kind or a dictionary is not completed`() async throws {
    struct OldEntry: Codable, Sendable { var name = "old" }
    struct Entry: Codable, Equatable, Sendable {
      var name = "new"
      var size = 1
    }
    struct OldBox<Value: Codable & Sendable>: Codable, Sendable { var value: Value }
    struct Box<Value: Codable & Sendable>: Codable, Sendable { var value: Value }
    // An entry of a dictionary, even if the default has an entry with the same key.
    let (_, entries) = try await loaded(
      OldBox(value: ["a": OldEntry()]), over: Box(value: ["a": Entry()]))
    #expect(StoredFormTests.error(entries)?.path == "value.a.size")
    // An element of an array.
    let (_, elements) = try await loaded(OldBox(value: [OldEntry()]), over: Box(value: [Entry()]))
    #expect(StoredFormTests.error(elements)?.path == "value.0.size")
    // A dictionary gets no entries.
    let (numbers, report) = try await loaded(OldBox(value: ["a": 1]), over: Box(value: ["b": 2]))
    #expect(numbers.value == ["a": 1])
    #expect(report.outcomes == ["part": "loaded"])
    // Another case has other values.
    let (_, mode) = try await loaded(OldBox(value: Old.Mode.dark(level: 1)), over: Box(value: New.Mode.plain))
    #expect(StoredFormTests.error(mode)?.path == "value.dark.blue")
    let (plain, _) = try await loaded(
      OldBox(value: Old.Mode.plain), over: Box(value: New.Mode.dark(level: 1, blue: true)))
    #expect(plain.value == .plain)
    // A string isn't an object.
    let (_, text) = try await loaded(OldBox(value: "a"), over: Box(value: Entry()))
    #expect(StoredFormTests.error(text)?.path == "value")
  }

  @Test(arguments: codings)
  func `P2 a property that may have been renamed is not completed, and the stored value is kept aside`(coding: Int)
    async throws
  {
    struct Old: Codable, Sendable { var items = [["note": "milk"]] }
    struct Item: StoredDefaults, Equatable, Sendable {
      static let storedDefaults = Item(title: "")
      var title: String
    }
    struct New: Codable, Equatable, Sendable {
      var items: [Item] = []
      var size = 1
    }
    let (new, report) = try await loaded(Old(), over: New(), coding: Self.coding(coding))
    #expect(new == New())
    let error = try #require(StoredFormTests.error(report))
    if !(Self.coding(coding) is StoredFormTests.DatedCoding) {
      #expect((error.version, error.path, error.reason) == (1, "items.0.title", .unreadFields(["note"])))
      #expect(error.description.contains("note is stored and not read"))
    }
    #expect(report.keptFiles == [KeptAside.name(of: "part")])
    // If a migration renames the field, the rest is completed.
    let (renamed, _) = try await StoredFormTests.migrated(
      Old(), over: New(), coding: Self.coding(coding), [.from(1) { $0.rename("items.*.note", to: "title") }])
    #expect(renamed == New(items: [Item(title: "milk")]))
  }

  @Test func `a type's own handling of a missing key takes precedence over a default`() async throws {
    struct Old: Codable, Sendable { var note = "milk" }
    struct New: Codable, Equatable, Sendable {
      var title = "default"
      var size = 1

      private enum CodingKeys: String, CodingKey { case title, note, size }

      init() {}

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let title = try container.decodeIfPresent(String.self, forKey: .title)
        self.title = try title ?? container.decode(String.self, forKey: .note)
        size = try container.decode(Int.self, forKey: .size)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(size, forKey: .size)
      }
    }
    let (new, report) = try await loaded(Old(), over: New())
    #expect((new.title, new.size) == ("milk", 1))
    #expect(report.completed == ["part": ["size"]])
  }

  // MARK: Defaults of types

  private struct OldTodo: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
  }

  struct Todo: StoredDefaults, Identifiable, Equatable, Sendable {
    static let storedDefaults = Todo(id: 0, title: "", tags: ["new"], priority: 5)

    var id: Int
    var title: String
    var tags: [String]
    var priority: Int
    var due: Date?
  }

  private static func todo(_ id: Int) -> Todo { Todo(id: id, title: "\(id)", tags: ["new"], priority: 5) }

  private static func old(_ id: Int) -> OldTodo { OldTodo(id: id, title: "\(id)") }

  @Test(arguments: codings)
  func `elements, entries, records and optionals get the defaults of their types`(coding: Int) async throws {
    struct Old: Codable, Sendable {
      var list = [FillingTests.old(1), FillingTests.old(2)]
      var entries = ["a": FillingTests.old(3)]
      var numbers = [4: FillingTests.old(4)]
      var table = EntityTable<OldTodo>()
      @Stamped var stamped = [FillingTests.old(6)]
      var first: OldTodo? = FillingTests.old(7)
      var history = History(FillingTests.old(8))
    }
    struct New: Codable, Sendable {
      var list: [Todo] = []
      var entries: [String: Todo] = [:]
      var numbers: [Int: Todo] = [:]
      var table = EntityTable<Todo>()
      @Stamped var stamped: [Todo] = []
      var first: Todo?
      var history = History(Todo(id: 0, title: "", tags: [], priority: 1))
    }
    guard !(Self.coding(coding) is StoredFormTests.PropertyListCoding) else { return }
    var old = Old()
    try old.table.insert(Self.old(5))
    let (new, report) = try await loaded(old, over: New(), coding: Self.coding(coding))
    #expect(report.outcomes == ["part": "loaded"])
    #expect(new.list == [Self.todo(1), Self.todo(2)])
    #expect(new.entries == ["a": Self.todo(3)])
    #expect(new.numbers == [4: Self.todo(4)])
    #expect(Array(new.table) == [Self.todo(5)])
    #expect(new.stamped == [Self.todo(6)])
    #expect(new.first == Self.todo(7))
    // A default at the same place takes precedence over the default of the type.
    #expect(new.history.document == Todo(id: 8, title: "8", tags: [], priority: 1))
    #expect(report.completed["part"]?.contains("list.*.priority") == true)
  }

  @Test(arguments: codings)
  func `changed records of a table get the defaults of their type`(coding: Int) async throws {
    let coding = Self.coding(coding)
    let folder = MemoryFolder()
    do {
      let storage = try Storage(folder, durability: .full)
      let part = Persisted(\StoredFormTests.Program<EntityTable<OldTodo>>.value, as: "part", coding: coding)
      _ = try await storage.load(into: .init(value: EntityTable<OldTodo>()), [part])
      let store = StoreFactory<StoredFormTests.Program<EntityTable<OldTodo>>, OldTodo>(
        initialState: .init(value: EntityTable()),
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      ) { try! $0.value.upsert($1) }
      for id in 1...20 { store.dispatch(Self.old(id)) }
      try await storage.flush()
      store.dispatch(OldTodo(id: 3, title: "three"))
      store.dispatch(Self.old(21))
      try await storage.close()
    }
    let part = Persisted(\StoredFormTests.Program<EntityTable<Todo>>.value, as: "part", coding: coding)
    let (state, report) = try await Storage(folder, durability: .full)
      .load(into: .init(value: EntityTable<Todo>()), [part])
    #expect(report.outcomes == ["part": "loaded"])
    var expected = (1...21).map(Self.todo)
    expected[2].title = "three"
    #expect(Array(state.value) == expected)
  }
}
