import ArborDiff
import Testing

@Suite("StateLayout")
struct StateLayoutTests {
  private struct Small {
    var flag = false
    var number: Int32 = 1
    var byte: UInt8 = 2
    var text = "a text that is kept elsewhere"
  }

  private enum Choice {
    case none
    case some(Int, String)
  }

  private struct Large {
    var first = Small()
    var optional: Int?
    var optionals: [String?] = [nil, "a"]
    var pair = (flag: true, number: 3)
    var choice = Choice.some(1, "a")
    var last = Small()
    var tags: Set<Int> = [1]
    var prices = ["tea": 3]
  }

  /// Returns `true` if the layout and the whole comparison agree.
  private func agrees<State>(_ left: State, _ right: State) -> Bool {
    let difference = StateDiff(from: left, to: right)
    return StateLayout(of: left).differs(left, right) == !difference.isEmpty
  }

  private static let changes: [@Sendable (inout Large) -> Void] = [
    { _ in },
    { $0.first.flag = true },
    { $0.first.number = 9 },
    { $0.first.byte = 9 },
    { $0.first.text = "another text that is kept elsewhere" },
    { $0.optional = 0 },
    { $0.optionals[0] = "b" },
    { $0.optionals.append(nil) },
    { $0.pair.number = 4 },
    { $0.choice = .none },
    { $0.choice = .some(1, "b") },
    { $0.last.byte = 3 },
    { $0.tags.insert(2) },
    { $0.prices["tea"] = 4 },
    // The same content in another place in memory.
    { $0.optionals = ["a"].map { $0 } + [nil] },
    { $0.optionals = [nil] + ["a"].map { $0 } },
    { $0.first.text = ["a text", "that is kept elsewhere"].joined(separator: " ") },
    { $0.prices = Dictionary(uniqueKeysWithValues: [("tea", 3)]) },
  ]

  @Test(arguments: changes.indices)
  func `a layout finds the same differences as the whole comparison`(index: Int) {
    let before = Large()
    var after = Large()
    Self.changes[index](&after)
    #expect(agrees(before, after))
    #expect(agrees(after, before))
  }

  @Test func `a value that isn't a struct is one part`() {
    #expect(agrees(1, 2))
    #expect(agrees("a", "b"))
    #expect(agrees([1, 2], [1, 2].map { $0 }))
    #expect(agrees([1, 2], [1, 3]))
    #expect(agrees(Choice.none, .some(1, "a")))
    #expect(agrees(Choice.some(1, "a"), .some(1, "a")))
    #expect(agrees(Int?.none, 1))
    #expect(agrees((1, "a"), (1, "b")))
  }

  @Test func `a value with a custom mirror is one part`() {
    struct Hidden: CustomReflectable {
      var shown = 1
      var hidden = "a"
      var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
    }
    #expect(agrees(Hidden(), Hidden(hidden: "b")))
    #expect(agrees(Hidden(), Hidden(shown: 2)))
  }

  @Test func `objects are compared by their parts`() {
    final class Box {
      let value: Int
      init(_ value: Int) { self.value = value }
    }
    struct Holder {
      var box = Box(1)
    }
    #expect(agrees(Holder(), Holder()))
    #expect(agrees(Holder(), Holder(box: Box(2))))
  }
}
