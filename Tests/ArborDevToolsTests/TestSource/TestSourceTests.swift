import Arbor
import ArborDevTools
import Testing

struct TestSourceTests {
  struct Program: Equatable, Sendable {
    var count = 0
    var user: User?
    var rows: [Row] = []
    var flags: [String: Bool?] = [:]
    var pairs: [String: Row] = [:]
    var place = Place(x: 0, y: 0)
    var phase = Phase.idle
  }

  struct User: Equatable, Sendable {
    var name: String
    var nick: String?
  }

  struct Row: Equatable, Identifiable, Sendable {
    let id: Int
    var title = ""
  }

  struct Place: Equatable, Sendable {
    let x: Int
    let y: Int
  }

  enum Phase: Equatable, Sendable {
    case idle
    case running(Int)
  }

  enum Action: Equatable, Sendable {
    case go
    case set(String)
  }

  enum Odd: Sendable {
    case go
    case set(String)
  }

  struct Node: Equatable, Sendable {
    var name = ""
    var children: [Node] = []

    /// Returns a node with others nested in each other.
    static func chain(_ count: Int, end: String) -> Node {
      (0..<count).reduce(Node(name: end)) { node, _ in Node(children: [node]) }
    }
  }

  final class Object: Sendable, Equatable {
    static func == (left: Object, right: Object) -> Bool { left === right }
  }

  struct Holder: Equatable, Sendable {
    var object = Object()
    var count = 0
  }

  /// Returns the lines of the calls, without the function around them.
  private func lines<State: Equatable & Sendable, Action: Sendable>(
    _ source: TestSource<State, Action>
  ) throws -> [Substring] {
    Array(try source.function().split(separator: "\n").dropFirst(2).dropLast(2))
  }

  private func assignments(
    from before: Program = Program(),
    wholeTypes: [Any.Type] = [],
    _ change: (inout Program) -> Void
  ) throws -> [String] {
    var after = before
    change(&after)
    var source = TestSource(name: "a", initialState: before, steps: [.init(.sent, Action.go, state: after)])
    source.wholeTypes = wholeTypes
    source.makeStore = "store"
    return try lines(source).map { line in
      String(line.drop { $0 == " " })
    }
  }

  @Test func `a test sends, receives and finishes`() throws {
    var source = TestSource<Program, Action>(name: "is made", initialState: Program())
    source.makeStore = "TestStore(initialState: Program(), feature: program)"
    source.steps = [
      .init(.sent, .go, state: Program()), .init(.received, .set("a"), state: Program(count: 1)),
      .init(.sent, batch: [.go, .set("b")], state: Program(count: 2, phase: .running(1))),
    ]
    let text = try TestFile(suite: "ProgramTests", modules: ["@testable Shop", "Foundation"]).text(of: [
      source.function()
    ])
    #expect(
      text == """
        import Arbor
        import ArborTesting
        import Foundation
        import Testing

        @testable import Shop

        struct ProgramTests {
          @Test func `is made`() async {
            let store = TestStore(initialState: Program(), feature: program)
            await store.send(.go)
            await store.receive(.set("a")) { $0.count = 1 }
            await store.send(batch: [.go, .set("b")]) {
              $0.count = 2
              $0.phase = .running(1)
            }
            await store.finish()
          }
        }

        """
    )
  }

  @Test func `the store is made from the initial state`() throws {
    let short = TestSource<[Int], Action>(name: "a", initialState: [1])
    #expect(try short.function().contains("    let store = TestStore(initialState: [1] as [Int], feature: feature)\n"))
    let rows = (1...4).map { Row(id: $0, title: String(repeating: "a", count: 20)) }
    let long = TestSource<[Row], Action>(name: "a", initialState: rows)
    #expect(
      try long.function().hasPrefix(
        """
          @Test func a() async {
            let initialState = [
              TestSourceTests.Row(id: 1, title: "aaaaaaaaaaaaaaaaaaaa"),
              TestSourceTests.Row(id: 2, title: "aaaaaaaaaaaaaaaaaaaa"),
              TestSourceTests.Row(id: 3, title: "aaaaaaaaaaaaaaaaaaaa"),
              TestSourceTests.Row(id: 4, title: "aaaaaaaaaaaaaaaaaaaa"),
            ] as [TestSourceTests.Row]
            let store = TestStore(initialState: initialState, feature: feature)

        """
      )
    )
  }

  @Test func `only changed parts are assigned`() throws {
    let user = Program(
      user: User(name: "a"), rows: [Row(id: 1), Row(id: 2)], flags: ["a": true], pairs: ["r": Row(id: 1)])
    let go = "await store.send(.go) "
    #expect(try assignments { _ in } == ["await store.send(.go)"])
    #expect(try assignments(from: user) { $0.user?.nick = "b" } == [go + #"{ $0.user?.nick = "b" }"#])
    #expect(try assignments(from: user) { $0.user = nil } == [go + "{ $0.user = nil }"])
    #expect(try assignments(from: user) { $0.rows[1].title = "c" } == [go + #"{ $0.rows[1].title = "c" }"#])
    #expect(
      try assignments(from: user) { $0.rows.removeLast() } == [
        go + #"{ $0.rows = [TestSourceTests.Row(id: 1, title: "")] }"#
      ])
    #expect(
      try assignments(from: user) { $0.rows[0] = Row(id: 9) } == [
        go + #"{ $0.rows[0] = TestSourceTests.Row(id: 9, title: "") }"#
      ])
    #expect(try assignments(from: user) { $0.flags["a"] = .some(nil) } == [go + #"{ $0.flags["a"] = .some(nil) }"#])
    #expect(try assignments(from: user) { $0.flags = [:] } == [go + "{ $0.flags = [:] }"])
    #expect(try assignments(from: user) { $0.pairs["r"]?.title = "d" } == [go + #"{ $0.pairs["r"]?.title = "d" }"#])
    #expect(
      try assignments(from: user) { $0.pairs["s"] = Row(id: 3) } == [
        go + #"{ $0.pairs["s"] = TestSourceTests.Row(id: 3, title: "") }"#
      ])
    #expect(try assignments { $0.phase = .running(2) } == [go + "{ $0.phase = .running(2) }"])
  }

  @Test func `values with constant properties are assigned as a whole if the test says so`() throws {
    let moved = { (program: inout Program) in program.place = Place(x: 0, y: 2) }
    #expect(try assignments(moved) == ["await store.send(.go) { $0.place.y = 2 }"])
    #expect(
      try assignments(wholeTypes: [Place.self], moved)
        == ["await store.send(.go) { $0.place = TestSourceTests.Place(x: 0, y: 2) }"]
    )
  }

  @Test func `actions that are not equatable are received by their case`() throws {
    var source = TestSource<Int, Odd>(name: "a", initialState: 0)
    source.steps = [
      .init(.received, .go, state: 0), .init(.received, .set("a"), state: 1), .init(.sent, .set("a"), state: 1),
    ]
    #expect(
      try lines(source).joined(separator: "\n") == """
            await store.receive(where: { if case .go = $0 { true } else { false } })
            await store.receive(
              where: { if case .set = $0 { true } else { false } },
              { $0 = 1 }
            )
            await store.send(.set("a"))
        """
    )
    source.steps = [.init(.received, batch: [.go], state: 0)]
    let error = #expect(throws: SwiftSourceError.self) { try source.function() }
    #expect(error?.path == "steps[0].action")
  }

  @Test(arguments: [
    ("adds", "adds"), ("class", "`class`"), ("throws", "`throws`"), ("init", "`init`"), ("async", "async"),
    ("a b", "`a b`"), ("1st", "`1st`"), ("is 👩‍👩‍👧‍👦", "`is 👩‍👩‍👧‍👦`"), ("é_1", "é_1"), ("c + (d)", "`c + (d)`"),
  ])
  func `a name is written as a function's declaration needs it`(name: String, written: String) throws {
    let source = TestSource<Int, Action>(name: name, initialState: 0)
    #expect(try source.function().hasPrefix("  @Test func \(written)() async {\n"))
  }

  @Test(arguments: ["", "_", " ", "++", "a`b", "`a`", "a\nb", "a\\b", "a\tb", "a\u{0}", "a\u{2028}b", "a\u{A0}b", "$0"])
  func `a name that no function can have is an error`(name: String) {
    let source = TestSource<Int, Action>(name: name, initialState: 0)
    let error = #expect(throws: SwiftSourceError.self) { try source.function() }
    #expect(error?.path.hasPrefix("the name \"") == true)
  }

  @Test func `a value that cannot be written only fails where it is needed`() throws {
    let holder = Holder()
    var source = TestSource<Holder, Action>(name: "a", initialState: holder)
    let error = #expect(throws: SwiftSourceError.self) { try source.function() }
    #expect(error?.path == "state.object")
    source.makeStore = "TestStore(initialState: Holder(), feature: holder)"
    source.steps = [.init(.sent, .go, state: Holder(object: holder.object, count: 1))]
    #expect(try lines(source) == ["    await store.send(.go) { $0.count = 1 }"])
    source.steps.append(.init(.sent, .go, state: Holder()))
    #expect(throws: SwiftSourceError.self) { try source.function() }
  }

  @Test func `a held action is an error if no test store has its token`() throws {
    let tokens = Protected<[HeldAction<Action>]>([])
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      feature: Feature(
        interceptors: [Interceptor { _, _ in .hold { held in tokens.withLock { $0.append(held) } } }],
        reducer: { _, _ in }
      )
    )
    factory.dispatchAndWait(.go)
    let token = try #require(tokens.withLock { $0.first })
    defer { token.drop() }
    var source = TestSource(name: "a", initialState: [token], steps: [.init(.sent, Action.go, state: [token, token])])
    #expect(throws: SwiftSourceError.self) { try source.function() }
    source.makeStore = "store"
    #expect(try lines(source).last == "    await store.send(.go) { $0 = [store.state[0], store.state[1]] }")
    let set = TestSource(
      name: "a", initialState: Set<HeldAction<Action>>(), steps: [.init(.sent, Action.go, state: [token])])
    let error = #expect(throws: SwiftSourceError.self) { try set.function() }
    #expect(error?.path == "state[…]" && error?.reason.contains("begin the recording before") == true)
  }

  @Test func `a history that cannot be redacted is an error`() throws {
    var text = History("secret")
    text.document = ""
    text.record()
    let recording = Recording<History<String>, Action>(initialState: text) { _, _ in }
    #expect(try recording.testSource(named: "a").contains("History(\"secret\")"))
    let redactions: [Redaction<History<String>, Action>] = [.value(\.document, replacedBy: "-")]
    let error = #expect(throws: SwiftSourceError.self) {
      try recording.testSource(named: "a", redacting: redactions)
    }
    #expect(error?.path == "state" && error?.reason.contains("redaction") == true)
  }

  @Test func `a change that is too deep is an error`() throws {
    func source(depth: Int) -> TestSource<Node, Action> {
      let step = TestSource<Node, Action>.Step(.sent, .go, state: .chain(depth, end: "b"))
      var source = TestSource(name: "a", initialState: Node.chain(depth, end: "a"), steps: [step])
      source.makeStore = "store"
      return source
    }
    let path = String(repeating: ".children[0]", count: 5)
    #expect(try lines(source(depth: 5)) == [#"    await store.send(.go) { $0\#(path).name = "b" }"#])
    let error = #expect(throws: SwiftSourceError.self) { try source(depth: 1000).function() }
    #expect(error?.reason.contains("64 levels") == true)
  }
}
