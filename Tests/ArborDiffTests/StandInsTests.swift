import Arbor
import ArborDiff
import Testing

@Suite("StandIns")
struct StandInsTests {
  private final class Token: Sendable {}

  private struct Shelf {
    @Stamped var books = ["a", "b"]
    var name = "shelf"
    var token: Token?
    var deep: [Int: [Stamped<Int>]] = [1: [Stamped(wrappedValue: 1)]]
  }

  @Test func `stamps that show equal values are all that differs`() {
    #expect(StandIns.areAllThatDiffers(Shelf(), Shelf()))
    #expect(StandIns.areAllThatDiffers(Stamped(wrappedValue: 1), Stamped(wrappedValue: 1)))
  }

  @Test func `stamps that show others are not`() {
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(books: ["a", "c"])))
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(books: ["a"])))
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(deep: [1: [Stamped(wrappedValue: 2)]])))
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(deep: [2: [Stamped(wrappedValue: 1)]])))
    #expect(!StandIns.areAllThatDiffers(Stamped(wrappedValue: 1), Stamped(wrappedValue: 2)))
    let long = String(repeating: "long ", count: 100)
    #expect(!StandIns.areAllThatDiffers(Stamped(wrappedValue: long + "a"), Stamped(wrappedValue: long + "b")))
  }

  @Test func `they hide nothing that differs beside them`() {
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(name: "other")))
    #expect(!StandIns.areAllThatDiffers(Shelf(token: Token()), Shelf(token: Token())))
    let token = Token()
    #expect(StandIns.areAllThatDiffers(Shelf(token: token), Shelf(token: token)))
  }

  @Test func `where there is none, equality decides`() {
    #expect(!StandIns.areAllThatDiffers(Double.nan, Double.nan))
    #expect(!StandIns.areAllThatDiffers(["a"], ["b"]))
    #expect(StandIns.areAllThatDiffers(["a"], ["a"]))
    #expect(!StandIns.areAllThatDiffers(1 as Any, "1" as Any))
  }

  @Test func `what is too deep counts as different`() {
    var limits = StateDiffLimits()
    limits.depth = 2
    #expect(!StandIns.areAllThatDiffers(Shelf(), Shelf(), limits: limits))
  }
}
