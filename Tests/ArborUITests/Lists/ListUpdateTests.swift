import Arbor
import ArborEntities
import ArborUI
import Synchronization
import TestSupport
import Testing

@Suite("The update of a list")
struct ListUpdateTests {
  @Test func `equal lists have no update`() {
    #expect(ListUpdate(from: [1, 2], to: [1, 2]).isEmpty)
    #expect(ListUpdate<Int>(from: [], to: []).isEmpty)
    #expect(ListUpdate(from: [1, 2], to: [1, 2], changed: [3]).isEmpty)
  }

  @Test func `an update of one kind of change is not empty`() {
    #expect(!ListUpdate(from: [1, 2], to: [2, 1]).isEmpty)
    #expect(!ListUpdate(from: [1, 2], to: [1]).isEmpty)
    #expect(!ListUpdate(from: [1], to: [1, 2]).isEmpty)
    #expect(!ListUpdate(from: [1, 2], to: [1, 2], changed: [2]).isEmpty)
  }

  @Test func `items are deleted, inserted and moved`() {
    let update = ListUpdate(from: ["a", "b", "c", "d"], to: ["d", "a", "x", "c"])
    #expect(update.deletes == [1])
    #expect(update.inserts == [2])
    #expect(update.moves.map(\.id) == ["d"])
    #expect(update.moves.map(\.old) == [3])
    #expect(update.moves.map(\.new) == [0])
    #expect(update.reloads.isEmpty)
  }

  @Test func `a changed item is reloaded at both of its offsets, even if it moves`() {
    let update = ListUpdate(from: [1, 2, 3, 4], to: [0, 1, 4, 2, 3], changed: [0, 1, 4, 3, 9])
    #expect(update.moves.map(\.id) == [4])
    #expect(update.reloads.map(\.id) == [1, 4, 3])
    #expect(update.reloads.map(\.old) == [0, 3, 2])
    #expect(update.reloads.map(\.new) == [1, 2, 4])
  }

  @Test func `applying an update to a list that is too short stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var views = ["one"]
      ListUpdate(from: [1, 2, 3], to: [1, 2]).apply(to: &views) { _ in "" }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Arbor: An update was applied to a list that is shorter"))
  }

  @Test func `applying an update to views of the items requests the inserted ones`() {
    var views = ["one", "two", "three"]
    let update = ListUpdate(from: [1, 2, 3], to: [3, 5, 1, 6])
    update.apply(to: &views) { "new at \($0)" }
    #expect(views == ["three", "new at 1", "one", "new at 3"])
  }

  @Test func `updates turn random lists into each other`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<3000 {
      let limit = Int.random(in: 0...12, using: &random)
      func list() -> [Int] {
        (0..<limit).shuffled(using: &random).dropLast(Int.random(in: 0...12, using: &random))
      }
      let (old, new) = (list(), list())
      let changed = Set((0..<limit).filter { _ in random.once(in: 3) })
      ListUpdate(from: old, to: new, changed: Array(changed)).expect(from: old, to: new, changed: changed)
    }
  }

  @Test func `updates turn lists with duplicate ids into each other`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<3000 {
      func list() -> [Int] {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) }
      }
      let (old, new) = (list(), list())
      ListUpdate(from: old, to: new).expect(from: old, to: new)
    }
    #expect(ListUpdate(from: [1, 1], to: [1, 1]).isEmpty)
  }

  @Test func `updates have the fewest possible moves`() {
    var random = SplitMix64(seed: 13)
    for _ in 0..<600 {
      let old = Array(0..<Int.random(in: 0...9, using: &random))
      let new = (old.filter { _ in !random.once(in: 6) } + [100, 101]).shuffled(using: &random)
      let update = ListUpdate(from: old, to: new)
      let stayed = new.filter(old.contains)
      #expect(update.moves.count == stayed.count - longestRun(of: stayed), "\(old) to \(new)")
    }
  }

  @Test func `equal lists are only compared`() {
    let hashes = Hashes()
    let ids = (0..<100).map { CountedID(number: $0, hashes: hashes) }
    #expect(ListUpdate(from: ids, to: ids).isEmpty)
    #expect(ListUpdate(from: ids, to: ids.dropLast()).deletes == [99])
    #expect(ListUpdate(from: ids.dropFirst(), to: ids).inserts == [0])
    #expect(hashes.count.load(ordering: .relaxed) <= 4)
  }

  /// The length of a longest increasing run, found by trying all of them.
  private func longestRun(of numbers: [Int]) -> Int {
    (0..<1 << numbers.count).lazy.filter { choice in
      let chosen = numbers.indices.filter { choice >> $0 & 1 == 1 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy(<)
    }.map(\.nonzeroBitCount).max()!
  }
}

/// Counts how often ids were hashed.
private final class Hashes: Sendable {
  let count = Atomic(0)
}

private struct CountedID: Hashable {
  let number: Int
  let hashes: Hashes

  static func == (left: CountedID, right: CountedID) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) {
    hashes.count.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}
