import Arbor
import ArborEntities
import ArborPersistence
import Foundation
import Testing

@Suite("Migrations of the stored form")
struct StoredFormTests {
  /// The state of a program, with one part of any type.
  struct Program<Value: Sendable>: Sendable {
    var value: Value
  }

  struct Refusal: Error {}

  private static let mask: @Sendable (Data) -> Data = { Data($0.map { ~$0 }) }

  static let codings: [any StorageCoding] = [
    JSONCoding(), BinaryCoding(), PropertyListCoding(), DatedCoding(),
    JSONCoding().transformed(as: "masked", by: mask, undoing: mask),
    BinaryCoding().transformed(as: "masked", by: mask, undoing: mask),
  ]

  /// A custom coding, with converted keys and another format for dates.
  struct DatedCoding: StorageCoding {
    func encode(_ value: some Encodable) throws -> Data {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return try encoder.encode(value)
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(type, from: data)
    }
  }

  struct PropertyListCoding: StorageCoding {
    func encode(_ value: some Encodable) throws -> Data { try PropertyListEncoder().encode(value) }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
      try PropertyListDecoder().decode(type, from: data)
    }
  }

  /// Stores a value with one version of a program, and loads it with another version.
  static func migrated<Old: Codable & Sendable, New: Codable & Sendable>(
    _ old: Old,
    over new: New,
    version: Int = 2,
    coding: any StorageCoding = .json,
    _ migrations: [Migration] = [],
    in folder: MemoryFolder = MemoryFolder()
  ) async throws -> (value: New, report: LoadReport) {
    do {
      let storage = try Storage(folder, durability: .full)
      let part = Persisted(\Program<Old>.value, as: "part", coding: coding)
      try await storage.erase()
      _ = try await storage.load(into: Program(value: old), [part])
      let store = StoreFactory<Program<Old>, Int>(
        initialState: Program(value: old),
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      ) { _, _ in }
      store.dispatch(1)
      try await storage.close()
    }
    let storage = try Storage(folder, durability: .full)
    let part = Persisted(
      \Program<New>.value, as: "part", version: version, migrations: migrations, coding: coding)
    let (state, report) = try await storage.load(into: Program(value: new), [part])
    try await storage.close()
    return (state.value, report)
  }

  /// Returns the error of a part that cannot be read; nil if there is none.
  static func error(_ report: LoadReport) -> StoredValueError? {
    if case .damaged(let error, _) = report.parts["part"] { error as? StoredValueError } else { nil }
  }

  // MARK: Fields

  private enum Old {
    struct Person: Codable, Sendable {
      var name: String
      var age: Int?
    }

    enum Status: Codable, Sendable {
      case idle
      case busy(since: Date, note: String)
    }

    struct List: Codable, Sendable {
      var note = "milk"
      var price = "12"
      var unused = ["a", "b"]
      var people = [Person(name: "Ann", age: 3), Person(name: "Ben")]
      var city = ["Rome *.": Person(name: "Cleo", age: 4)]
      var number = [7: Person(name: "Dora")]
      var status = [Status.busy(since: Date(timeIntervalSinceReferenceDate: 86_400), note: "n"), .idle]
      var kept = Numbers()
    }
  }

  /// Values that a migration must not change.
  struct Numbers: Codable, Equatable, Sendable {
    var large = UInt64.max
    var small = Int64.min
    var ratio = 0.1
    var zero = -0.0
    var huge = 1e300
    var tiny = Double.leastNonzeroMagnitude
    var third: Float = 1 / 3
    var whole = 4.0
    var data = Data([0, 255, 128])
    var bytes: [UInt8] = [1, 2, 200]
    var date = Date(timeIntervalSinceReferenceDate: 86_400)
    var url = URL(string: "https://example.org/a?b=c")!
    var text = "1"
    var flags = [true, false]
    var keys = ["a.b": 1, "*": 2, "some_key": 3, "": 4]
    var missing: Int?
  }

  private enum New {
    struct Person: Codable, Equatable, Sendable {
      var full: String
      var age: Int?
      var active: Bool
    }

    enum Status: Codable, Equatable, Sendable {
      case idle
      case working(since: Date, title: String)
    }

    struct List: Codable, Equatable, Sendable {
      var title = ""
      var price = 0
      var people: [Person] = []
      var city: [String: Person] = [:]
      var number: [Int: Person] = [:]
      var status: [Status] = []
      var kept = Numbers(large: 0, text: "")
    }
  }

  private static let listMigrations: [Migration] = [
    .from(1) { form in
      form.rename("note", to: "title")
      form.remove("unused")
      form.convert("price") { (text: String) in Int(text)! }
    },
    .from(2) { form in
      for people in ["people.*", "city.*", "number.*"] as [StoredPath] {
        form.edit(people) {
          $0.rename("name", to: "full")
          $0.add("active", true)
        }
      }
      form.rename("status.*.busy.note", to: "title")
      form.rename("status.*.busy", to: "working")
    },
  ]

  @Test(arguments: codings.indices)
  func `fields are renamed, added, removed and converted at any depth, in each coding and over several versions`(
    coding: Int
  ) async throws {
    let coding = Self.codings[coding]
    let (list, report) = try await Self.migrated(
      Old.List(), over: New.List(), version: 3, coding: coding, Self.listMigrations)
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    #expect(report.outcomes == ["part": "migrated from 1"])
    #expect(
      list
        == New.List(
          title: "milk",
          price: 12,
          people: [
            New.Person(full: "Ann", age: 3, active: true), New.Person(full: "Ben", active: true),
          ],
          city: ["Rome *.": New.Person(full: "Cleo", age: 4, active: true)],
          number: [7: New.Person(full: "Dora", active: true)],
          status: [.working(since: date, title: "n"), .idle],
          kept: Numbers()))
    #expect(list.kept.zero.sign == .minus)
  }

  @Test func `digits of decimal numbers are kept`() async throws {
    struct Price: Codable, Equatable, Sendable {
      var amount = Decimal(string: "1234567890.12345678901234567")!
      var rate = Decimal(string: "0.1")!
    }
    for coding in Self.codings where !(coding is PropertyListCoding) {
      let (price, _) = try await Self.migrated(
        Price(), over: Price(amount: 0, rate: 0), coding: coding, [.from(1) { _ in }])
      #expect(price == Price())
    }
  }

  @Test func `integers of any width are kept in the binary form`() async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    struct Wide: Codable, Equatable, Sendable {
      var least = Int128.min
      var greatest = UInt128.max
    }
    let (wide, _) = try await Self.migrated(
      Wide(), over: Wide(least: 0, greatest: 0), coding: .binary, [.from(1) { _ in }])
    #expect(wide == Wide())
  }

  @Test func `migrations of forms and between types follow each other in any order`() async throws {
    struct First: Codable, Sendable { var a = 1 }
    struct Second: Codable, Sendable { var b: Int }
    struct Third: Codable, Sendable { var c: Int }
    struct Last: Codable, Equatable, Sendable { var d: Int }
    let migrations: [Migration] = [
      .from(1) { $0.rename("a", to: "b") },
      .from(2) { (old: Second) in Third(c: old.b + 10) },
      .from(3) { $0.convert("c") { (old: Int) in old * 2 } },
      .from(4) { $0.rename("c", to: "d") },
      .from(6) { (old: Last) in Last(d: old.d + 1) },
    ]
    for coding in Self.codings {
      let (last, _) = try await Self.migrated(First(), over: Last(d: 0), version: 7, coding: coding, migrations)
      #expect(last == Last(d: 23))
    }
  }

  @Test func `a path that leads nowhere changes nothing, and null stays null`() async throws {
    struct Box: Codable, Equatable, Sendable {
      var numbers: [Int?] = [1, nil]
      var text = "a"
      var none: Int?
    }
    let (box, report) = try await Self.migrated(
      Box(), over: Box(numbers: [], text: ""),
      [
        .from(1) { form in
          form.rename("missing", to: "text")
          form.rename("text.more", to: "text")
          form.remove("numbers.*.more")
          form.add("missing.more", 1)
          form.add("text", "b")
          form.convert("numbers.*") { (number: Int) in number + 1 }
          form.convert("none") { (number: Int) in number + 1 }
          form.edit("*.*.*") { $0.drop() }
        }
      ])
    #expect(box == Box(numbers: [2, nil]))
    #expect(report.completed.isEmpty)
  }

  @Test func `dropped elements are removed, and fields can be read`() async throws {
    struct Shape: Codable, Equatable, Sendable {
      var kind: String
      var size: Int
    }
    let shapes = [Shape(kind: "a", size: 1), Shape(kind: "b", size: 2), Shape(kind: "a", size: 3)]
    for coding in Self.codings {
      let (new, _) = try await Self.migrated(
        shapes, over: [Shape](), coding: coding,
        [
          .from(1) { form in
            form.edit("*") { shape in
              if try shape.value("kind", as: String.self) == "b" { shape.drop() }
              if try shape.value("size", as: Int.self) == 3 { shape.convert("size") { (size: Int) in size * 10 } }
            }
            if form.contains("*.missing") { throw Refusal() }
          }
        ])
      #expect(new == [Shape(kind: "a", size: 1), Shape(kind: "a", size: 30)])
    }
  }

  // MARK: Errors

  @Test func `P2 a migration's error names the part, version and path, and the stored value is kept aside`()
    async throws
  {
    struct Item: Codable, Equatable, Sendable {
      var name = "n"
      var size = "large"
    }
    struct Box: Codable, Equatable, Sendable { var items = [Item(), Item(size: "2")] }
    func error(
      _ change: @escaping @Sendable (_ form: inout StoredForm) throws -> Void
    ) async throws -> StoredValueError {
      let folder = MemoryFolder()
      let (box, report) = try await Self.migrated(
        Box(), over: Box(items: []), version: 4,
        [.from(1) { $0.edit("items.*") { _ in } }, .from(3, change)], in: folder)
      #expect(box == Box(items: []))
      #expect(report.keptFiles == [KeptAside.name(of: "part")])
      #expect(folder.text(of: KeptAside.name(of: "part"))?.contains("large") == true)
      guard let error = Self.error(report) else { throw Refusal() }
      return error
    }
    let occupied = try await error { $0.rename("items.*.name", to: "size") }
    #expect((occupied.name, occupied.version, occupied.path) == ("part", 3, "items.0.size"))
    let mismatch = try await error { $0.convert("items.*.size") { (size: Int) in size } }
    #expect((mismatch.version, mismatch.path) == (3, "items.0.size"))
    let inside = try await error { $0.convert("items.*") { (item: [String: Int]) in item } }
    #expect(inside.path.hasPrefix("items.0."))
    let thrown = try await error { form in
      form.edit("items.*") { if try $0.value("size", as: String.self) == "2" { throw Refusal() } }
    }
    #expect((thrown.path, thrown.reason) == ("items.1", .failed("Refusal()")))
    #expect(try await error { $0.rename("items.*", to: "name") }.path == "items.*")
    #expect(try await error { $0.add("value", Double.infinity) }.path == "value")
    let dropped = try await error { $0.drop(case: "items") }
    #expect((dropped.path, dropped.reason) == ("items", .dropped))
    #expect(try await error { $0.remove("items.*.name") }.path == "items.0.name")
    #expect(
      thrown.description == "part of version 3 cannot be read at items.1: Refusal()")
  }

  @Test func `migrations of forms after a type that cannot be encoded stop the program with a message`() async {
    await #expect(processExitsWith: .failure) {
      _ = Persisted(
        \Program<[String: Int]>.value, as: "part", version: 3,
        migrations: [.from(1) { (_: [Int]) in Refusal() }, .from(2) { $0.rename("a", to: "b") }])
    }
    await #expect(processExitsWith: .failure) {
      _ = Persisted(
        \Program<[String: Int]>.value, as: "part", version: 2,
        migrations: [.from(1) { $0.rename("a", to: "b") }, .from(1) { $0.rename("a", to: "b") }])
    }
  }

  // MARK: Tables

  struct Book: Identifiable, Codable, Equatable, Sendable {
    var id: Int
    var title: String
  }

  struct Volume: Identifiable, Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var pages: Int
  }

  @Test(arguments: codings.indices)
  func `records of a table are migrated, including those that have changed since it was stored`(coding: Int)
    async throws
  {
    let coding = Self.codings[coding]
    let folder = MemoryFolder()
    var table = try EntityTable((1...40).map { Book(id: $0, title: "\($0)") })
    do {
      let storage = try Storage(folder, durability: .full)
      let part = Persisted(\Program<EntityTable<Book>>.value, as: "part", coding: coding)
      _ = try await storage.load(into: Program(value: EntityTable()), [part])
      let store = StoreFactory<Program<EntityTable<Book>>, EntityTable<Book>>(
        initialState: Program(value: EntityTable()),
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      ) { $0.value = $1 }
      func save() async throws {
        store.dispatch(table)
        try await storage.flush()
      }
      try await save()
      try table.updateIfExists(3) { $0.title = "three" }
      table.remove(5)
      try await save()
      try table.insert(Book(id: 50, title: "50"))
      try table.rename([7: 70]) { $0.id = $1 }
      try await save()
    }
    let copy = folder.copy()
    let part = Persisted(
      \Program<EntityTable<Volume>>.value, as: "part", version: 2,
      migrations: [
        .from(1) { form in
          form.rename("*.title", to: "name")
          form.add("*.pages", 100)
        }
      ],
      coding: coding)
    let (state, report) = try await Storage(copy, durability: .full)
      .load(into: Program(value: EntityTable<Volume>()), [part])
    #expect(report.outcomes == ["part": "migrated from 1"])
    #expect(Array(state.value) == table.map { Volume(id: $0.id, name: $0.title, pages: 100) })

    // A migration cannot drop a record that has changed since the table was stored.
    let dropping = Persisted(
      \Program<EntityTable<Book>>.value, as: "part", version: 2,
      migrations: [.from(1) { form in form.edit("*") { if try $0.value("id", as: Int.self) == 3 { $0.drop() } } }],
      coding: coding)
    let (old, dropped) = try await Storage(folder.copy(), durability: .full)
      .load(into: Program(value: EntityTable<Book>()), [dropping])
    #expect(old.value.isEmpty)
    #expect(Self.error(dropped)?.reason == .unknownDifferences)
  }

  @Test(arguments: codings.indices)
  func `records of a table with a manual order are migrated, and so is the order`(coding: Int) async throws {
    let coding = Self.codings[coding]
    let folder = MemoryFolder()
    var table = try EntityTable((1...40).map { Step(number: $0, text: "\($0)") })
    do {
      let storage = try Storage(folder, durability: .full)
      let part = Persisted(\Program<EntityTable<Step>>.value, as: "part", coding: coding)
      _ = try await storage.load(into: Program(value: EntityTable()), [part])
      let store = StoreFactory<Program<EntityTable<Step>>, EntityTable<Step>>(
        initialState: Program(value: EntityTable()),
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      ) { $0.value = $1 }
      func save() async throws {
        store.dispatch(table)
        try await storage.flush()
      }
      for number in [7, 3] { try table.append(StepID(number: number), to: Step.plan) }
      try await save()
      table.remove(StepID(number: 5))
      try table.append(StepID(number: 9), to: Step.plan)
      try await save()
    }
    let part = Persisted(
      \Program<EntityTable<NewStep>>.value, as: "part", version: 2,
      migrations: [
        .from(1) { form in
          form.edit("*") { $0.rename("text", to: "title") }
          form.rename("orders.plan", to: "order")
        }
      ],
      coding: coding)
    let (state, report) = try await Storage(folder.copy(), durability: .full)
      .load(into: Program(value: EntityTable<NewStep>()), [part])
    #expect(report.outcomes == ["part": "migrated from 1"])
    #expect(state.value.map(\.title) == table.map(\.text))
    #expect(state.value[NewStep.order].map(\.number) == [7, 3, 9])
  }

  /// An id that isn't `Codable`, so stored changes contain records in place of ids.
  struct StepID: Hashable, Sendable {
    var number: Int
  }

  struct Step: IndexedEntity, Codable, Sendable {
    static let plan = ManualOrder<Step>("plan")
    static var indexes: [any EntityIndex<Step>] { [plan] }

    var number: Int
    var text: String
    var id: StepID { StepID(number: number) }
  }

  struct NewStep: IndexedEntity, Codable, Sendable {
    static let order = ManualOrder<NewStep>("order")
    static var indexes: [any EntityIndex<NewStep>] { [order] }

    var number: Int
    var title: String
    var id: StepID { StepID(number: number) }
  }

  @Test func `deep values are migrated`() async throws {
    struct Branch: Codable, Equatable, Sendable { var inner: [Branch] = [] }
    struct NewBranch: Codable, Equatable, Sendable { var branches: [NewBranch] = [] }
    for (coding, depth) in [(BinaryCoding(), 200), (JSONCoding(), 25)] as [(any StorageCoding, Int)] {
      let old = (0..<depth).reduce(Branch()) { inner, _ in Branch(inner: [inner]) }
      let new = (0..<depth).reduce(NewBranch()) { inner, _ in NewBranch(branches: [inner]) }
      let (branch, report) = try await Self.migrated(
        old, over: NewBranch(), coding: coding,
        [
          .from(1) { form in
            @Sendable func rename(_ form: inout StoredForm) {
              form.rename("inner", to: "branches")
              form.edit("branches.*", rename)
            }
            rename(&form)
          }
        ])
      #expect(report.outcomes == ["part": "migrated from 1"])
      #expect(branch == new)
    }
  }
}
