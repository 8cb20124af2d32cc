import Arbor
import ArborDiff
import Testing

@Suite("The cost of a difference")
struct BoundedDiffTests {
  /// A value that counts how often it is read, compared or hashed.
  private struct Watched: Hashable, CustomReflectable {
    var number: Int
    let looks: Looks

    static func == (left: Watched, right: Watched) -> Bool {
      left.looks.add()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      looks.add()
      hasher.combine(number)
    }

    var customMirror: Mirror {
      looks.add()
      return Mirror(self, children: ["number": number])
    }
  }

  /// A value with padding bytes, which may have any bits.
  private struct Padded {
    var isFirst = false
    var watched: Watched
    var isLast = false
  }

  private let looks = Looks()

  /// The number of reads during a body.
  private func looks(during body: () -> Void) -> Int {
    let before = looks.count
    body()
    return looks.count - before
  }

  // MARK: Arrays

  @Test func `for arrays that share most elements only the others are read`() {
    let before = (0..<100_000).map { Watched(number: $0, looks: looks) }
    var after = before
    after[5].number = -5
    after[70_000].number = -7
    after.append(Watched(number: -1, looks: looks))
    let count = looks {
      #expect(
        StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 4000)).description == """
          [5].number: 5 → -5
          [70000].number: 70000 → -7
          [100000]: + Watched(number: -1)
          """
      )
    }
    #expect(count < 20)
    let none = looks { #expect(StateDiff(from: before, to: before).isEmpty) }
    #expect(none == 0)
  }

  @Test func `padding bytes between the parts of elements do not matter`() {
    let watched = (0..<10_000).map { Watched(number: $0, looks: looks) }
    let before = watched.map { Padded(watched: $0) }
    var after: [Padded] = []
    for (number, watched) in watched.enumerated() {
      after.append(Padded(isFirst: number == 9_000, watched: watched, isLast: number == 9_001))
    }
    let count = looks {
      #expect(
        StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 1000)).description == """
          [9000].isFirst: false → true
          [9001].isLast: false → true
          """
      )
    }
    #expect(count < 20)
  }

  @Test func `existentials with the same bits may be different values`() {
    struct Celsius { var degrees = 1 }
    struct Kelvin { var degrees = 1 }
    let before: [Any] = [Celsius(), Celsius()]
    let after: [Any] = [Celsius(), Kelvin()]
    #expect(StateDiff(from: before, to: after).description == "[1]: Celsius(degrees: 1) → Kelvin(degrees: 1)")
  }

  @Test func `of new elements, as many are read as the limit allows, and the rest is mentioned`() {
    let (before, after) = (Looks(), Looks())
    let diff = StateDiff(
      from: (0..<10_000).map { Watched(number: $0, looks: before) },
      to: (0...10_000).map { Watched(number: $0, looks: after) },
      limits: StateDiffLimits(parts: 1000)
    )
    #expect(before.count + after.count < 2500)
    #expect(diff.changes.map(\.path) == ["[10000]"])
    #expect(diff.omissions.map(\.path) == [""])
    #expect(9_000...9_900 ~= diff.omissions.compactMap(\.count).reduce(0, +))
  }

  @Test func `a change after more elements than are read is mentioned`() {
    let before = Array(0..<200_000)
    let after = before + [-1]
    let diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 1000))
    #expect(diff.changes.map(\.description) == ["[200000]: + -1"])
    #expect(diff.remarks == ["… \(200_000 - 63_936) more not compared"])
    #expect(StateDiff(from: before, to: after).description == "[200000]: + -1")
  }

  @Test func `collections that only their mirrors show are limited too`() {
    let before = ContiguousArray((0..<10_000).map { Watched(number: $0, looks: looks) })
    var after = before
    after[9_999].number = -1
    #expect(StateDiff(from: before, to: after).description == "[9999].number: 9999 → -1")
    var diff: StateDiff?
    let count = looks { diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 100)) }
    #expect(diff?.description == "… more not compared")
    #expect(count < 10)
  }

  @Test func `a single element after the elements that are read is mentioned`() {
    let before = ContiguousArray(0..<8)
    var after = before
    after[7] = -1
    let diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 2))
    #expect(diff.description == "… more not compared")
  }

  @Test func `elements of any type work, with any content in unused memory`() {
    func elements<Element>(_ unused: Int, last: Int, _ make: (Watched) -> Element) -> [Element] {
      var elements = (0..<10_000).map { make(Watched(number: $0 < 9_999 ? $0 : last, looks: looks)) }
      elements.withUnsafeMutableBytes { memory in
        for index in 0..<10_000 {
          memory.storeBytes(of: unused, toByteOffset: index * MemoryLayout<Element>.stride + 16, as: Int.self)
        }
      }
      return elements
    }
    func expectFewLooks<Element>(_ make: (Watched) -> Element) {
      let (before, after) = (elements(1, last: 9_999, make), elements(2, last: -1, make))
      var diff: StateDiff?
      let count = looks { diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 1000)) }
      #expect(diff?.description == "[9999].number: 9999 → -1")
      #expect(count < 10)
    }
    expectFewLooks { $0 as Any }
    expectFewLooks { $0 as any Sendable }
  }

  // MARK: Dictionaries and sets

  @Test func `of a dictionary, as many keys are looked up as the limit allows, and the rest is mentioned`() throws {
    let before = Dictionary(uniqueKeysWithValues: (0..<10_000).map { (Watched(number: $0, looks: looks), $0) })
    let after = before.mapValues { $0 == 5 ? -5 : $0 }
    #expect(StateDiff(from: before, to: after).description == "[Watched(number: 5)]: 5 → -5")
    var diff: StateDiff?
    let count = looks { diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 100)) }
    let omission = try #require(diff?.omissions.last)
    #expect(omission.path.isEmpty)
    #expect(try 9_500...9_700 ~= #require(omission.count))
    #expect(count < 1500)
  }

  @Test func `the number of keys that are not looked up is exact`() {
    let before = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
    let diff = StateDiff(from: before, to: before.mapValues { $0 }, limits: StateDiffLimits(parts: 100))
    // Of 100 times 8, the value itself has cost 9, and half of the rest is for what differs.
    #expect(diff.remarks == ["… \(10_000 - 395) more not compared"])
  }

  @Test func `a set is limited too`() throws {
    let before = Set((0..<10_000).map { Watched(number: $0, looks: looks) })
    var after = before
    after.remove(Watched(number: 7, looks: looks))
    after.insert(Watched(number: -7, looks: looks))
    #expect(StateDiff(from: before, to: after).description == "- Watched(number: 7)\n+ Watched(number: -7)")
    var diff: StateDiff?
    let count = looks { diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 100)) }
    #expect(try #require(diff?.omissions.last?.count) > 9_000)
    #expect(count < 2500)
  }

  @Test func `new values are read as often as the limit allows`() {
    let before = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, Watched(number: $0, looks: Looks())) })
    let after = before.mapValues { Watched(number: $0.number, looks: looks) }
    var diff: StateDiff?
    let count = looks { diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 500)) }
    #expect(count < 600)
    #expect(diff?.omissions.isEmpty == false)
  }

  // MARK: Orders

  /// A dictionary that keeps its order.
  private struct Ordered: Equatable, CustomReflectable {
    var pairs: [(key: String, value: Int)]

    static func == (left: Ordered, right: Ordered) -> Bool { left.pairs.elementsEqual(right.pairs, by: ==) }

    var customMirror: Mirror { Mirror(self, unlabeledChildren: pairs, displayStyle: .dictionary) }
  }

  @Test func `the order of a dictionary that keeps it is compared too`() {
    let before = Ordered(pairs: [("a", 1), ("b", 2), ("c", 3), ("d", 4)])
    let after = Ordered(pairs: [("a", 1), ("c", 3), ("b", 9), ("e", 5), ("d", 4)])
    #expect(
      StateDiff(from: before, to: after).description == """
        ["b"]: 2 → 9
        ["e"]: + 5
        order: ["b", "c"] → ["c", "b"]
        """
    )
  }

  // MARK: Texts

  @Test func `the text of a large collection takes no more time than its room allows`() {
    let array = (0..<100_000).map { Watched(number: $0, looks: looks) }
    let table = Dictionary(uniqueKeysWithValues: array.map { ($0, 1) })
    let limits = StateDiffLimits(parts: 1000)
    var texts: [String] = []
    let count = looks { texts = [ValueText.of(array, limits: limits), ValueText.of(table, limits: limits)] }
    #expect(texts[0].hasPrefix("[Watched(number: 0), Watched(number: 1), ") && texts[0].hasSuffix("…"))
    #expect(texts[1] == "[100000 entries]")
    #expect(count < 30)
  }

  @Test(arguments: -1...40)
  func `a difference with any limit ends, even if a single part exceeds it`(parts: Int) {
    let limits = StateDiffLimits(parts: parts)
    for size in [1, 2, 9, 100] {
      let before = ContiguousArray(0..<size)
      let difference = StateDiff(from: before, to: ContiguousArray(before.map { $0 + 1 }), limits: limits)
      #expect(difference.changes.count <= max(parts, 0) + 1)
      #expect(!difference.changes.isEmpty || !difference.remarks.isEmpty)
    }
  }
}
