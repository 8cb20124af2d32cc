import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Changes of a history")
struct HistoryChangeTests {
  private struct Board: Equatable, Sendable {
    var title = ""
    var cards: [Int: String] = [:]
  }

  private func makeHistory(_ texts: String..., limit: Int = 100) -> History<String> {
    var history = History("", limit: limit)
    for text in texts {
      history.document = text
      history.record(group: text.uppercased())
      history.endGroup()
    }
    return history
  }

  // MARK: Groups

  @Test func `all changes between the beginning and the end of a group are undone together`() {
    var history = makeHistory("a")
    history.beginGroup("Move")
    for (text, group) in [("b", nil), ("c", "typing"), ("d", "Move")] as [(String, String?)] {
      history.document = text
      history.record(group: group)
    }
    history.endGroup()
    history.document = "e"
    history.record(group: "Move")
    #expect(history.changes.map(\.group) == ["A", "Move", "Move"])
    history.undo()
    #expect(history.document == "d")
    history.undo()
    #expect(history.document == "a")
  }

  @Test func `a group keeps the changes before it separate, and includes its last ones`() {
    var history = History("")
    history.document = "a"
    history.beginGroup("Move")
    history.document = "b"
    history.endGroup()
    #expect(history.changes.map(\.group) == [nil, "Move"])
    history.undo()
    #expect(history.document == "a")
  }

  @Test func `a change after the end of its group is undone separately`() {
    var history = History("")
    for text in ["a", "ab"] {
      history.document = text
      history.record(group: "typing")
      history.endGroup()
    }
    history.undo()
    #expect(history.document == "a")
  }

  @Test(
    arguments: [
      { $0.undo() },
      {
        $0.undo()
        $0.redo()
      },
      { $0.clear() },
    ] as [@Sendable (inout History<String>) -> Void])
  func `undo, redo and clear end a group`(end: @Sendable (inout History<String>) -> Void) {
    var history = makeHistory("a")
    history.beginGroup("Move")
    history.document = "b"
    history.record()
    end(&history)
    let shown = history.document
    for text in ["c", "d"] {
      history.document = text
      history.record()
    }
    history.undo()
    history.undo()
    #expect(history.document == shown)
  }

  @Test func `a batch whose first and last actions begin and end a group is undone as one`() {
    enum Action: Sendable {
      case began
      case ended
      case undo
      case wrote(String)
    }
    let executor = ManualExecutor()
    let factory = StoreFactory<History<String>, Action>(
      initialState: History(""),
      settings: TreeSettings(executor: executor),
      reducer: { history, action in
        switch action {
        case .began: history.beginGroup("Paste")
        case .ended: history.endGroup()
        case .undo: history.undo()
        case .wrote(let text):
          history.document += text
          history.record()
        }
      }
    )
    factory.dispatchAndWait(.wrote("a"))
    factory.dispatch(batch: [.began, .wrote("b"), .wrote("c"), .ended])
    factory.dispatchAndWait(.undo)
    #expect(factory.state.document == "a")
  }

  // MARK: Going

  @Test func `a history moves to any of its changes, and no further`() {
    var history = makeHistory("a", "b", "c", "d")
    #expect(history.position == 4)
    for (position, text) in [(1, "a"), (3, "c"), (0, ""), (0, ""), (4, "d")] {
      let isThere = history.go(to: position)
      #expect(isThere)
      #expect(history.position == position)
      #expect(history.document == text)
      #expect(history.changes.map(\.group) == ["A", "B", "C", "D"])
    }
    let before = history
    for position in [-1, 5, .max, .min] {
      let isThere = history.go(to: position)
      #expect(!isThere)
      #expect(history == before)
    }
  }

  @Test func `an unrecorded change counts as the last one`() {
    var history = makeHistory("a", "b")
    history.undo()
    history.document = "x"
    #expect(history.position == 2)
    #expect(history.changes.map(\.group) == ["A", nil])
    history.go(to: 1)
    #expect(history.document == "a")
    history.go(to: 2)
    #expect(history.document == "x")
  }

  // MARK: Amending

  @Test func `an amendment is in the document no matter what is undone and redone`() {
    var history = History([1: "draft"])
    for (id, text) in [(2, "b"), (3, "c")] {
      history.document[id] = text
      history.record()
    }
    history.undo()
    history.amend { $0[9] = $0.removeValue(forKey: 1) }
    #expect(history.document == [9: "draft", 2: "b"])
    #expect(history.position == 1 && history.canRedo)
    history.redo()
    #expect(history.document == [9: "draft", 2: "b", 3: "c"])
    history.undo()
    history.undo()
    #expect(history.document == [9: "draft"])
    #expect(!history.canUndo)
  }

  @Test func `an amendment keeps an unrecorded change, and keeps a group open`() {
    var history = History([String]())
    history.document.append("a")
    history.record(group: "typing")
    history.document.append("b")
    history.amend { $0.insert("id", at: 0) }
    history.record(group: "typing")
    #expect(history.document == ["id", "a", "b"])
    history.undo()
    #expect(history.document == ["id"])
  }

  @Test func `an amendment that throws changes nothing`() {
    struct Refusal: Error {}
    var history = makeHistory("a", "b")
    let before = history
    #expect(throws: Refusal.self) {
      try history.amend { text in
        if text == "a" { throw Refusal() }
        text += "!"
      }
    }
    #expect(history == before)
  }

  @Test func `a change that has no effect after an amendment is forgotten`() {
    var history = makeHistory("a", "ab", "abc", "abcd")
    history.undo()
    history.amend { $0 = String($0.prefix(1)) }
    #expect(history.document == "a")
    #expect(history.changes.map(\.group) == ["A"])
    #expect(!history.canRedo)
    history.undo()
    #expect(history.document == "")
  }

  @Test func `a feature amends by actions that do not come from the user`() {
    enum Action: Sendable {
      case added(String)
      case assigned(String, Int)
    }
    struct Item: Equatable, Sendable {
      var name: String
      var id: Int?
    }
    let list = Feature<[Item], Action> { items, action in
      switch action {
      case .added(let name): items.append(Item(name: name))
      case .assigned(let name, let id):
        for index in items.indices where items[index].name == name { items[index].id = id }
      }
    }
    let recording = list.withHistory(
      amending: { action in if case .assigned = action { true } else { false } }
    )
    let factory = StoreFactory(
      initialState: History([]),
      feature: recording,
      settings: TreeSettings(executor: ManualExecutor())
    )
    factory.dispatchAndWait(.added("a"))
    factory.dispatchAndWait(.added("b"))
    factory.dispatchAndWait(.assigned("a", 7))
    var history = factory.state
    #expect(history.document == [Item(name: "a", id: 7), Item(name: "b")])
    history.undo()
    #expect(history.document == [Item(name: "a", id: 7)])
    history.undo()
    history.redo()
    #expect(history.document == [Item(name: "a", id: 7)])
  }

  @Test func `a history keeps no more than its limit after it was lowered`() {
    var history = makeHistory("a", "ab", "abc", "abcd", limit: 10)
    history.go(to: 0)
    history.limit = 2
    for position in [3, 4] {
      let hasGone = history.go(to: position)
      #expect(!hasGone)
      #expect(history.position == 0)
      #expect(history.document == "")
    }
    history.go(to: 2)
    #expect(history.position == 2)
    #expect(history.document == "ab")
    history.redo()
    #expect(history.position == 2)
    #expect(history.document == "abc")
  }

  // MARK: Migrations

  @Test func `a mapped history has the same changes with mapped documents`() throws {
    var history = makeHistory("a", "ab", "abc", limit: 7)
    history.undo()
    history.document = "xy"
    let mapped = history.map { Array($0) }
    #expect(mapped.document == ["x", "y"])
    #expect(mapped.limit == 7)
    #expect(mapped.changes == history.changes)
    var (left, right) = (history, mapped)
    while left.undo() {
      right.undo()
      #expect(right.document == Array(left.document))
    }
    #expect(!right.canUndo)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try history.map { text throws(Refusal) -> Int in if text.isEmpty { throw Refusal() } else { 1 } }
    }
  }

  // MARK: Authors

  private func merge(_ board: inout Board, _ old: Board, _ new: Board) -> Bool {
    if old.title != new.title {
      guard board.title == old.title else { return false }
      board.title = new.title
    }
    for id in Set(old.cards.keys).union(new.cards.keys) where old.cards[id] != new.cards[id] {
      guard board.cards[id] == old.cards[id] else { return false }
      board.cards[id] = new.cards[id]
    }
    return true
  }

  private func makeBoard() -> History<Board> {
    var history = History(Board())
    for (author, id, text) in [("ann", 1, "a"), ("ben", 2, "b"), ("ann", 3, "c"), ("ben", 4, "d")] {
      history.document.cards[id] = text
      history.record(author: author)
    }
    return history
  }

  @Test func `an author undoes only their own changes, last first, and redoes them`() {
    var history = makeBoard()
    var seen: [[Int]] = []
    while history.canUndo(by: "ann") {
      history.undo(by: "ann", merging: merge)
      seen.append(history.document.cards.keys.sorted())
    }
    #expect(seen == [[1, 2, 4], [2, 4]])
    let isUndone = history.undo(by: "ann", merging: merge)
    #expect(!isUndone)
    seen = []
    while history.canRedo(by: "ann") {
      history.redo(by: "ann", merging: merge)
      seen.append(history.document.cards.keys.sorted())
    }
    #expect(seen == [[1, 2, 4], [1, 2, 3, 4]])
    history.undo(by: "ben", merging: merge)
    #expect(history.document.cards.keys.sorted() == [1, 2, 3])
    #expect(history.changes.map(\.kind) == [.change, .change, .change, .change, .undo, .undo, .redo, .redo, .undo])
  }

  @Test func `a new change of an author clears only that author's redo`() {
    var history = makeBoard()
    history.undo(by: "ann", merging: merge)
    history.undo(by: "ben", merging: merge)
    history.document.title = "new"
    history.record(author: "ann")
    #expect(!history.canRedo(by: "ann"))
    #expect(history.canRedo(by: "ben"))
    history.redo(by: "ben", merging: merge)
    #expect(history.document == Board(title: "new", cards: [1: "a", 2: "b", 4: "d"]))
  }

  @Test func `a change that another author has changed is not undone`() {
    var history = makeBoard()
    history.document.cards[3] = "ben's"
    history.record(author: "ben")
    let before = history
    let isUndone = history.undo(by: "ann", merging: merge)
    #expect(!isUndone)
    #expect(history == before)
  }

  @Test func `without merging, an author's change is undone only if it is the last`() {
    var history = makeBoard()
    let before = history
    let isUndone = history.undo(by: "ann")
    #expect(!isUndone)
    #expect(history == before)
    history.undo(by: "ben")
    #expect(history.document.cards.keys.sorted() == [1, 2, 3])
    history.redo(by: "ben")
    #expect(history.document == before.document)
  }

  @Test func `a change of another author divides a group`() {
    var history = History("")
    history.beginGroup("typing", author: "ann")
    for (author, text) in [("ann", "a"), ("ann", "ab"), ("ben", "abX"), ("ann", "abXc")] {
      history.document = text
      history.record(author: author)
    }
    #expect(history.changes.map(\.author) == ["ann", "ben", "ann"])
    #expect(history.changes.map(\.group) == ["typing", nil, "typing"])
  }

  @Test func `a change forgotten at the limit cannot be undone, and its undoing can be redone`() {
    var history = makeBoard()
    history.undo(by: "ann", merging: merge)
    history.limit = 1
    #expect(!history.canUndo(by: "ann"))
    history.redo(by: "ann", merging: merge)
    #expect(history.document.cards.keys.sorted() == [1, 2, 3, 4])
  }

  @Test func `a feature takes the author from its actions`() {
    struct Edit: Sendable {
      let text: String
      let author: String
    }
    let text = Feature<String, Edit> { text, edit in text += edit.text }
      .withHistory(author: \.author)
    let factory = StoreFactory(
      initialState: History(""),
      feature: text,
      settings: TreeSettings(executor: ManualExecutor())
    )
    for (text, author) in [("a", "ann"), ("b", "ben")] { factory.dispatchAndWait(Edit(text: text, author: author)) }
    #expect(factory.state.changes.map(\.author) == ["ann", "ben"])
  }
}
