import ArborDevTools
import TestSupport
import Testing

@Suite("Changes of trees", .oneThread)
struct ChangeTests {
  @Test func `the changes of 10,000 random pairs turn one tree into the other`() throws {
    var random = SplitMix64(seed: 18)
    var shortened = 0
    for number in 0..<10_000 {
      let before = RecordedValue.object(random.object(depth: 4))
      var after = before
      if random.once(in: 8) {
        after = .object(random.object(depth: 4))
      } else {
        for _ in 0..<Int.random(in: 0..<4, using: &random) { random.change(&after) }
      }
      let changes = RecordingChange.changes(from: before, to: after)
      var made = before
      for change in changes { try change.apply(to: &made) }
      #expect(made == after, "pair \(number)")
      #expect(changes.isEmpty == (before == after), "pair \(number)")
      #expect(changes.allSatisfy { !$0.path.isEmpty })
      shortened += changes.count
    }
    #expect(shortened > 10_000)
  }

  private func changes(_ before: String, _ after: String) throws -> [RecordingChange] {
    try RecordingChange.changes(
      from: JSONReader.value(of: Array(before.utf8)),
      to: JSONReader.value(of: Array(after.utf8))
    )
  }

  @Test func `a change is as small as the difference`() throws {
    #expect(
      try changes(#"{"1":{"a":{"b":[1,2,3]},"c":4}}"#, #"{"1":{"a":{"b":[1,5,3]},"c":4}}"#)
        == [RecordingChange([.key("1"), .key("a"), .key("b"), .index(1)], .integer(5))]
    )
    #expect(
      try changes(#"{"1":[1,2,3,4]}"#, #"{"1":[1,2]}"#) == [
        RecordingChange([.key("1"), .index(3)], nil), RecordingChange([.key("1"), .index(2)], nil),
      ]
    )
    #expect(
      try changes(#"{"1":[]}"#, #"{"1":[1,null]}"#) == [
        RecordingChange([.key("1"), .index(0)], .integer(1)), RecordingChange([.key("1"), .index(1)], .null),
      ]
    )
    #expect(
      try changes(#"{"1":0,"2":0}"#, #"{"2":0,"3":{"a":1}}"#).map(\.path) == [[.key("1")], [.key("3")]]
    )
    #expect(try changes(#"{"1":{"a":1,"b":2}}"#, #"{"1":{"b":2,"a":1}}"#) == [])
    #expect(try changes(#"{"1":1}"#, #"{"1":1.0}"#).count == 1)
  }

  @Test func `a list that moved by one is written once, not element by element`() throws {
    let list = (0..<100).map { RecordedValue.integer($0) }
    let before = RecordedValue.object(RecordedObject([.init("1", .array(list))]))
    let after = RecordedValue.object(RecordedObject([.init("1", .array([.null] + list))]))
    #expect(RecordingChange.changes(from: before, to: after).map(\.path) == [[.key("1")]])
  }

  @Test func `an object that becomes a mark, or was one, changes as a whole`() throws {
    for (before, after) in [(#"{"a":1}"#, #"{"$arbor":"redacted"}"#), (#"{"$arbor":"redacted"}"#, #"{"a":1}"#)] {
      #expect(try changes(#"{"1":\#(before)}"#, #"{"1":\#(after)}"#).map(\.path) == [[.key("1")]])
    }
  }

  @Test func `a mark is a single value`() throws {
    let changes = try changes(#"{"1":{"$arbor":"omitted","text":"a"}}"#, #"{"1":{"$arbor":"omitted","text":"b"}}"#)
    #expect(changes.map(\.path) == [[.key("1")]])
  }

  @Test func `a change of a place that does not exist is refused, and the tree stays unchanged`() throws {
    let tree = try JSONReader.value(of: Array(#"{"a":[1,2]}"#.utf8))
    let wrong: [RecordingChange] = [
      RecordingChange([.key("b")], nil), RecordingChange([.key("a"), .index(0)], nil),
      RecordingChange([.key("a"), .index(3)], .null), RecordingChange([.key("a"), .key("x")], .null),
      RecordingChange([.index(0)], .null), RecordingChange([.key("b"), .key("c")], .null),
      RecordingChange([.key("a"), .index(-1)], .null), RecordingChange([], nil),
    ]
    for change in wrong {
      var changed = tree
      #expect(throws: RecordingChangeError(path: change.path)) { try change.apply(to: &changed) }
      #expect(changed == tree)
    }
  }
}

extension SplitMix64 {
  /// Returns a random object with few keys, so that two of them share many.
  mutating func object(depth: Int) -> RecordedObject {
    var object = RecordedObject()
    for _ in 0..<Int.random(in: 0..<5, using: &self) { object[key()] = value(depth: depth - 1) }
    return object
  }

  mutating func value(depth: Int) -> RecordedValue {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 8), using: &self) {
    case 0: .null
    case 1: .bool(once(in: 2))
    case 2: .integer(Int64.random(in: -3..<3, using: &self))
    case 3: .unsigned(.max)
    case 4: .double(Double(Int.random(in: -3..<3, using: &self)) / 2)
    case 5: .string(["", "a", "e\u{301}", "\u{E9}", "\u{2028}\"<"].randomElement(using: &self)!)
    case 6: .redacted
    case 7: .number("nan")
    case 8..<11: .object(object(depth: depth))
    default: .array((0..<Int.random(in: 0..<14, using: &self)).map { _ in value(depth: depth - 1) })
    }
  }

  fileprivate mutating func key() -> String {
    ["a", "b", "c", "$$arbor", "e\u{301}", "\u{E9}", "long key"].randomElement(using: &self)!
  }

  /// Changes a random part of a tree.
  mutating func change(_ value: inout RecordedValue) {
    switch value {
    case .object(var object):
      let key = object.members.randomElement(using: &self)?.key
      if let key, !once(in: 3), var inner = object[key] {
        change(&inner)
        object[key] = inner
      } else if let key, once(in: 2) {
        object[key] = nil
      } else {
        object[self.key()] = self.value(depth: 2)
      }
      value = .object(object)
    case .array(var array):
      switch Int.random(in: 0..<4, using: &self) {
      case 0 where !array.isEmpty: array.remove(at: Int.random(in: 0..<array.count, using: &self))
      case 1: array.insert(self.value(depth: 1), at: Int.random(in: 0...array.count, using: &self))
      default:
        guard !array.isEmpty else { return array.append(self.value(depth: 1)) }
        change(&array[Int.random(in: 0..<array.count, using: &self)])
      }
      value = .array(array)
    default: value = self.value(depth: 1)
    }
  }
}
