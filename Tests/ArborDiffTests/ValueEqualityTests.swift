import Arbor
import ArborDiff
import Testing

@Suite("Equality of any values")
struct ValueEqualityTests {
  private final class Token: Sendable {}

  private struct Shelf: Sendable {
    @Stamped var books = ["a", "b"]
    var name = "shelf"
    var token: Token?
    var deep: [Int: [Stamped<Int>]] = [1: [Stamped(wrappedValue: 1)]]
    var range: (Int, Substring)? = (1, "a")
  }

  /// Returns `true` if two values are equal, ignoring stamps.
  private func areEqual(_ left: Any, _ right: Any) -> Bool {
    StampedContents.compared(by: ValueEquality.areEqual) { ValueEquality.areEqual(left, right) }
  }

  @Test func `values of a type without == are equal if all their parts are`() {
    #expect(areEqual(Shelf(), Shelf()))
    #expect(!areEqual(Shelf(), Shelf(name: "other")))
    #expect(!areEqual(Shelf(), Shelf(range: nil)))
    #expect(!areEqual(Shelf(), Shelf(range: (1, "b"))))
    #expect(!areEqual(Shelf(), Shelf(deep: [2: [Stamped(wrappedValue: 1)]])))
    #expect(!areEqual(Shelf(), Shelf(deep: [:])))
  }

  @Test func `stamps are ignored only on request`() {
    #expect(areEqual(Stamped(wrappedValue: 1), Stamped(wrappedValue: 1)))
    #expect(!areEqual(Stamped(wrappedValue: 1), Stamped(wrappedValue: 2)))
    #expect(!areEqual(Shelf(), Shelf(books: ["a", "c"])))
    #expect(!areEqual(Shelf(), Shelf(deep: [1: [Stamped(wrappedValue: 2)]])))
    #expect(!ValueEquality.areEqual(Stamped(wrappedValue: 1), Stamped(wrappedValue: 1)))
    #expect(Stamped(wrappedValue: 1) != Stamped(wrappedValue: 1))
  }

  @Test func `objects without == are equal only to themselves`() {
    let token = Token()
    #expect(areEqual(Shelf(token: token), Shelf(token: token)))
    #expect(!areEqual(Shelf(token: token), Shelf(token: Token())))
  }

  @Test func `only a value's == decides`() {
    struct Liar: Equatable {
      var name: String
      static func == (left: Liar, right: Liar) -> Bool { true }
    }
    #expect(areEqual(Liar(name: "a"), Liar(name: "b")))
    #expect(!areEqual(Double.nan, Double.nan))
    #expect(!areEqual([Double.nan], [Double.nan]))
    #expect(!areEqual(["a"], ["b"]))
    #expect(areEqual(["a"], ["a"]))
    #expect(!areEqual(1, "1"))
    let (inner, outer): (Int??, Int??) = (.some(nil), nil)
    #expect(areEqual(inner as Any, inner as Any))
    #expect(!areEqual(inner as Any, outer as Any))
  }

  @Test func `a custom mirror of a type is ignored`() {
    struct Hidden: CustomReflectable {
      var text = "a"
      var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
    }
    #expect(areEqual(Hidden(), Hidden()), "the same to the bit")
    #expect(!areEqual(Hidden(), Hidden(text: "b")))
    #expect(!areEqual([Hidden()], [Hidden(text: "b")]))
  }

  @Test func `dictionaries of values without == are equal if their entries are`() {
    struct Point { var place: (x: Int, y: Int) }
    let points = [1: Point(place: (1, 2)), 2: Point(place: (3, 4))]
    #expect(areEqual(points, points.mapValues { Point(place: $0.place) }))
    #expect(!areEqual(points, points.mapValues { Point(place: ($0.place.x, 0)) }))
    #expect(!areEqual(points, [1: Point(place: (1, 2))]))
    #expect(!areEqual(points, [1: Point(place: (1, 2)), 3: Point(place: (3, 4))]))
  }

  @Test func `cases without payloads are distinguished, even next to payloads without ==`() {
    enum Choice {
      case first
      case second
      case other(() -> Void)
      case pair(Int, Substring)
    }
    #expect(areEqual(Choice.first, Choice.first))
    #expect(!areEqual(Choice.first, Choice.second))
    #expect(!areEqual(Choice.first, Choice.other {}))
    #expect(areEqual(Choice.pair(1, "a"), Choice.pair(1, "a")))
    #expect(!areEqual(Choice.pair(1, "a"), Choice.pair(1, "b")))
  }

  @Test func `cases with the same payload are distinguished`() {
    struct Point { var place: (x: Int, y: Int) }
    enum Shape {
      case circle(Point)
      case square(Point)
    }
    let point = Point(place: (1, 2))
    #expect(areEqual(Shape.circle(point), Shape.circle(point)))
    #expect(!areEqual(Shape.circle(point), Shape.square(point)))
  }

  @Test func `values that are too deep count as unequal`() {
    indirect enum Chain {
      case end(() -> Void)
      case link(Chain)
    }
    func chain(_ length: Int) -> Chain { (0..<length).reduce(.end {}) { chain, _ in .link(chain) } }
    #expect(!areEqual(chain(1000), chain(1000)))
  }
}
