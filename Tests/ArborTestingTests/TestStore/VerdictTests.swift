import Arbor
import ArborEntities
import ArborTesting
import Testing

@Suite("Verdicts of a test store")
struct VerdictTests {
  /// The failures of a test whose closure makes other changes than the reducer.
  private func failures<State: Equatable & Sendable>(
    in state: State,
    reducer change: @escaping @Sendable (inout State) -> Void,
    expected: @escaping @Sendable (inout State) -> Void
  ) async -> [TestFailure] {
    await ArborTestingTests.failures {
      let store = TestStore<State, Int>(initialState: state) { state, _ in change(&state) }
      await store.send(1) { expected(&$0) }
      await store.finish()
    }.map(\.failure)
  }

  // MARK: Tables

  private struct Item: Identifiable, Equatable, Sendable {
    let id: String
    @Stamped var notes: [String] = []
  }

  private struct Items: Equatable, Sendable {
    var items = EntityTable<Item>()
  }

  private struct Song: IndexedEntity, Equatable, Sendable {
    let id: String
    var title = ""
    static let queue = ManualOrder<Song>("queue")
    static var indexes: [any EntityIndex<Song>] { [queue] }
  }

  private struct Player: Equatable, Sendable {
    var songs: EntityTable<Song> = [Song(id: "a"), Song(id: "b"), Song(id: "c")]
  }

  @Test func `the order of a table's records counts, even if they have stamps`() async {
    let found = await failures(in: Items()) {
      $0.items = [Item(id: "a"), Item(id: "b"), Item(id: "c")]
    } expected: {
      $0.items = [Item(id: "a"), Item(id: "c"), Item(id: "b")]
    }
    #expect(found.map(\.differences) == [[#"items.order: ["c", "b"] → ["b", "c"]"#]])
    #expect(found.map(\.happened) == ["1 part differs, expected → happened:"])
  }

  @Test func `tables that differ only by their stamps are equal if their records are`() async {
    let found = await failures(in: Items(items: [Item(id: "a")])) { state in
      try? state.items.update("a") { $0.notes = ["new"] }
      try? state.items.insert(Item(id: "b", notes: ["b"]))
    } expected: { state in
      try? state.items.insert(Item(id: "b"))
      try? state.items.update("a") { $0.notes.append("new") }
      try? state.items.update("b") { $0.notes.append("b") }
    }
    #expect(found.isEmpty)
  }

  @Test func `a table that differs only by its order is reported as such`() async {
    let found = await failures(in: Player()) { player in
      player.songs.remove("a")
      try? player.songs.insert(Song(id: "a"))
    } expected: { _ in
    }
    #expect(found.map(\.differences) == [[#"songs.order: ["a", "b", "c"] → ["b", "c", "a"]"#]])
  }

  @Test func `the manual orders of a table count, and are shown`() async {
    let found = await failures(in: Player()) { player in
      try? player.songs.append("a", to: Song.queue)
      try? player.songs.append("b", to: Song.queue)
    } expected: { player in
      try? player.songs.append("b", to: Song.queue)
      try? player.songs.append("a", to: Song.queue)
    }
    #expect(found.map(\.differences) == [[#"songs.order("queue")[0..<2]: ["b", "a"] → ["a", "b"]"#]])
    let shorter = await failures(in: Player()) { player in
      try? player.songs.append("a", to: Song.queue)
      try? player.songs.append("b", to: Song.queue)
    } expected: { player in
      try? player.songs.append("a", to: Song.queue)
    }
    #expect(shorter.map(\.differences) == [[#"songs.order("queue")[1]: + "b""#]])
  }

  @Test func `a record may have any id, even one that looks like an order`() async {
    let found = await failures(in: Player(songs: [Song(id: "order queue")])) { player in
      try? player.songs.update("order queue") { $0.title = "Happened" }
    } expected: { player in
      try? player.songs.update("order queue") { $0.title = "Expected" }
    }
    #expect(found.map(\.differences) == [[#"songs["order queue"].title: "Expected" → "Happened""#]])
  }

  // MARK: Mirrors

  private struct Password: Equatable, Sendable, CustomReflectable {
    var text: String
    var customMirror: Mirror { Mirror(reflecting: "***") }
  }

  private struct Account: Equatable, Sendable {
    var password = Password(text: "old")
    @Stamped var logins: [Int] = []
  }

  @Test func `parts hidden by a mirror do not affect the verdict`() async {
    let found = await failures(in: Account()) {
      $0.password.text = "s3cret"
    } expected: {
      $0.password.text = "pa55"
    }
    #expect(found.map(\.differences) == [["password: Password(…) → another Password(…)"]])
    #expect(!found.contains { $0.text.contains("s3cret") || $0.text.contains("pa55") })
    let beside = await failures(in: Account()) {
      $0 = Account(password: Password(text: "s3cret"), logins: [1])
    } expected: {
      $0 = Account(password: Password(text: "pa55"), logins: [1])
    }
    #expect(beside.map(\.differences) == found.map(\.differences))
    let same = await failures(in: Account()) {
      $0 = Account(password: Password(text: "s3cret"), logins: [1])
    } expected: {
      $0 = Account(password: Password(text: "s3cret"), logins: [1])
    }
    #expect(same.isEmpty)
  }

  @Test func `different values with the same text are distinguished`() async {
    struct Code: Equatable, Sendable, CustomReflectable, CustomStringConvertible {
      var text = "old"
      var description: String { "***" }
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    let found = await failures(in: Code()) {
      $0.text = "s3cret"
    } expected: {
      $0.text = "pa55"
    }
    #expect(found.map(\.differences) == [["*** → another ***"]])
  }

  @Test func `stamps are ignored below any mirror`() async {
    struct Vault: Equatable, Sendable, CustomReflectable {
      @Stamped var secrets: [Password] = []
      var customMirror: Mirror { Mirror(self, children: ["secrets": "***"], displayStyle: .struct) }
    }
    let same = await failures(in: Vault()) {
      $0.secrets = [Password(text: "s3cret")]
    } expected: {
      $0.secrets.append(Password(text: "s3cret"))
    }
    #expect(same.isEmpty)
    let others = await failures(in: Vault()) {
      $0.secrets = [Password(text: "s3cret")]
    } expected: {
      $0.secrets = [Password(text: "pa55")]
    }
    #expect(others.map(\.differences) == [[#"Vault(secrets: "***") → another Vault(secrets: "***")"#]])
  }

  @Test func `a custom stamp counts if == compares it`() async {
    final class Stamp: Sendable {}
    struct Versioned: Equatable, Sendable, CustomReflectable {
      var value = 1
      var stamp = Stamp()
      static func == (left: Versioned, right: Versioned) -> Bool { left.stamp === right.stamp }
      var customMirror: Mirror { Mirror(reflecting: value) }
    }
    let found = await failures(in: Versioned()) {
      $0 = Versioned(value: 2)
    } expected: {
      $0 = Versioned(value: 2)
    }
    #expect(found.map(\.differences) == [["Versioned(…) → another Versioned(…)"]])
  }

  // MARK: Stamps

  @Test func `a part that == ignores may differ next to a stamp, and is reported`() async {
    struct Page: Equatable, Sendable {
      @Stamped var lines: [String] = []
      var cache = 0
      static func == (left: Page, right: Page) -> Bool { left.$lines == right.$lines }
    }
    let found = await failures(in: Page()) {
      $0 = Page(lines: ["a"], cache: 1)
    } expected: {
      $0 = Page(lines: ["a"], cache: 2)
    }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.map(\.differences) == [["cache: 2 → 1"]])
  }

  private struct Point: Sendable {
    var place = (x: 1, y: 2)
    var name: String?
    var tags: [String: [Float]] = ["a": [1]]
    var kind = Kind.plain

    enum Kind: Sendable {
      case plain
      case made(by: @Sendable () -> Void)
      case named(Substring, Int)
    }
  }

  private struct Plot: Equatable, Sendable {
    @Stamped var points = [Point()]
  }

  @Test func `stamped content without == is equal if all its parts are`() async {
    let same = await failures(in: Plot()) {
      $0.points = [Point(name: "a", kind: .named("b", 1)), Point()]
    } expected: {
      $0.points = [Point(name: "a", kind: .named("b", 1)), Point()]
    }
    #expect(same.isEmpty)
    let changes: [@Sendable (inout Point) -> Void] = [
      { $0.place.y = 3 }, { $0.name = "b" }, { $0.tags["a"] = [2] }, { $0.tags["b"] = [] }, { $0.kind = .plain },
      { $0.kind = .named("b", 2) },
    ]
    for (number, change) in changes.enumerated() {
      let others = await failures(in: Plot()) {
        $0.points = [Point(kind: .named("b", 1))]
      } expected: {
        var point = Point(kind: .named("b", 1))
        change(&point)
        $0.points = [point]
      }
      #expect(others.count == 1, "change \(number)")
    }
  }

  @Test func `a custom mirror of parts without == does not affect the verdict`() async {
    struct Hidden: Sendable, CustomReflectable {
      var text: String
      var customMirror: Mirror { Mirror(self, children: ["text": "***"], displayStyle: .struct) }
    }
    struct Safe: Equatable, Sendable {
      @Stamped var hidden = Hidden(text: "a text that is kept elsewhere")
    }
    let found = await failures(in: Safe()) {
      $0.hidden = Hidden(text: "another text that is kept elsewhere")
    } expected: {
      $0.hidden = Hidden(text: "a third text that is kept elsewhere")
    }
    #expect(found.map(\.summary) == ["The state after 1 is not the expected one."])
  }

  @Test func `with off, too, differences only in stamps are not a change`() async {
    let found = await ArborTestingTests.failures {
      let store = TestStore<Plot, Int>(
        initialState: Plot(points: []),
        exhaustivity: .off(showSkipped: true)
      ) { plot, _ in
        plot.points = [Point()]
      }
      await store.send(1) { $0.points = [Point()] }
      await store.finish()
    }
    #expect(found.isEmpty)
  }

  // MARK: Actions and activities

  @Test func `stamps in actions and activities are ignored`() async {
    struct Load: Equatable, Sendable {
      @Stamped var items = [1]
    }
    let store = TestStore<Int, Load>(initialState: 0) { _, _ in }
    store.store().dispatch(Load())
    await store.receive(Load())
    store.store().dispatch(batch: [Load(), Load(items: [2])])
    await store.receive(batch: [Load(), Load(items: [2])])
    store.store().emit(Load())
    await store.receive(activity: Load())
    store.store().dispatch(Load(items: [3]))
    let found = await ArborTestingTests.failures { await store.receive(Load(items: [4])) }
    #expect(found.map(\.failure.differences) == [["items[0]: 4 → 3"]])
    await store.finish()
  }
}
