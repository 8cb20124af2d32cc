import Arbor
import ArborDiff
import Testing

@Suite("Differences of hostile values")
struct HostileValueTests {
  private struct Folder: Sendable {
    var name = "a"
    var folders: [Folder] = []

    /// A folder in a folder in a folder.
    static func nested(_ depth: Int, innermost name: String) -> Folder {
      depth == 0 ? Folder(name: name) : Folder(folders: [Folder(), nested(depth - 1, innermost: name), Folder()])
    }
  }

  private indirect enum Shared {
    case leaf(Int)
    case both(Shared, Shared)

    /// A value that can be reached on two to the power of the depth paths.
    static func deep(_ depth: Int) -> Shared {
      (0..<depth).reduce(.leaf(1)) { shared, _ in .both(shared, shared) }
    }
  }

  private final class Linked {
    var others: [Linked] = []
    var name = "a"

    /// Makes a number of objects, each of which refers to all.
    static func graph(_ count: Int) -> [Linked] {
      let objects = (0..<count).map { _ in Linked() }
      for object in objects { object.others = objects }
      return objects
    }
  }

  private struct Endless: CustomReflectable {
    let style: Mirror.DisplayStyle
    let label: String
    let number: Int

    var customMirror: Mirror { Mirror(self, children: [(label, self)], displayStyle: style) }
  }

  private struct SaysTheSame: Hashable, CustomStringConvertible {
    let number: Int
    var description: String { "the same" }
  }

  @Test func `each pair of nested lists is read once, not three times per level`() {
    let (before, after) = (Folder.nested(9, innermost: "a"), Folder.nested(9, innermost: "b"))
    let diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 1000))
    let path = String(repeating: "folders[1].", count: 9)
    #expect(diff.description == "\(path)name: \"a\" → \"b\"")
    #expect(diff.omissions.isEmpty)
  }

  @Test func `a value reachable on too many paths is read as often as the limit allows`() {
    let diff = StateDiff(from: Shared.deep(30), to: Shared.deep(30), limits: StateDiffLimits(depth: 100, parts: 10_000))
    #expect(diff.isEmpty)
    #expect(1...30 ~= diff.omissions.count)
    #expect(diff.omissions.allSatisfy { $0.count == 1 || $0.count == 2 })
  }

  @Test func `objects that refer to each other through lists are read once each`() {
    let (before, after) = (Linked.graph(12), Linked.graph(12))
    let same = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 10_000))
    #expect(same.isEmpty && same.omissions.isEmpty)
    after[11].name = "b"
    let diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 100_000))
    #expect(diff.changes.contains { $0.description.hasSuffix("name: \"a\" → \"b\"") })
    for object in before + after { object.others = [] }
  }

  @Test(arguments: [Mirror.DisplayStyle.optional, .struct, .tuple, .enum, .collection])
  func `a mirror that shows the same value forever comes to an end`(style: Mirror.DisplayStyle) {
    for label in ["", "some", "part"] {
      let diff = StateDiff(
        from: Endless(style: style, label: label, number: 1),
        to: Endless(style: style, label: label, number: 2)
      )
      #expect(diff.changes.count <= 1)
    }
  }

  @Test func `stamped values differ if their content differs`() {
    struct Model {
      @Stamped var count = 5
      @Stamped var names = ["a"]
      @Stamped var name: String? = "a"
    }
    #expect(StateDiff(from: Model(), to: Model()).isEmpty)
    var changed = Model()
    changed.count = 6
    changed.names.append("b")
    #expect(StateDiff(from: Model(), to: changed).description == "count: 5 → 6\nnames[1]: + \"b\"")
  }

  @Test func `a value that is not equal to itself has not changed if its text is the same`() {
    let table: [Double: Int] = [.nan: 1, 2: 2]
    #expect(StateDiff(from: table, to: table).isEmpty)
    #expect(StateDiff(from: table, to: [.nan: 3, 2: 2]).description == "[nan]: 1 → 3")
    #expect(StateDiff(from: table, to: [2: 2]).description == "[nan]: - 1")
    let set: Set<Double> = [.nan, 1]
    #expect(StateDiff(from: set, to: set).isEmpty)
    #expect(StateDiff(from: set, to: [1]).description == "- nan")
  }

  @Test func `a key that is not equal to itself is found when it is added`() {
    let table: [Double: Int] = [.nan: 1, 2: 2]
    #expect(StateDiff(from: [2: 2], to: table).description == "[nan]: + 1")
    #expect(StateDiff(from: [1] as Set<Double>, to: [.nan, 1]).description == "+ nan")
  }

  @Test func `keys with equal texts are in a fixed order, regardless of their hashes`() {
    let before = Dictionary(uniqueKeysWithValues: (0..<20).map { (SaysTheSame(number: $0), $0) })
    let diff = StateDiff(from: before, to: before.mapValues { $0 + 100 })
    let firsts = diff.changes.compactMap(\.before)
    #expect(firsts.count == 20)
    #expect(firsts == firsts.sorted())
  }

  @Test func `an optional with nil inside differs from nil`() {
    let (nothing, inner): (Int??, Int??) = (nil, .some(nil))
    #expect(StateDiff(from: nothing, to: inner).description == "nil → .some(nil)")
  }

  @Test func `a confidential value that is not fully compared is shown as changed, without its content`() {
    struct Secret: Confidential { var numbers: [Int] }
    let before = Secret(numbers: Array(0..<200_000))
    var after = before
    after.numbers[199_999] = -1
    let diff = StateDiff(from: before, to: after, limits: StateDiffLimits(parts: 1000))
    #expect(diff.description == "‹redacted› → another ‹redacted›")
  }

  @Test func `the text of a large set is found once for each element`() {
    let set = Set(0..<5000)
    let diff = StateDiff(from: Set<Int>?.none, to: set)
    #expect(diff.changes.count == 1)
    #expect(diff.changes[0].after?.count == 200)
  }
}
