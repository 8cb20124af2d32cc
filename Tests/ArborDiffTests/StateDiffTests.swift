import ArborDiff
import Foundation
import Testing

@Suite("Differences of states")
struct StateDiffTests {
  struct Counter: Equatable, Sendable {
    var count = 1
    var step = 1
  }

  struct User: Equatable, Sendable {
    var name: String
    var tags: [String] = []
  }

  enum Screen: Equatable, Sendable {
    case home
    case detail(id: Int)
    case message(String)
    case pair(Int, Int)
    indirect case over(Screen, animated: Bool)
  }

  struct State: Sendable {
    var counter = Counter()
    var user: User?
    var screen = Screen.home
    var numbers: [Int] = []
    var users: [User] = []
    var names: [Int: String] = [:]
    var flags: Set<String> = []
    var ratio = 0.5
    var pair = (1, 2)
    var named = (x: 1, y: 2)
    var maybe: Int??
    var result: Result<Int, Problem> = .success(1)
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var range = 0..<3
    var list: [String]?
    var table: [String: [Int]] = [:]
  }

  enum Problem: Error, Equatable, Sendable {
    case missing(String)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let expected: String
    let before: State
    let after: State
    var testDescription: String { expected }

    init(_ expected: String, to change: (inout State) -> Void) {
      self.init(expected, from: { _ in }, to: change)
    }

    init(_ expected: String, from prepare: (inout State) -> Void, to change: (inout State) -> Void) {
      var state = State()
      prepare(&state)
      before = state
      change(&state)
      after = state
      self.expected = expected
    }
  }

  static let emma = User(name: "Emma")

  static let cases: [Case] = [
    Case("") { _ in },
    Case("counter.count: 1 → 2") { $0.counter.count = 2 },
    Case("counter.count: 1 → 2\ncounter.step: 1 → 5") { $0.counter = Counter(count: 2, step: 5) },
    Case(#"user: nil → User(name: "Emma", tags: [])"#) { $0.user = emma },
    Case(#"user: User(name: "Emma", tags: []) → nil"#) {
      $0.user = emma
    } to: {
      $0.user = nil
    },
    Case(#"user.name: "Emma" → "Jane""#) {
      $0.user = emma
    } to: {
      $0.user?.name = "Jane"
    },
    Case(#"user.tags[0]: + "new""#) {
      $0.user = emma
    } to: {
      $0.user?.tags = ["new"]
    },
    Case(#"screen: .home → .detail(id: 1)"#) { $0.screen = .detail(id: 1) },
    Case("screen.detail.id: 1 → 2") {
      $0.screen = .detail(id: 1)
    } to: {
      $0.screen = .detail(id: 2)
    },
    Case(#"screen.message: "a" → "b""#) {
      $0.screen = .message("a")
    } to: {
      $0.screen = .message("b")
    },
    Case("screen.pair.1: 2 → 3") {
      $0.screen = .pair(1, 2)
    } to: {
      $0.screen = .pair(1, 3)
    },
    Case(#"screen: .detail(id: 1) → .message("a")"#) {
      $0.screen = .detail(id: 1)
    } to: {
      $0.screen = .message("a")
    },
    Case("screen: .pair(1, 2) → .home") {
      $0.screen = .pair(1, 2)
    } to: {
      $0.screen = .home
    },
    Case("screen.over.0.detail.id: 1 → 2") {
      $0.screen = .over(.detail(id: 1), animated: true)
    } to: {
      $0.screen = .over(.detail(id: 2), animated: true)
    },
    Case("screen.over.animated: true → false") {
      $0.screen = .over(.home, animated: true)
    } to: {
      $0.screen = .over(.home, animated: false)
    },
    Case("numbers[0]: + 1\nnumbers[1]: + 2") { $0.numbers = [1, 2] },
    Case("numbers[0]: - 1\nnumbers[1]: - 2") {
      $0.numbers = [1, 2]
    } to: {
      $0.numbers = []
    },
    Case("numbers[1]: 2 → 5") {
      $0.numbers = [1, 2, 3]
    } to: {
      $0.numbers[1] = 5
    },
    Case("numbers[1]: + 9") {
      $0.numbers = [1, 2, 3]
    } to: {
      $0.numbers.insert(9, at: 1)
    },
    Case("numbers[0]: - 1") {
      $0.numbers = [1, 2, 3]
    } to: {
      $0.numbers.removeFirst()
    },
    Case("numbers[3]: + 4") {
      $0.numbers = [1, 2, 3]
    } to: {
      $0.numbers.append(4)
    },
    Case("numbers[0]: 1 → 2\nnumbers[1]: 2 → 1") {
      $0.numbers = [1, 2, 3]
    } to: {
      $0.numbers.swapAt(0, 1)
    },
    Case("numbers[1]: 2 → 7\nnumbers[2]: - 3") {
      $0.numbers = [1, 2, 3, 4]
    } to: {
      $0.numbers = [1, 7, 4]
    },
    Case("numbers[2]: + 1") {
      $0.numbers = [1, 1]
    } to: {
      $0.numbers = [1, 1, 1]
    },
    Case(#"users[1].name: "b" → "c""#) {
      $0.users = [User(name: "a"), User(name: "b")]
    } to: {
      $0.users[1].name = "c"
    },
    Case(#"users[0]: + User(name: "a", tags: ["x"])"#) { $0.users = [User(name: "a", tags: ["x"])] },
    Case(#"names[1]: + "one""#) { $0.names[1] = "one" },
    Case(#"names[1]: - "one""#) {
      $0.names = [1: "one"]
    } to: {
      $0.names = [:]
    },
    Case(#"names[1]: "one" → "eins""#) {
      $0.names = [1: "one", 2: "two"]
    } to: {
      $0.names[1] = "eins"
    },
    Case("names[1]: + \"a\"\nnames[2]: + \"b\"\nnames[3]: + \"c\"") { $0.names = [3: "c", 1: "a", 2: "b"] },
    Case(#"flags: + "a""#) { $0.flags = ["a"] },
    Case("flags: - \"a\"\nflags: + \"c\"") {
      $0.flags = ["a", "b"]
    } to: {
      $0.flags = ["b", "c"]
    },
    Case("ratio: 0.5 → nan") { $0.ratio = .nan },
    Case("") {
      $0.ratio = .nan
    } to: {
      $0.ratio = .nan
    },
    Case("ratio: nan → inf") {
      $0.ratio = .nan
    } to: {
      $0.ratio = .infinity
    },
    Case("pair.0: 1 → 5") { $0.pair.0 = 5 },
    Case("named.y: 2 → 3") { $0.named.y = 3 },
    Case("maybe: nil → 1") { $0.maybe = 1 },
    Case("maybe: 1 → nil") {
      $0.maybe = 1
    } to: {
      $0.maybe = .some(nil)
    },
    Case(#"result: .success(1) → .failure(.missing("x"))"#) { $0.result = .failure(.missing("x")) },
    Case(#"result.failure.missing: "x" → "y""#) {
      $0.result = .failure(.missing("x"))
    } to: {
      $0.result = .failure(.missing("y"))
    },
    Case("date: 2001-01-01 00:00:00 +0000 → 2001-01-01 00:00:01 +0000") { $0.date += 1 },
    Case("range: 0..<3 → 0..<4") { $0.range = 0..<4 },
    Case("list: nil → []") { $0.list = [] },
    Case(#"list[0]: + "a""#) {
      $0.list = []
    } to: {
      $0.list = ["a"]
    },
    Case(#"table["a"]: + []"#) { $0.table["a"] = [] },
    Case(#"table["a"][1]: 2 → 3"#) {
      $0.table = ["a": [1, 2]]
    } to: {
      $0.table = ["a": [1, 3]]
    },
  ]

  @Test(arguments: cases)
  func `each change is a line`(pair: Case) {
    #expect(StateDiff(from: pair.before, to: pair.after).description == pair.expected)
  }

  // MARK: Objects

  final class Node {
    var name: String
    var next: Node?
    init(_ name: String) { self.name = name }
  }

  final class Leaf {
    var names: [String] = []
  }

  @Test func `objects are compared by their parts, and not at all with themselves`() {
    let (left, right) = (Node("left"), Node("right"))
    #expect(StateDiff(from: left, to: left).isEmpty)
    #expect(StateDiff(from: left, to: right).description == #"name: "left" → "right""#)
    right.next = Node("next")
    #expect(
      StateDiff(from: left, to: right).description
        == "name: \"left\" → \"right\"\nnext: nil → Node(name: \"next\", next: nil)"
    )
  }

  @Test func `a comparison of cyclic graphs ends`() {
    let (left, right) = (Node("left"), Node("right"))
    (left.next, right.next) = (left, right)
    defer { (left.next, right.next) = (nil, nil) }
    #expect(StateDiff(from: left, to: right).description == #"name: "left" → "right""#)
    #expect(StateDiff(from: [left], to: []).description == #"[0]: - Node(name: "left", next: Node(…))"#)
  }

  class Animal {
    var name = "a"
  }

  final class Bird: Animal {
    var span = 1
  }

  @Test func `objects are also compared by the parts of their superclasses`() {
    let (left, right) = (Bird(), Bird())
    right.name = "b"
    right.span = 2
    #expect(StateDiff(from: left, to: right).description == "name: \"a\" → \"b\"\nspan: 1 → 2")
    #expect(StateDiff(from: [], to: [left]).description == "[0]: + Bird(name: \"a\", span: 1)")
  }

  final class Parent {
    var children: [Parent] = []
    var name = "a"
  }

  @Test func `a comparison of cycles through collections ends`() {
    let (left, right) = (Parent(), Parent())
    defer {
      for parent in left.children + right.children { parent.children = [] }
    }
    left.children = [left, Parent(), left]
    right.children = [right, Parent(), right]
    #expect(StateDiff(from: left, to: right).isEmpty)
    right.children[1].name = "b"
    right.children[1].children = [right]
    #expect(
      StateDiff(from: left, to: right).description
        == "children[1].children[0]: + Parent(children: [Parent(…), Parent(children: [Parent(…)], name: \"b\"), "
        + "Parent(…)], name: \"a\")\nchildren[1].name: \"a\" → \"b\""
    )
  }

  // MARK: Limits

  @Test func `no more changes are listed than requested`() {
    let diff = StateDiff(from: Array(0..<10), to: Array(1...10).reversed(), limits: StateDiffLimits(changes: 2))
    #expect(diff.description == "[0]: 0 → 10\n[1]: 1 → 9\n…")
    #expect(diff.isTruncated)
  }

  @Test func `changes of one element beyond the limit are mentioned`() {
    let (before, after) = (State(), [Counter(count: 2, step: 2)])
    let diff = StateDiff(
      from: (before.ratio, [Counter()]),
      to: (0.7, after),
      limits: StateDiffLimits(changes: 2)
    )
    #expect(diff.description == "0: 0.5 → 0.7\n1[0].count: 1 → 2\n…")
    #expect(diff.isTruncated)
  }

  @Test func `parts that are too deep are compared by their text, and long texts are cut`() {
    let diff = StateDiff(from: [[[1]]], to: [[[2]]], limits: StateDiffLimits(depth: 2))
    #expect(diff.description == "[0][0]: [1] → [2]")
    let text = String(repeating: "a", count: 1000)
    let cut = StateDiff(from: "", to: text, limits: StateDiffLimits(characters: 5))
    #expect(cut.description == #""" → "aaa…"#)
  }

  @Test func `one change among 100,000 elements is found`() {
    let before = Array(0..<100_000)
    var after = before
    after[70_000] = -1
    #expect(StateDiff(from: before, to: after).description == "[70000]: 70000 → -1")
  }

  @Test func `parts that cannot be compared are shown by their text`() {
    #expect(StateDiff(from: { 1 }, to: { 2 }).isEmpty)
    #expect(StateDiff(from: Int.self as Any.Type, to: String.self as Any.Type).description == "Int → String")
    #expect(StateDiff(from: (), to: ()).isEmpty)
  }

  @Test func `a case that describes itself is shown by its description`() {
    enum Level: CustomStringConvertible {
      case low, high
      var description: String { self == .low ? "Low level" : "High level" }
    }
    #expect(StateDiff(from: Level.low, to: Level.high).description == "Low level → High level")
  }

  @Test func `a difference is encoded and decoded`() throws {
    let diff = StateDiff(from: Counter(), to: Counter(count: 2, step: 1))
    #expect(try JSONDecoder().decode(StateDiff.self, from: JSONEncoder().encode(diff)) == diff)
  }

  @Test func `equal unordered collections have one text`() {
    let (left, right) = (Set((0..<50).map { "\($0)" }), Set((0..<50).reversed().map { "\($0)" }))
    let texts = [left, right].map {
      StateDiff(from: [], to: [$0], limits: StateDiffLimits(characters: 500)).description
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].hasPrefix(#"[0]: + ["0", "1", "10", "#))
  }
}
