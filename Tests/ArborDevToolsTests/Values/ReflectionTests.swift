import Arbor
import ArborDevTools
import ArborEntities
import Foundation
import Synchronization
import Testing

@Suite("Values that are reflected")
struct ReflectionTests {
  private func text(_ value: Any, limits: RecordedValueLimits = RecordedValueLimits()) -> String {
    JSONText(of: RecordedValue(reflecting: value, limits: limits)).text
  }

  @Test func `all parts of a value are shown without Codable`() {
    struct Part {
      var number = 1
      var ratio = Float(0.5)
      var letter: Character = "x"
      var nothing: Int?
      var some: Int? = 2
      var some2: Int?? = .some(nil)
      var big = UInt64.max
      var nan = Double.nan
    }
    enum Choice {
      case empty
      case one(Int)
      case two(a: Int, b: [String])
    }
    struct State {
      var part = Part()
      var choices = [Choice.empty, .one(1), .two(a: 2, b: ["x"])]
      var tuple = (1, "two")
      var labelled = (a: 1, b: 2)
      var byKey = ["b": 1, "a": 2, "$arbor": 3]
      var byNumber = [10: "ten", 9: "nine"]
      var set: Set = [3, 1, 2]
      @Stamped var stamped = 5
      var url = URL(string: "https://example.com/")!
    }
    #expect(
      text(State()) == """
        {"part":{"number":1,"ratio":0.5,"letter":"x","nothing":null,"some":2,"some2":{"some":null},\
        "big":18446744073709551615,"nan":{"$arbor":"number","text":"nan"}},\
        "choices":[".empty",{"one":{"_0":1}},{"two":{"a":2,"b":["x"]}}],"tuple":[1,"two"],"labelled":{"a":1,"b":2},\
        "byKey":{"$$arbor":3,"a":2,"b":1},"byNumber":{"10":"ten","9":"nine"},"set":[1,2,3],"stamped":5,\
        "url":"https://example.com/"}
        """
    )
  }

  @Test func `an enum has the form of its synthesized Codable`() throws {
    let steps: [Sample.Step] = [.add(id: 1, 0.5), .both(.add(id: 2, 1), .add(id: 3, 1))]
    #expect(try RecordedValue(reflecting: steps) == RecordedValue(encoding: steps))
  }

  @Test func `a table's records are shown by their ids, in their order`() {
    struct Book: Identifiable {
      var id: Int
      var title: String
    }
    let table: EntityTable<Book> = [Book(id: 2, title: "b"), Book(id: 1, title: "a")]
    #expect(text(table) == #"{"2":{"id":2,"title":"b"},"1":{"id":1,"title":"a"}}"#)
  }

  @Test func `objects with locks or in cycles are shown or omitted`() {
    final class Node: Sendable {
      let lock = Mutex([1])
      let count = Atomic(2)
      let name = "n"
      nonisolated(unsafe) weak var weakSelf: Node?
      nonisolated(unsafe) var next: Node?
    }
    let node = Node()
    node.next = node
    defer { node.next = nil }
    node.weakSelf = node
    let shown = text(["k": node])
    #expect(shown.contains(#""name":"n""#))
    #expect(shown.contains(#""next":{"$arbor":"omitted","text":"an object inside itself"}"#))
  }

  @Test func `parts beyond the limits are omitted and marked`() {
    #expect(
      text([1, 2, 3, 4], limits: RecordedValueLimits(parts: 3))
        == #"[1,2,{"$arbor":"omitted","text":"2 more elements"}]"#)
    #expect(
      text("long", limits: RecordedValueLimits(bytes: 3)) == #"{"$arbor":"omitted","text":"a string of 4 bytes"}"#)
    #expect(
      text([[1]], limits: RecordedValueLimits(depth: 1)) == #"[[{"$arbor":"omitted","text":"deeper than 1 parts"}]]"#
    )
    #expect(text([1: 1, 2: 2], limits: RecordedValueLimits(parts: 2)) == #"{"$arbor":"omitted","text":"2 entries"}"#)
    let numbers = Array(repeating: Array(0..<100), count: 1000)
    #expect(text(numbers).utf8.count < 100_000)
    #expect(text(Nested(depth: 3000)).contains("deeper than 100 parts"))
  }

  @Test func `a thousand levels are shown if requested`() {
    let limits = RecordedValueLimits(depth: 1000)
    #expect(text(Nested(depth: 400), limits: limits).contains(#"{"next":{"_0":".end"}}"#))
    #expect(text(Nested(depth: 3000), limits: limits).contains("deeper than 1000 parts"))
  }
}
