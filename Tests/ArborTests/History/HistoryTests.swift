import Arbor
import Foundation
import TestSupport
import Testing

@Suite("History")
struct HistoryTests {
  private func makeHistory(limit: Int = 100, _ changes: Int = 0) -> History<[Int]> {
    var history = History([0], limit: limit)
    for change in 0..<changes {
      history.document.append(change + 1)
      history.record()
    }
    return history
  }

  @Test func `a new history has nothing to undo or redo`() {
    var history = makeHistory()
    #expect(!history.canUndo)
    #expect(!history.canRedo)
    let answers = [history.undo(), history.redo()]
    #expect(answers == [false, false])
    #expect(history.document == [0])
  }

  @Test func `each recorded change is undone separately, and redone in order`() {
    var history = makeHistory(3)
    history.undo()
    #expect(history.document == [0, 1, 2])
    history.undo()
    history.undo()
    #expect(!history.canUndo)
    #expect(history.document == [0])
    history.redo()
    #expect(history.document == [0, 1])
    history.redo()
    history.redo()
    #expect(!history.canRedo)
    #expect(history.document == [0, 1, 2, 3])
  }

  @Test func `changes between two records are one change`() {
    var history = makeHistory()
    history.document.append(1)
    history.document.append(2)
    history.record()
    history.undo()
    #expect(history.document == [0])
    #expect(!history.canUndo)
  }

  @Test func `a change that leaves the document equal does not count, and keeps the redo`() {
    var history = makeHistory(1)
    history.undo()
    history.document.append(1)
    history.document.removeLast()
    history.record()
    #expect(!history.canUndo)
    #expect(history.canRedo)
  }

  @Test func `a new change forgets what was undone`() {
    var history = makeHistory(2)
    history.undo()
    history.document.append(9)
    #expect(!history.canRedo)
    let isRedone = history.redo()
    #expect(!isRedone)
    history.record()
    #expect(!history.canRedo)
    history.undo()
    #expect(history.document == [0, 1])
  }

  @Test func `an unrecorded change is undone and redone as one`() {
    var history = makeHistory(1)
    history.document.append(9)
    #expect(history.canUndo)
    history.undo()
    #expect(history.document == [0, 1])
    history.redo()
    #expect(history.document == [0, 1, 9])
  }

  @Test func `consecutive changes of a group are undone at once`() {
    var history = makeHistory()
    for number in 1...3 {
      history.document.append(number)
      history.record(group: "typing")
    }
    history.document.append(4)
    history.record()
    #expect(history.undoGroup == nil)
    history.undo()
    #expect(history.document == [0, 1, 2, 3])
    #expect(history.undoGroup == "typing")
    history.undo()
    #expect(history.document == [0])
    #expect(history.redoGroup == "typing")
    history.redo()
    #expect(history.document == [0, 1, 2, 3])
  }

  @Test func `another group, or none in between, begins a new change`() {
    var history = makeHistory()
    for (number, group) in ["a", "b", "b", "a"].enumerated() {
      history.document.append(number)
      history.record(group: group)
    }
    var lengths: [Int] = []
    while history.undo() { lengths.append(history.document.count) }
    #expect(lengths == [4, 2, 1])
  }

  @Test func `a group begins again after an undo`() {
    var history = makeHistory()
    for number in 1...3 {
      history.document.append(number)
      history.record(group: "typing")
      if number == 2 {
        history.undo()
        history.redo()
      }
    }
    history.undo()
    #expect(history.document == [0, 1, 2])
  }

  @Test func `a group passed without a change is ignored`() {
    var history = makeHistory()
    history.document.append(1)
    history.record(group: "typing")
    history.record(group: "typing")
    history.document.append(2)
    history.record()
    history.undo()
    #expect(history.document == [0, 1])
  }

  @Test(arguments: [-1, 0, 1, 3])
  func `the limit forgets the oldest changes`(limit: Int) {
    var history = makeHistory(limit: limit, 5)
    var undone = 0
    while history.undo() { undone += 1 }
    #expect(undone == max(limit, 0))
    #expect(history.document.count == 6 - undone)
    while history.redo() {}
    #expect(history.document == [0, 1, 2, 3, 4, 5])
  }

  @Test func `with no room for changes there is nothing to undo, and undo does nothing`() {
    var history = History("a", limit: 0)
    history.document = "b"
    #expect(!history.canUndo)
    let isUndone = history.undo()
    #expect(!isUndone)
    #expect(history.document == "b")
  }

  @Test func `a group that ends where it began adds no change`() {
    var history = History("a")
    for text in ["ab", "a"] {
      history.document = text
      history.record(group: "typing")
    }
    #expect(!history.canUndo)
    history.document = "b"
    history.record(group: "typing")
    let isUndone = history.undo()
    #expect(isUndone)
    #expect(history.document == "a")
    #expect(!history.canUndo)
  }

  @Test func `a group that has returned to its start cannot be undone even before it is recorded`() {
    var history = History("a")
    history.beginGroup("typing")
    history.document = "ab"
    history.record()
    history.document = "a"
    #expect(!history.canUndo)
    let isUndone = history.undo()
    #expect(!isUndone)
    #expect(history.document == "a")
  }

  @Test func `redo does nothing when there is nothing to redo`() {
    var history = History("a")
    history.document = "b"
    history.record()
    history.undo()
    history.document = "c"
    let before = history
    let isRedone = history.redo()
    #expect(!isRedone)
    #expect(history == before)
    history.document = "a"
    #expect(history.canRedo)
    // The group is not forgotten either.
    var typed = History("a")
    for text in ["ab", "abc"] {
      typed.redo()
      typed.document = text
      typed.record(group: "typing")
    }
    typed.undo()
    #expect(typed.document == "a")
  }

  @Test func `undoGroup and redoGroup are the groups of the next changes to undo and redo`() {
    var history = History("0")
    for (text, group) in [("a", "first"), ("ab", "second")] {
      history.document = text
      history.record(group: group)
    }
    #expect(history.undoGroup == "second")
    history.document = "a"
    #expect(history.undoGroup == nil)
    history.document = "ab"
    history.undo()
    #expect(history.document == "a")
    #expect(history.undoGroup == "first")
    #expect(history.redoGroup == "second")
    var short = History("0", limit: 0)
    short.document = "1"
    #expect(!short.canUndo)
    #expect(short.undoGroup == nil)
  }

  @Test func `histories are not equal if one can be undone and the other cannot`() {
    var history = History("a")
    history.document = "b"
    var cleared = history
    cleared.clear()
    #expect(history.canUndo && !cleared.canUndo)
    #expect(history != cleared)
  }

  @Test func `a lower limit forgets changes immediately`() {
    var history = makeHistory(5)
    history.limit = 2
    while history.undo() {}
    #expect(history.document == [0, 1, 2, 3])
  }

  @Test(arguments: [0, 2])
  func `a redo at the limit forgets the oldest change too`(limit: Int) {
    var history = makeHistory(5)
    while history.undo() {}
    history.limit = limit
    while history.redo() {}
    #expect(history.document == [0, 1, 2, 3, 4, 5])
    var undone = 0
    while history.undo() { undone += 1 }
    #expect(undone == limit)
  }

  @Test func `a document that is not equal to itself has always changed`() {
    var history = History(Double.nan)
    history.record()
    #expect(history.canUndo)
    let isUndone = history.undo()
    #expect(isUndone && !history.canRedo)
  }

  @Test func `clearing forgets both directions and keeps the document`() {
    var history = makeHistory(3)
    history.undo()
    history.document.append(9)
    history.clear()
    #expect(!history.canUndo)
    #expect(!history.canRedo)
    #expect(history.document == [0, 1, 2, 9])
  }

  @Test func `histories are equal if their documents and changes are`() {
    var (left, right) = (makeHistory(2), makeHistory(2))
    #expect(left == right)
    left.undo()
    #expect(left != right)
    right.undo()
    #expect(left == right)
    left.clear()
    #expect(left != right)
  }

  @Test func `a history prints its document and the number of changes to undo and redo`() {
    var history = makeHistory(3)
    history.undo()
    let children = Mirror(reflecting: history).children
    #expect(children.map(\.label) == ["document", "undoable", "redoable"])
    #expect(children.map { "\($0.value)" } == ["[0, 1, 2]", "2", "1"])
  }

  @Test func `a recorded document shares unchanged parts`() {
    struct Document: Equatable, Sendable {
      var large = Array(0..<1000)
      var small = 0
    }
    var history = History(Document())
    let address = history.document.large.withUnsafeBufferPointer { $0.baseAddress }
    for _ in 0..<50 {
      history.document.small += 1
      history.record()
    }
    while history.undo() {
      #expect(history.document.large.withUnsafeBufferPointer { $0.baseAddress } == address)
    }
  }

  @Test func `all changes come back with a decoded history`() throws {
    var history = makeHistory(3)
    history.undo()
    var decoded = try JSONDecoder().decode(History<[Int]>.self, from: JSONEncoder().encode(history))
    #expect(decoded == history)
    decoded.redo()
    #expect(decoded.document == [0, 1, 2, 3])
    while decoded.undo() {}
    #expect(decoded.document == [0])
  }

  /// A history that keeps every document, and the position among them.
  private struct Model {
    var documents: [[Int]] = [[0]]
    var groups: [String?] = [nil]
    var position = 0
    var oldest = 0
    var openGroup: String?

    mutating func record(_ document: [Int], _ group: String?, limit: Int) {
      guard document != documents[position] else { return }
      documents.removeSubrange((position + 1)...)
      groups.removeSubrange((position + 1)...)
      if let group, group == openGroup, position > oldest {
        documents[position] = document
        return
      }
      documents.append(document)
      groups.append(group)
      position += 1
      oldest = max(oldest, position - limit)
      openGroup = group
    }
  }

  @Test(arguments: 0..<200)
  func `random changes are undone and redone as in a list of all documents`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let limit = Int.random(in: 0...6, using: &random)
    var history = makeHistory(limit: limit)
    var model = Model()
    for number in 1...200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let group = ["a", "b", nil].randomElement(using: &random)!
        history.document.append(number)
        history.record(group: group)
        model.record(model.documents[model.position] + [number], group, limit: limit)
      case 4..<7:
        let canUndo = model.position > model.oldest
        #expect(history.canUndo == canUndo)
        let isUndone = history.undo()
        #expect(isUndone == canUndo)
        if canUndo { model.position -= 1 }
        model.openGroup = canUndo ? nil : model.openGroup
      case 7..<9:
        let canRedo = model.position < model.documents.count - 1
        #expect(history.canRedo == canRedo)
        let isRedone = history.redo()
        #expect(isRedone == canRedo)
        if canRedo { model.position += 1 }
        model.openGroup = canRedo ? nil : model.openGroup
      default:
        history.record()
      }
      #expect(history.document == model.documents[model.position])
    }
  }
}
